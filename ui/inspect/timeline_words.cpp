#include "ui/inspect/timeline_words.h"

#include "ui/chat/draft_words.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    using app::RunPhase;

    constexpr double kWholeMs = 10; ///< from here on without a fraction

    QString tr(const char* text) { return QCoreApplication::translate("TimelineWords", text); }
    QString number(qint64 value) { return QLocale().toString(value); }
    QString joined(const QStringList& parts) { return parts.join(QStringLiteral(" · ")); }

    QString sentenceOf(const QStringList& parts)
    {
        QString words = parts.join(QStringLiteral(", "));
        words[0] = words[0].toUpper();
        return words + QLatin1Char('.');
    }

    QString counted(int count, const char* one, const char* many)
    {
        return count == 1 ? tr(one) : tr(many).arg(number(count));
    }

    QString promptWords(const app::RunTimeline& line)
    {
        QStringList parts;
        parts << (line.prompt.templateMs
                         ? tr("template in %1").arg(momentWords(line.prompt.templateMs))
                         : tr("template not observed"))
              << (line.prompt.tokenizeMs
                         ? tr("tokenised in %1").arg(momentWords(line.prompt.tokenizeMs))
                         : tr("tokenising not observed"));
        if (line.savingMs)
            parts << tr("saved in %1").arg(momentWords(line.savingMs));
        return joined(parts);
    }

    QString mateWords(const app::RunTimeline& line)
    {
        const std::optional<int> mates = line.batchMates();
        return !mates       ? tr("batch-mates not observed")
            : *mates == 0 ? tr("no batch-mates")
                          : counted(*mates, QT_TRANSLATE_NOOP("TimelineWords", "1 batch-mate"),
                              QT_TRANSLATE_NOOP("TimelineWords", "up to %1 batch-mates"));
    }

    QString bytesWords(const std::optional<uint64_t>& bytes)
    {
        return bytes ? QLocale().formattedDataSize(qint64(*bytes)) : tr("not observed");
    }

    QString passName(const engine::RunPass& pass)
    {
        switch (pass.kind) {
        case engine::PassKind::Prefill:
            return tr("part of the prompt");
        case engine::PassKind::Decode:
            return tr("decode pass");
        case engine::PassKind::Discarded:
            return tr("computed ahead and discarded");
        }
        return {};
    }

    QString queueWords(const app::Draft& draft, const app::RunTimeline& line)
    {
        const std::optional<double> dequeued = draft.ending()->timing.dequeuedMs;
        return dequeued ? tr("%1 in the queue").arg(momentWords(dequeued))
            : draft.ending()->timing.endedMs
            ? tr("ended in the queue after %1").arg(momentWords(line.phaseMs(RunPhase::Queue)))
            : tr("time in the queue not observed");
    }

    QString prefillWords(const engine::RunEnded& end, const app::RunTimeline& line)
    {
        if (!end.timing.prefillEndMs)
            return end.timing.prefillStartMs ? tr("ended while it read the prompt")
                                             : tr("reading the prompt not observed");
        QString words = counted(end.cache.computedTokens,
            QT_TRANSLATE_NOOP("TimelineWords", "read 1 prompt token in %2"),
            QT_TRANSLATE_NOOP("TimelineWords", "read %1 prompt tokens in %2"));
        words.replace(QLatin1String("%2"), momentWords(line.phaseMs(RunPhase::Prefill)));
        if (end.cache.reusedTokens > 0)
            words += QLatin1Char(' ')
                + tr("(%1 more from the cache)").arg(number(end.cache.reusedTokens));
        return words;
    }
}

QString momentWords(const std::optional<double>& ms)
{
    if (!ms)
        return tr("not observed");
    if (std::abs(*ms) >= 1000)
        return tr("%1 s").arg(QLocale().toString(*ms / 1000, 'f', 2));
    return tr("%1 ms").arg(QLocale().toString(*ms, 'f', std::abs(*ms) < kWholeMs ? 1 : 0));
}

QString phaseWords(RunPhase kind)
{
    switch (kind) {
    case RunPhase::Template:
        return tr("template");
    case RunPhase::Tokenise:
        return tr("tokenising");
    case RunPhase::Saving:
        return tr("saving the message");
    case RunPhase::Before:
        return tr("before the first token");
    case RunPhase::Queue:
        return tr("in the queue");
    case RunPhase::Prefill:
        return tr("reading the prompt");
    case RunPhase::Writing:
        return tr("writing");
    case RunPhase::Pause:
        return tr("paused");
    }
    return {};
}

QString momentName(app::RunMoment kind)
{
    switch (kind) {
    case app::RunMoment::FirstText:
        return tr("first text");
    case app::RunMoment::FirstPaint:
        return tr("first paint");
    case app::RunMoment::LastPaint:
        return tr("last paint");
    }
    return {};
}

QString momentsWords(const app::RunTimeline& line)
{
    QStringList parts;
    for (const app::TimelineMoment& moment : line.moments)
        parts << tr("%1 at %2").arg(momentName(moment.kind), momentWords(moment.ms));
    return parts.isEmpty() ? QString() : sentenceOf(parts);
}

QString processingWords(const app::Draft& draft, const app::RunTimeline& line)
{
    QStringList parts;
    const std::optional<double> rate = draft.writeRate();
    const QString speed = rate
        ? tr("%1 tokens/s").arg(QLocale().toString(*rate, 'f', *rate < 100 ? 1 : 0))
        : tr("tokens/s not observed");
    if (!draft.ending()) {
        parts << promptWords(line) << speed << mateWords(line)
              << tr("queue, prompt and passes are told when the run ends");
    } else {
        const engine::RunEnded& end = *draft.ending();
        parts << promptWords(line) << queueWords(draft, line) << prefillWords(end, line);
        if (end.timing.prefillEndMs)
            parts << counted(end.decodePassCount,
                QT_TRANSLATE_NOOP("TimelineWords", "1 decode pass"),
                QT_TRANSLATE_NOOP("TimelineWords", "%1 decode passes"))
                  << speed
                  << counted(end.discardedPassCount,
                         QT_TRANSLATE_NOOP("TimelineWords", "1 pass discarded"),
                         QT_TRANSLATE_NOOP("TimelineWords", "%1 passes discarded"))
                  << mateWords(line);
        else
            parts << tr("passes not observed");
    }
    return tr("Processing: %1").arg(joined(parts));
}

QString deliveryWords(const app::Draft& draft, const app::RunTimeline& line)
{
    QStringList parts;
    if (line.firstPaintDelayMs)
        parts << tr("first token on the screen %1 after it was decided")
                     .arg(momentWords(line.firstPaintDelayMs));
    else if (draft.startedMs() && !draft.firstOutputMs())
        parts << tr("nothing on the screen yet");
    else
        parts << tr("first token to first paint not observed");
    if (line.medianDeliveryMs)
        parts << tr("engine to window: median %1, 99th percentile %2")
                     .arg(momentWords(line.medianDeliveryMs), momentWords(line.slowDeliveryMs));
    else
        parts << tr("engine to window not observed");
    return tr("Delivery: %1").arg(joined(parts));
}

QString resultWords(const app::Draft& draft, const std::optional<QString>& checks)
{
    const DraftWords words = draftWords(draft);
    QStringList parts { words.state };
    if (!words.chip.isEmpty())
        parts << words.chip;
    parts << (checks ? tr("checks: %1").arg(*checks) : tr("checks: none"));
    return tr("Result: %1").arg(joined(parts));
}

QString stepWords(const app::RunTimeline& line, int index)
{
    const app::TokenStep& step = line.steps[size_t(index)];
    QStringList parts;
    if (step.decidedMs)
        parts << tr("decided at %1").arg(momentWords(step.decidedMs));
    else
        parts << tr("moment not observed");
    if (index > 0)
        parts << (step.stepMs ? tr("%1 after the one before").arg(momentWords(step.stepMs))
                              : tr("step not observed"));
    if (step.hasPause)
        parts << tr("the run was paused");
    if (step.isStall)
        parts << (line.hasPauses ? tr("stall") : tr("stall, or a pause that was not kept"));
    parts << (step.deliveryMs ? tr("at the window %1 later").arg(momentWords(step.deliveryMs))
                              : tr("delivery not observed"));
    return tr("Token %1: %2").arg(number(index + 1), parts.join(QStringLiteral(", ")));
}

QString passWords(const app::RunTimeline& line, int index)
{
    const app::TimelinePass& shown = line.passes[size_t(index)];
    const engine::RunPass& pass = shown.pass;
    QStringList parts { passName(pass), tr("begun at %1").arg(momentWords(pass.startMs)) };
    parts << (pass.positionCount == 1
                     ? tr("position %1").arg(number(pass.firstPosition))
                     : tr("%1 positions from %2")
                           .arg(number(pass.positionCount), number(pass.firstPosition)))
          << tr("weights read %1").arg(bytesWords(pass.weightBytes))
          << tr("cache read %1").arg(bytesWords(pass.cacheBytes))
          << tr("device %1").arg(momentWords(pass.deviceMs))
          << tr("host %1").arg(momentWords(pass.hostMs));
    if (pass.sequenceCount > 1)
        parts << counted(pass.sequenceCount - 1,
            QT_TRANSLATE_NOOP("TimelineWords", "1 batch-mate"),
            QT_TRANSLATE_NOOP("TimelineWords", "%1 batch-mates"));
    if (shown.token >= 0)
        parts << tr("gave token %1, in the window at %2")
                     .arg(number(shown.token + 1), momentWords(shown.arrivedMs));
    return tr("Pass %1: %2").arg(number(index + 1), parts.join(QStringLiteral(", ")));
}

QString timelineSummary(const app::RunTimeline& line)
{
    QStringList parts;
    std::vector<RunPhase> told;
    for (const app::TimelinePhase& phase : line.phases) {
        if (std::find(told.begin(), told.end(), phase.kind) != told.end())
            continue; // many pauses are one number
        told.push_back(phase.kind);
        if (phase.kind == RunPhase::Pause)
            parts << tr("%1 of it paused").arg(momentWords(line.phaseMs(phase.kind)));
        else
            parts << tr("%1 %2").arg(phaseWords(phase.kind), momentWords(line.phaseMs(phase.kind)));
    }
    if (parts.isEmpty())
        return tr("No times were observed.");
    if (line.medianStepMs)
        parts << tr("median step %1").arg(momentWords(line.medianStepMs))
              << (line.stallCount == 0
                         ? tr("no stalls")
                         : counted(line.stallCount, QT_TRANSLATE_NOOP("TimelineWords", "1 stall"),
                             QT_TRANSLATE_NOOP("TimelineWords", "%1 stalls")));
    if (line.stallCount > 0 && !line.hasPauses)
        parts.back() += tr("; pauses were not kept, so a stall may be one");
    QStringList sentences { sentenceOf(parts), momentsWords(line) };
    sentences.removeAll(QString());
    return sentences.join(QLatin1Char(' '));
}

} // namespace ui
