#include "ui/chat/check_words.h"

#include <QCoreApplication>
#include <QStringList>

namespace ui {

namespace {
    using State = app::RequirementState;

    QString tr(const char* text) { return QCoreApplication::translate("CheckWords", text); }

    QString fromUtf8(const std::string& text) { return QString::fromStdString(text); }

    QString lineOf(const app::RequirementResult& result)
    {
        const QString name = fromUtf8(result.name);
        const QString found = fromUtf8(result.value).simplified();
        switch (result.state) {
        case State::Met:
            return found.isEmpty() ? tr("✓ %1: met").arg(name)
                                   : tr("✓ %1: met, “%2”").arg(name, found);
        case State::Failed:
            return tr("✗ %1: failed, %2").arg(name, fromUtf8(result.why));
        case State::Open:
            break;
        }
        return result.why.empty() ? tr("○ %1: open").arg(name)
                                  : tr("○ %1: open, %2").arg(name, fromUtf8(result.why));
    }
}

QString checkWords(const app::RequirementCheck& check)
{
    const QString count = tr("%1 of %2").arg(check.metCount()).arg(check.results.size());
    if (check.isReady())
        return tr("%1 · ready").arg(count);
    if (check.hasFailed())
        return check.isTextFinal ? tr("%1 · checks failed").arg(count)
                                 : tr("%1 · not ready, a check failed").arg(count);
    return check.isTextFinal ? tr("%1 · not ready").arg(count)
                             : tr("present so far %1 · not ready").arg(count);
}

QString checkList(const app::RequirementCheck& check)
{
    QStringList lines { tr("Requirements “%1”: %2").arg(fromUtf8(check.setName), checkWords(check)) };
    for (const app::RequirementResult& result : check.results)
        lines.append(lineOf(result));
    return lines.join(QLatin1Char('\n'));
}

} // namespace ui
