#include "ui/chat/ledger_words.h"

#include "ui/chat/check_words.h"
#include "ui/chat/held_text.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

namespace ui {

namespace {
    using engine::Ledger;
    using engine::LedgerEntry;
    using engine::StopReason;

    QString tr(const char* text) { return QCoreApplication::translate("LedgerWords", text); }
    QString number(qint64 value) { return QLocale().toString(value); }

    QString conditionName(StopReason reason)
    {
        switch (reason) {
        case StopReason::EndToken:
            return tr("End token");
        case StopReason::StopString:
            return tr("Your stop strings");
        case StopReason::LengthCap:
            return tr("Length cap");
        case StopReason::ContextFull:
            return tr("Context");
        case StopReason::ThinkingCap:
            return tr("Thinking budget");
        case StopReason::TimeCap:
            return tr("Time limit");
        case StopReason::Repetition:
            return tr("Repetition guard");
        case StopReason::Cancelled:
            return tr("Stopped by hand");
        case StopReason::Failed:
            return tr("Failure");
        case StopReason::Interrupted:
            return tr("End of the program");
        }
        return {};
    }

    QString cancelledCause(const Ledger& ledger)
    {
        switch (ledger.cancelledBy.value_or(engine::CancelledBy::User)) {
        case engine::CancelledBy::User:
            return tr("You stopped it. The model had not ended it.");
        case engine::CancelledBy::Closing:
            return tr("It was stopped because the program was closing.");
        case engine::CancelledBy::ModelUnloaded:
            return tr("It was stopped because the model was unloaded.");
        }
        return {};
    }

    QString stopStringCause(const Ledger& ledger)
    {
        const QString stopString = visibleText(ledger.stopString);
        return ledger.stopStringOffset
            ? tr("The model wrote your stop string ‘%1’ at byte %2. It is not part of the answer, "
                 "which may be unfinished.")
                  .arg(stopString, number(*ledger.stopStringOffset))
            : tr("The model wrote your stop string ‘%1’. It is not part of the answer, which may "
                 "be unfinished.")
                  .arg(stopString);
    }

    QString repetitionCause(const Ledger& ledger)
    {
        if (!ledger.repetition)
            return tr("It was repeating itself, and you had switched on the guard against that.");
        return tr("Its last tokens are %1 times the same %2: it was repeating itself, and you had "
                  "switched on the guard against that.")
            .arg(number(ledger.repetition->count), number(ledger.repetition->period));
    }

    QString causeOf(const Ledger& ledger, const QString& endToken)
    {
        switch (ledger.reason) {
        case StopReason::EndToken:
            return endToken.isEmpty() ? tr("The model ended it.")
                                      : tr("The model ended it with the end token %1.").arg(endToken);
        case StopReason::StopString:
            return stopStringCause(ledger);
        case StopReason::LengthCap:
            return tr("It reached the length cap of %1 tokens. The model had not ended it.")
                .arg(number(ledger.lengthCap));
        case StopReason::ContextFull:
            return tr("Prompt and answer fill the context of %1 tokens. The model had not ended "
                      "it.")
                .arg(number(ledger.contextLength));
        case StopReason::ThinkingCap:
            return tr("The thinking budget was used up.");
        case StopReason::TimeCap:
            return tr("It reached the time limit. The model had not ended it.");
        case StopReason::Repetition:
            return repetitionCause(ledger);
        case StopReason::Cancelled:
            return cancelledCause(ledger);
        case StopReason::Failed:
            return tr("It failed before the model ended it.");
        case StopReason::Interrupted:
            return tr("The program ended while it was being written.");
        }
        return {};
    }

    /// The clock and what comes from outside do not look at tokens.
    bool isBroughtAboutByTokens(StopReason reason)
    {
        return engine::stopReasonInfo(reason).verdict != engine::Verdict::Partial
            && reason != StopReason::TimeCap;
    }

    QString rowState(const Ledger& ledger, const LedgerEntry& entry)
    {
        switch (entry.reason) {
        case StopReason::LengthCap:
            return tr("%1 of %2 tokens").arg(number(ledger.tokenCount), number(ledger.lengthCap));
        case StopReason::ContextFull:
            return tr("%1 of %2 tokens")
                .arg(number(ledger.contextUsed), number(ledger.contextLength));
        default:
            return QCoreApplication::translate("LedgerState", entry.state.c_str());
        }
    }

    /// Records written before there were entries have none: what is known is told all the same.
    std::vector<LedgerEntry> entriesOf(const Ledger& ledger)
    {
        if (!ledger.entries.empty())
            return ledger.entries;
        return { { ledger.reason, true, engine::stopReasonInfo(ledger.reason).words } };
    }
}

QString LedgerRow::sentence() const
{
    return tr("%1: %2, %3")
        .arg(condition, state,
            decided    ? tr("ended the answer")
                : held ? tr("held too")
                       : tr("did not hold"));
}

QString LedgerWords::text() const
{
    QStringList lines { cause };
    if (!error.isEmpty())
        lines.append(tr("Error: %1").arg(error));
    lines.append(counters);
    if (!token.isEmpty())
        lines.append(isTokenDeciding ? tr("Deciding token: %1").arg(token)
                                     : tr("Last token: %1").arg(token));
    for (const LedgerRow& row : rows)
        lines.append(row.sentence());
    if (!checks.isEmpty())
        lines.append(checks);
    lines.append(precedence);
    lines.append(contract);
    return lines.join(QLatin1Char('\n'));
}

namespace {
    /// An end token says nothing of whether the answer will do.
    QString causeAndChecks(const Ledger& ledger, const QString& endToken, bool isChecked)
    {
        const QString cause = causeOf(ledger, endToken);
        if (ledger.reason != StopReason::EndToken)
            return cause;
        return cause + QLatin1Char(' ')
            + (isChecked ? tr("Of its fitness for use only what you ask of it was checked.")
                         : tr("Whether it is fit for use was not checked."));
    }
}

LedgerWords ledgerWords(const Ledger& ledger, const QString& lastToken, const QString& endToken)
{
    LedgerWords words;
    words.cause = causeAndChecks(ledger, endToken, false);
    if (ledger.error)
        words.error = QString::fromStdString(ledger.error->message);
    words.counters = tr("%1 of at most %2 new tokens · %3 of %4 of the context used")
                         .arg(number(ledger.tokenCount), number(ledger.lengthCap),
                             number(ledger.contextUsed), number(ledger.contextLength));
    for (const LedgerEntry& entry : entriesOf(ledger))
        words.rows.push_back({ conditionName(entry.reason), rowState(ledger, entry), entry.held,
            entry.reason == ledger.reason });
    words.precedence = tr("When several hold at the same token, the first of this list counts.");
    words.contract = tr("Contract version %1").arg(ledger.contractVersion);
    words.isTokenDeciding = isBroughtAboutByTokens(ledger.reason);
    if (ledger.decidingTokenIndex) {
        words.token = tr("token %1").arg(number(*ledger.decidingTokenIndex + 1));
        if (!lastToken.isEmpty())
            words.token += tr(", ‘%1’").arg(lastToken);
    }
    return words;
}

LedgerWords ledgerWords(const app::Draft& draft)
{
    const Ledger& ledger = draft.ending()->ledger;
    const app::DraftOrigin& origin = draft.origin();
    QString deciding;
    if (const auto index = ledger.decidingTokenIndex;
        index && *index >= 0 && size_t(*index) < draft.records().size())
        deciding = visibleText(origin.tokenText(draft.records()[size_t(*index)].id));
    const QString endToken = ledger.endTokenId
        ? QString::fromStdString(origin.tokenText(*ledger.endTokenId))
        : QString();
    LedgerWords words = ledgerWords(ledger, deciding, endToken);
    if (draft.check()) {
        words.cause = causeAndChecks(ledger, endToken, true);
        words.checks = checkList(*draft.check());
    }
    if (const auto& acceptance = draft.acceptance())
        words.checks += (words.checks.isEmpty() ? QString() : QStringLiteral("\n"))
            + tr("Accepted for use %1; SHA-256 of the text %2")
                  .arg(QLocale().toString(acceptance->at.toLocalTime(), QLocale::ShortFormat),
                      QString::fromStdString(acceptance->textSha256).left(16) + QStringLiteral("…"));
    return words;
}

} // namespace ui
