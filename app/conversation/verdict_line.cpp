#include "app/conversation/verdict_line.h"

#include <QCoreApplication>

namespace app {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("app::VerdictLine", text); }

    // In one line, whatever a stop string or an error holds.
    QString inOneLine(const std::string& text) { return QString::fromStdString(text).simplified(); }

    QString cause(const engine::Ledger& ledger)
    {
        using engine::StopReason;
        switch (ledger.reason) {
        case StopReason::EndToken:
            return tr("the model ended it");
        case StopReason::StopString:
            return tr("stop string “%1”").arg(inOneLine(ledger.stopString));
        case StopReason::LengthCap:
            return ledger.lengthCap > 0 ? tr("length cap %1 reached").arg(ledger.lengthCap)
                                        : tr("length cap reached");
        case StopReason::ContextFull:
            return ledger.contextLength > 0
                ? tr("context full (%1 of %2)").arg(ledger.contextUsed).arg(ledger.contextLength)
                : tr("context full");
        case StopReason::ThinkingCap:
            return tr("thinking budget used up");
        case StopReason::TimeCap:
            return tr("time limit reached");
        case StopReason::Repetition:
            return tr("it was repeating itself");
        case StopReason::Cancelled:
            return ledger.cancelledBy == engine::CancelledBy::Closing ? tr("the program was closed")
                : ledger.cancelledBy == engine::CancelledBy::ModelUnloaded
                ? tr("the model was unloaded")
                : tr("stopped by the person");
        case StopReason::Failed:
            return ledger.error ? tr("failed: %1").arg(inOneLine(ledger.error->message))
                                : tr("failed");
        case StopReason::Interrupted:
            return tr("the program ended");
        }
        return {};
    }

    QString note(engine::Verdict verdict)
    {
        switch (verdict) {
        case engine::Verdict::Complete:
            return tr("not checked");
        case engine::Verdict::Stopped:
            return tr("may be unfinished");
        default:
            return tr("not known to be complete");
        }
    }
}

QString verdictWord(engine::Verdict verdict)
{
    switch (verdict) {
    case engine::Verdict::Complete:
        return tr("complete");
    case engine::Verdict::Stopped:
        return tr("stopped");
    case engine::Verdict::Capped:
        return tr("capped");
    case engine::Verdict::Partial:
        break;
    }
    return tr("partial");
}

QString verdictWords(const Answer& answer)
{
    if (answer.isEdited())
        return tr("Tokenglass: written by a person");
    const Draft& draft = *answer.draft();
    const QString why = draft.ending() ? cause(draft.ending()->ledger) : tr("still being written");
    return tr("Tokenglass: %1 – %2; %3")
        .arg(verdictWord(answer.verdict()), why, note(answer.verdict()));
}

QString verdictLine(const Answer& answer)
{
    return QStringLiteral("[%1]").arg(verdictWords(answer));
}

QString textWithVerdict(const Answer& answer)
{
    const QString text = QString::fromStdString(answer.text());
    return text.isEmpty() ? verdictLine(answer)
                          : text + QStringLiteral("\n\n") + verdictLine(answer);
}

} // namespace app
