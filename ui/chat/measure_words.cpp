#include "ui/chat/measure_words.h"

#include <QCoreApplication>
#include <QLocale>

namespace ui {

namespace {
    struct Tr {
        Q_DECLARE_TR_FUNCTIONS(PromptMeasure)
    };
}

bool measureWarns(const app::PromptMeasure& measure)
{
    const auto room = measure.roomTokens();
    return room && (*room < measure.lengthCap || measure.droppedTurnCount > 0);
}

QString promptWords(const app::PromptMeasure& measure)
{
    const auto room = measure.roomTokens();
    if (!room)
        return {};
    QStringList words;
    const QString prompt = QLocale().toString(*measure.promptTokens);
    const QString context = QLocale().toString(measure.contextLength);
    words.append(measure.fits() ? Tr::tr("next prompt %1 of %2 tokens").arg(prompt, context)
            : measure.isLeast
            ? Tr::tr(
                "will not fit: the prompt would have more than %1 tokens, the context holds %2")
                  .arg(prompt, context)
            : Tr::tr("will not fit: the prompt would have %1 tokens, the context holds %2")
                  .arg(prompt, context));
    if (measure.sourceTokens > 0)
        words.append(Tr::tr("%L1 of them source texts").arg(measure.sourceTokens));
    if (measure.droppedTurnCount == 1)
        words.append(Tr::tr("the oldest message will be left out"));
    else if (measure.droppedTurnCount > 1)
        words.append(
            Tr::tr("the %L1 oldest messages will be left out").arg(measure.droppedTurnCount));
    if (*room >= measure.lengthCap)
        words.append(Tr::tr("cap %L1").arg(measure.lengthCap));
    else if (measure.fits())
        words.append(Tr::tr("room for %L1 of the cap’s %L2").arg(*room).arg(measure.lengthCap));
    return words.join(QStringLiteral(" · "));
}

QString measureWords(const app::PromptMeasure& measure)
{
    const QString typed = measure.messageTokens == 1
        ? Tr::tr("1 token")
        : Tr::tr("%L1 tokens").arg(measure.messageTokens);
    const QString prompt = promptWords(measure);
    if (prompt.isEmpty() || measure.messageTokens == 0)
        return prompt;
    return QStringLiteral("%1 · %2").arg(typed, prompt);
}

} // namespace ui
