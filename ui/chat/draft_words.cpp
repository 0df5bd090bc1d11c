#include "ui/chat/draft_words.h"

#include "ui/chat/check_words.h"
#include "ui/chat/held_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <array>

namespace ui {

namespace {
    using engine::StopReason;

    QString tr(const char* text, int n = -1)
    {
        return QCoreApplication::translate("DraftWords", text, nullptr, n);
    }

    QString number(qint64 value) { return QLocale().toString(value); }

    QString fromUtf8(const std::string& text) { return QString::fromStdString(text); }

    QString rate(double perSecond)
    {
        return QLocale().toString(perSecond, 'f', perSecond < 10 ? 1 : 0);
    }

    QString duration(double ms)
    {
        return tr("%1 s").arg(QLocale().toString(ms / 1000, 'f', ms < 9950 ? 2 : 1));
    }

    constexpr double kTellingWaitMs = 100; ///< shorter waits are nobody's concern

    QString tokens(int count)
    {
        return count == 1 ? tr("1 token") : tr("%1 tokens").arg(number(count));
    }

    /// Shape and colour of each ending: the window's half of the table of stop reasons.
    struct EndingLook {
        StopReason reason;
        IconName icon;
        EdgeStyle edge;
        Tone tone;
    };
    constexpr std::array kEndingLooks {
        EndingLook { StopReason::EndToken, IconName::Complete, EdgeStyle::Solid, Tone::Good },
        EndingLook { StopReason::StopString, IconName::Stopped, EdgeStyle::Solid, Tone::Neutral },
        EndingLook { StopReason::LengthCap, IconName::Capped, EdgeStyle::Torn, Tone::Caution },
        EndingLook { StopReason::ContextFull, IconName::Capped, EdgeStyle::Torn, Tone::Caution },
        EndingLook { StopReason::ThinkingCap, IconName::Capped, EdgeStyle::Torn, Tone::Caution },
        EndingLook { StopReason::TimeCap, IconName::Capped, EdgeStyle::Torn, Tone::Caution },
        EndingLook { StopReason::Repetition, IconName::Capped, EdgeStyle::Torn, Tone::Caution },
        EndingLook { StopReason::Cancelled, IconName::Partial, EdgeStyle::Dashed, Tone::Neutral },
        EndingLook { StopReason::Failed, IconName::Warning, EdgeStyle::Dashed, Tone::Danger },
        EndingLook { StopReason::Interrupted, IconName::Warning, EdgeStyle::Dashed, Tone::Danger },
    };

    const EndingLook& lookOf(StopReason reason)
    {
        return *std::find_if(kEndingLooks.begin(), kEndingLooks.end(),
            [reason](const EndingLook& look) { return look.reason == reason; });
    }

    QString endTokenText(const app::Draft& draft, engine::TokenId id)
    {
        const QString name = fromUtf8(draft.origin().tokenText(id));
        return name.isEmpty() ? number(id) : name;
    }

    QString cancelledChip(const engine::Ledger& ledger)
    {
        const auto by = ledger.cancelledBy.value_or(engine::CancelledBy::User);
        if (by == engine::CancelledBy::Closing)
            return tr("the program was closing");
        if (by == engine::CancelledBy::ModelUnloaded)
            return tr("the model was unloaded");
        return ledger.tokenCount == 1
            ? tr("stopped by you after 1 token")
            : tr("stopped by you after %1 tokens").arg(number(ledger.tokenCount));
    }

    /// "57 of 64": what the ledger says of this condition.
    QString ledgerState(const engine::Ledger& ledger, StopReason reason)
    {
        for (const engine::LedgerEntry& entry : ledger.entries)
            if (entry.reason == reason && !entry.state.empty())
                return QStringLiteral(" (") + fromUtf8(entry.state) + QLatin1Char(')');
        return {};
    }

    QString endingChip(const app::Draft& draft, const engine::Ledger& ledger)
    {
        switch (ledger.reason) {
        case StopReason::EndToken:
            return ledger.endTokenId
                ? tr("end token %1").arg(endTokenText(draft, *ledger.endTokenId))
                : tr("end token");
        case StopReason::StopString:
            return tr("at your stop string ‘%1’").arg(visibleText(ledger.stopString));
        case StopReason::LengthCap:
            return tr("length cap %1 reached").arg(number(ledger.lengthCap));
        case StopReason::ContextFull:
            return tr("context full (%1 of %2)")
                .arg(number(ledger.contextUsed), number(ledger.contextLength));
        case StopReason::ThinkingCap:
            return tr("thinking budget used up") + ledgerState(ledger, ledger.reason);
        case StopReason::TimeCap:
            return tr("time limit reached") + ledgerState(ledger, ledger.reason);
        case StopReason::Repetition:
            return tr("repeating itself") + ledgerState(ledger, ledger.reason);
        case StopReason::Cancelled:
            return cancelledChip(ledger);
        case StopReason::Failed:
            return ledger.error && ledger.error->code == engine::ErrorCode::DeviceLost
                ? tr("failed: device lost")
                : ledger.error && ledger.error->code == engine::ErrorCode::OutOfMemory
                ? tr("failed: out of memory")
                : tr("failed");
        case StopReason::Interrupted:
            return tr("the program ended");
        }
        return {};
    }

    QString verdictWord(engine::Verdict verdict)
    {
        switch (verdict) {
        case engine::Verdict::Complete:
            return tr("Complete response");
        case engine::Verdict::Stopped:
            return tr("Stopped");
        case engine::Verdict::Capped:
            return tr("Capped");
        case engine::Verdict::Partial:
            break;
        }
        return tr("Partial");
    }

    QString endingNote(engine::Verdict verdict)
    {
        switch (verdict) {
        case engine::Verdict::Complete:
            return tr("not checked");
        case engine::Verdict::Stopped:
            return tr("may be unfinished");
        case engine::Verdict::Capped:
            return tr("not known to be complete");
        case engine::Verdict::Partial:
            break;
        }
        return {};
    }

    /// "" for a pause that a person asked for.
    QString pauseWords(engine::PauseCause cause)
    {
        switch (cause) {
        case engine::PauseCause::Text:
            return tr("at the text you look for");
        case engine::PauseCause::Probability:
            return tr("at an unlikely token");
        case engine::PauseCause::Entropy:
            return tr("where the model is unsure");
        case engine::PauseCause::EndProbability:
            return tr("where the model may end");
        case engine::PauseCause::Asked:
        case engine::PauseCause::StepsDone:
            break;
        }
        return {};
    }

    QString writingState(const app::Draft& draft)
    {
        const bool isPaused = draft.state() == app::DraftState::Paused;
        const QString cause = isPaused ? pauseWords(draft.pauseCause()) : QString();
        QStringList parts { !isPaused ? tr("Partial · writing")
                : cause.isEmpty()     ? tr("Partial · paused")
                                      : tr("Partial · paused %1").arg(cause),
            tokens(draft.tokenCount()) };
        if (const auto perSecond = draft.writeRate())
            parts.append(tr("%1/s").arg(rate(*perSecond)));
        return parts.join(QStringLiteral(" · "));
    }

    QString readingState(const app::Draft& draft)
    {
        const auto& progress = draft.prefill();
        if (!progress)
            return tr("Partial · reading the prompt");
        QString words = tr("Partial · reading the prompt, %1 of %2")
                            .arg(number(progress->done), number(progress->total));
        if (progress->reused > 0)
            words += tr(" (%1 reused)").arg(number(progress->reused));
        return words;
    }

    QString figuresOf(const app::Draft& draft)
    {
        QStringList parts;
        const auto& ending = draft.ending();
        // What a program that was killed had read is not known.
        const bool isReadKnown
            = ending ? ending->ledger.reason != StopReason::Interrupted : draft.tokenCount() > 0;
        if (isReadKnown) {
            const int promptTokens = int(draft.origin().request.promptIds.size());
            const int reused = ending ? ending->cache.reusedTokens
                : draft.prefill()     ? draft.prefill()->reused
                                      : 0;
            const int computed = ending && ending->timing.prefillEndMs
                ? ending->cache.computedTokens
                : promptTokens - reused;
            QString read = tr("read %1").arg(number(computed));
            if (reused > 0)
                read += tr(" (%1 reused)").arg(number(reused));
            if (const auto perSecond = draft.readRate())
                read += tr(" at %1/s").arg(rate(*perSecond));
            parts.append(read);
        }
        if (ending) {
            QString wrote = tr("wrote %1").arg(number(ending->ledger.tokenCount));
            if (const auto perSecond = draft.writeRate())
                wrote += tr(" at %1/s").arg(rate(*perSecond));
            parts.append(wrote);
        }
        // Runs wait for one another: what that took is part of the time to the first output.
        if (const auto waitedMs = ending ? ending->timing.dequeuedMs : std::nullopt;
            waitedMs && *waitedMs >= kTellingWaitMs)
            parts.append(tr("waited %1").arg(duration(*waitedMs)));
        if (const auto ms = draft.firstOutputMs())
            parts.append(tr("first output %1").arg(duration(*ms)));
        if (const auto ms = draft.completionMs())
            parts.append(tr("completion %1").arg(duration(*ms)));
        if (draft.notSampledCount() > 0)
            parts.append(tr("%1 not sampled").arg(number(draft.notSampledCount())));
        return parts.join(QStringLiteral(" · "));
    }

    /// Which tokens a fork kept, and how many of them were forced or typed on the branch it left.
    QString forkWords(const QString& count, const app::Answer& answer)
    {
        int keptCount = answer.notSampledCount();
        for (const auto& part : answer.parts())
            keptCount -= part->notSampledCount();
        const QString words = tr("forked after %1").arg(count);
        return keptCount > 0 ? words + tr(", %1 of them not sampled").arg(number(keptCount)) : words;
    }
}

QString DraftWords::sentence() const
{
    QStringList parts;
    for (const QString& part : { state, chip, note, checks })
        if (!part.isEmpty())
            parts.append(part);
    return parts.join(QStringLiteral(" · "));
}

DraftWords draftWords(const app::Draft& draft)
{
    DraftWords words;
    words.figures = figuresOf(draft);
    if (draft.check()) {
        words.checks = checkWords(*draft.check());
        words.checkList = checkList(*draft.check());
    }
    switch (draft.state()) {
    case app::DraftState::Queued:
        words.state = draft.queuedBehind() > 0
            ? tr("Partial · waiting, %1 before this").arg(draft.queuedBehind())
            : tr("Partial · waiting");
        words.spoken = tr("Partial · waiting");
        return words;
    case app::DraftState::Prefilling:
        words.state = readingState(draft);
        words.spoken = tr("Partial · reading the prompt");
        return words;
    case app::DraftState::Writing:
    case app::DraftState::Paused:
        words.state = writingState(draft);
        words.note = heldText(draft).words;
        words.spoken = draft.state() == app::DraftState::Paused ? tr("Partial · paused")
                                                                : tr("Partial · writing");
        words.edge = EdgeStyle::Dashed;
        words.tone = Tone::Accent;
        words.icon
            = draft.state() == app::DraftState::Paused ? IconName::Paused : IconName::Partial;
        return words;
    case app::DraftState::Ended:
        break;
    }
    const engine::Ledger& ledger = draft.ending()->ledger;
    const EndingLook& look = lookOf(ledger.reason);
    words.state = verdictWord(draft.verdict());
    if (draft.verdict() == engine::Verdict::Complete && draft.text().empty())
        words.state = tr("Complete · empty answer");
    words.chip = endingChip(draft, ledger);
    // "Not checked" is no longer so where there is a check.
    const bool isChecked = draft.check() && draft.verdict() == engine::Verdict::Complete;
    QStringList notes { draft.acceptance() ? tr("accepted for use")
            : isChecked                    ? QString()
                                           : endingNote(draft.verdict()),
        heldText(draft).words };
    notes.removeAll(QString());
    words.note = notes.join(QStringLiteral(" · "));
    words.icon = look.icon;
    words.edge = look.edge;
    words.tone = look.tone;
    words.spoken = words.sentence();
    return words;
}

DraftWords answerWords(const app::Answer& answer)
{
    const app::Draft* draft = answer.draft();
    if (!draft) {
        DraftWords words;
        words.state = tr("Edited by you");
        words.note = tr("no model wrote this text");
        words.icon = IconName::Edit;
        words.edge = EdgeStyle::Solid;
        words.spoken = words.sentence();
        return words;
    }
    DraftWords words = draftWords(*draft);
    if (draft->verdict() == engine::Verdict::Complete && !answer.text().empty()
        && draft->text().empty()) { // an empty end of an answer that was continued
        words.state = tr("Complete response");
        words.spoken = words.sentence();
    }
    QStringList more;
    if (answer.parts().size() > 1)
        more.append(tr("%1 in %2 parts")
                        .arg(tokens(answer.tokenCount()), number(int(answer.parts().size()))));
    if (!answer.opening().ids.empty()) {
        const engine::TokenSource source = answer.opening().source;
        const QString count = tokens(int(answer.opening().ids.size()));
        more.append(source == engine::TokenSource::Edited ? tr("begins with %1 edited by you").arg(count)
                : source == engine::TokenSource::Sampled  ? forkWords(count, answer)
                                                          : tr("begins with %1 typed by you").arg(count));
    }
    if (!more.isEmpty())
        words.figures += QStringLiteral(" · ") + more.join(QStringLiteral(" · "));
    return words;
}

std::optional<DraftWords> badgeWords(const app::Conversation& conversation)
{
    if (conversation.isLoaded()) {
        const app::Draft* active = conversation.activeDraft();
        if (active)
            return draftWords(*active);
        const app::Answer* answer = conversation.lastAnswer();
        return answer ? std::optional(answerWords(*answer)) : std::nullopt;
    }
    const auto reason = conversation.badge().reason;
    if (!reason)
        return std::nullopt;
    const EndingLook& look = lookOf(*reason);
    DraftWords words;
    words.state = verdictWord(engine::stopReasonInfo(*reason).verdict);
    words.note = endingNote(engine::stopReasonInfo(*reason).verdict);
    words.chip = tr(engine::stopReasonInfo(*reason).words);
    words.icon = look.icon;
    words.edge = look.edge;
    words.tone = look.tone;
    words.spoken = words.sentence();
    return words;
}

} // namespace ui
