#include "ui/inspect/prompt_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>

namespace ui {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("PromptWords", text); }
    QString number(int value) { return QLocale().toString(value); }

    QString placeWords(const app::PromptView& view, int source)
    {
        const auto isOfSource
            = [source](const app::PromptToken& token) { return token.source == source; };
        const auto first = std::ranges::find_if(view.tokens, isOfSource);
        if (first != view.tokens.end()) {
            const auto count = int(std::ranges::count_if(view.tokens, isOfSource));
            const QString position = number(int(first - view.tokens.begin()));
            return count == 1 ? tr("1 token at position %1").arg(position)
                              : tr("%1 tokens from position %2").arg(number(count), position);
        }
        const bool isInText = std::ranges::any_of(
            view.spans, [source](const app::PromptSpan& span) { return span.source == source; });
        return isInText ? tr("in the text") : tr("its place is not known");
    }
}

QString cacheWords(const std::optional<app::PromptCacheUse>& use)
{
    if (!use)
        return tr("KV cache: not observed.");
    const QString reused
        = tr("Reused %1 of %2 tokens").arg(number(use->reused), number(use->tokenCount));
    if (use->isUnderWay)
        return use->reused + use->computed < use->tokenCount
            ? tr("%1; recomputed %2 so far.").arg(reused, number(use->computed))
            : tr("%1; recomputed %2.").arg(reused, number(use->computed));
    const QString counts = tr("%1; recomputed %2.").arg(reused, number(use->computed));
    if (!use->firstMissPosition)
        return counts;
    const QString position = number(*use->firstMissPosition);
    return counts + QLatin1Char(' ')
        + (use->missCause.empty()
                ? tr("First difference at position %1: cause not observed.").arg(position)
                : tr("First difference at position %1: %2.")
                      .arg(position, QString::fromStdString(use->missCause)));
}

QString roundTripWords(const app::Answer& answer, const std::optional<app::RoundTrip>& trip)
{
    if (answer.isActive())
        return tr("Whether the text reads back as the same tokens is told when the answer ends.");
    if (!trip)
        return tr("Whether the text reads back as the same tokens is not known: the vocabulary is "
                  "not at hand.");
    if (!trip->firstDifference)
        return tr("The text of this answer would be read back as the same ids.");
    const QString position = number(trip->position);
    const QString token = number(*trip->firstDifference + 1);
    return *trip->firstDifference < trip->tokenCount
        ? tr("⚠ Read back as text, this answer has other ids from its token %1 on: the next prompt "
             "will differ from the cache at position %2.")
              .arg(token, position)
        : tr("⚠ Read back as text, this answer has more ids than were written: the next prompt "
             "will differ from the cache at position %1.")
              .arg(position);
}

QString sourceWords(const std::vector<app::RecordedSource>& sources, const app::PromptView& view)
{
    QStringList words;
    for (size_t i = 0; i < sources.size(); ++i)
        words.append(
            tr("%1 (%2)").arg(QString::fromStdString(sources[i].name), placeWords(view, int(i))));
    return words.empty() ? QString() : tr("Source texts: %1").arg(words.join(QStringLiteral(", ")));
}

} // namespace ui
