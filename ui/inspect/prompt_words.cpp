#include "ui/inspect/prompt_words.h"

#include "ui/inspect/piece_words.h"
#include "ui/inspect/token_measure.h"

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

QString reasonWords(app::MissReason reason)
{
    switch (reason) {
    case app::MissReason::NotKnown:
        return {};
    case app::MissReason::GoesOn:
        return tr("Nothing differs: the cache ends where the new text begins.");
    case app::MissReason::NothingHeld:
        return tr("Nothing was held: this is the first run since the model was loaded.");
    case app::MissReason::OtherModel:
        return tr("The run before was of another model file: nothing of it can be reused.");
    case app::MissReason::OtherKvType:
        return tr("The run before had keys and values of another type: nothing of it can be reused.");
    case app::MissReason::GaveWay:
        return tr("It had been read before, and gave way to newer tokens.");
    case app::MissReason::NoRoom:
        return tr("More was found, but no page was left to copy it into.");
    case app::MissReason::OtherTemplate:
        return tr("The run before was formatted by another chat template.");
    case app::MissReason::TemplateText:
        return tr("The chat template itself wrote something else.");
    case app::MissReason::TurnsLeftOut:
        return tr("Other old messages were left out to make it fit the context.");
    case app::MissReason::SystemText:
        return tr("The system text was changed.");
    case app::MissReason::SourceText:
        return tr("The source texts are others.");
    case app::MissReason::Message:
        return tr("A message was changed.");
    case app::MissReason::EarlierAnswer:
        return tr("Another answer stands there: it was edited, or is of another branch.");
    case app::MissReason::AnswerBlanks:
        return tr("The chat template changed blanks or line ends of an earlier answer.");
    case app::MissReason::ThinkingRemoved:
        return tr("The chat template left out the thinking of an earlier answer.");
    case app::MissReason::OtherTokens:
        return tr("The text is the same, but read back it is divided into other tokens.");
    }
    return {};
}

QString roomWords(const std::optional<app::PromptCacheUse>& use)
{
    if (!use || !use->room || use->room->pageCount == 0)
        return {};
    const engine::KvRoom& room = *use->room;
    const QString bytes = QLocale().formattedDataSize(qint64(room.bytes()), 1);
    const QString held = room.pageCount == 1
        ? tr("In the KV cache prompt and answer hold 1 page of %1 tokens (%2)")
              .arg(number(room.pageTokens), bytes)
        : tr("In the KV cache prompt and answer hold %1 pages of %2 tokens (%3)")
              .arg(number(room.pageCount), number(room.pageTokens), bytes);
    return room.unusedSlots() == 0
        ? tr("%1; every slot is used.").arg(held)
        : tr("%1; %2 slots of the last page are unused.").arg(held, number(room.unusedSlots()));
}

QString spanWords(app::PromptKind kind, app::PromptOrigin origin, app::PromptCache cache)
{
    QStringList words { kind == app::PromptKind::Begun ? tr("begun of the answer") : originWords(origin) };
    if (kind == app::PromptKind::Control)
        words.append(tr("control token"));
    if (cache != app::PromptCache::Unknown)
        words.append(cache == app::PromptCache::Reused ? tr("reused from the cache") : tr("recomputed"));
    return words.join(QStringLiteral(", "));
}

QString cacheWords(
    const std::optional<app::PromptCacheUse>& use, const std::optional<app::CacheLens>& lens)
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
    const QString reason = lens ? reasonWords(lens->reason) : QString();
    const bool hasPieces = lens && !lens->wanted.empty() && !lens->held.empty();
    if (hasPieces || !reason.isEmpty()) {
        const QString differs = hasPieces
            ? tr("First difference at position %1: the prompt has ‘%2’ where the cache has ‘%3’.")
                  .arg(position, drawnPiece(lens->wanted), drawnPiece(lens->held))
            : tr("From position %1 on it was not found.").arg(position);
        return QStringList({ counts, differs, reason }).join(QLatin1Char(' ')).trimmed();
    }
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
