#include "ui/inspect/trace_words.h"

#include "ui/inspect/piece_words.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace ui {

namespace {
    using engine::SamplerStage;

    QString tr(const char* text) { return QCoreApplication::translate("TraceWords", text); }

    constexpr double kLeastShown = 0.0001;

    /// Percent with two digits that count, and no more than two after the point.
    QString percentDigits(double share)
    {
        const double percent = share * 100;
        const int decimals = percent >= 99.95 || percent == 0 ? 0 : percent >= 1 ? 1 : 2;
        return QLocale().toString(percent, 'f', decimals);
    }
    QString place(double share) { return QLocale().toString(share, 'f', 3); }

    QString outcomeOf(const app::TracedCandidate& candidate, bool isGreedy)
    {
        if (isGreedy)
            return candidate.final() && candidate.final()->low == 1 ? tr("likeliest")
                                                                    : QStringLiteral("–");
        if (!candidate.droppedBy && candidate.final() && candidate.final()->high == 0)
            return tr("✕ dropped");
        if (candidate.droppedBy.value_or(SamplerStage::None) != SamplerStage::None)
            return QStringLiteral("✕ ") + stageWords(*candidate.droppedBy);
        return shareWords(candidate.final());
    }

    QString spokenOutcome(const app::TracedCandidate& candidate, bool isGreedy)
    {
        if (isGreedy)
            return candidate.final() && candidate.final()->low == 1 ? tr("the likeliest is taken")
                                                                    : tr("not taken");
        if (!candidate.droppedBy && candidate.final() && candidate.final()->high == 0)
            return tr("dropped, by which stage is not known");
        if (candidate.droppedBy.value_or(SamplerStage::None) != SamplerStage::None)
            return tr("dropped by %1").arg(stageWords(*candidate.droppedBy));
        return tr("final %1").arg(shareWords(candidate.final()));
    }

    /// Also of a share that is far below what others show.
    QString smallShareWords(double share)
    {
        if (share <= 0 || share >= kLeastShown)
            return shareWords(share);
        constexpr double kLeastTold = 0.99e-5; // the rank tells less likely ones apart
        return share < kLeastTold ? tr("<0.001 %") : tr("%1 %").arg(QLocale().toString(share * 100, 'g', 1));
    }

    CandidateWords restWords(const app::StageTrace& trace)
    {
        const auto& kept = trace.restAfter.back();
        CandidateWords rest;
        rest.piece = tr("all others");
        rest.raw = shareWords(trace.restRaw);
        rest.rawShare = trace.restRaw;
        rest.finalShare = kept.value_or(app::Bounds {});
        rest.isDropped = kept && kept->high == 0;
        rest.outcome = trace.isGreedy ? QStringLiteral("–")
            : rest.isDropped          ? tr("✕ dropped")
                                      : shareWords(kept);
        const QString outcome = trace.isGreedy ? tr("not taken")
            : rest.isDropped                   ? tr("dropped")
                                               : tr("final %1").arg(shareWords(kept));
        rest.spoken = tr("all other tokens together, raw %1, %2").arg(rest.raw, outcome);
        return rest;
    }
}

QString shareWords(double share)
{
    if (share > 0 && share < kLeastShown)
        return tr("under %1 %").arg(percentDigits(kLeastShown));
    return tr("%1 %").arg(percentDigits(share));
}

QString shareWords(const std::optional<app::Bounds>& share)
{
    if (!share)
        return tr("not known");
    if (share->isKnown())
        return shareWords((share->low + share->high) / 2);
    if (share->low <= 0 && share->high >= 1)
        return tr("not known");
    return tr("%1–%2 %").arg(percentDigits(share->low), percentDigits(share->high));
}

QString stageWords(SamplerStage stage)
{
    switch (stage) {
    case SamplerStage::Penalties:
        return tr("penalties");
    case SamplerStage::LogitBias:
        return tr("penalties and bias");
    case SamplerStage::TopK:
        return tr("top-k");
    case SamplerStage::TopP:
        return tr("top-p");
    case SamplerStage::MinP:
        return tr("min-p");
    case SamplerStage::Temperature:
        return tr("temperature");
    case SamplerStage::Draw:
        return tr("draw");
    case SamplerStage::None:
        break;
    }
    return tr("no stage");
}

PieceNames pieceNames(const app::TokenTrack& track, int token)
{
    return {
        [&track, token](engine::TokenId id) {
            const std::string bytes = track.pieceText(token, id);
            return bytes.empty() ? QStringLiteral("#%1").arg(id) : drawnPiece(bytes);
        },
        [&track, token](engine::TokenId id) { return quotedPiece(track, token, id); },
    };
}

std::vector<CandidateWords> candidateWords(
    const app::StageTrace& trace, std::optional<engine::TokenId> chosen, const PieceNames& names)
{
    std::vector<CandidateWords> rows;
    for (const app::TracedCandidate& candidate : trace.candidates) {
        CandidateWords row;
        row.id = candidate.id;
        row.piece = names.drawn(candidate.id);
        row.raw = shareWords(candidate.rawProbability);
        row.rawShare = candidate.rawProbability;
        row.finalShare = candidate.final().value_or(app::Bounds {});
        row.isChosen = candidate.id == chosen;
        row.isDropped = !trace.isGreedy && row.finalShare.high == 0;
        row.outcome = outcomeOf(candidate, trace.isGreedy);
        row.spoken = tr("candidate %1, %2, raw %3, %4")
                         .arg(rows.size() + 1)
                         .arg(names.quoted(candidate.id), row.raw,
                             spokenOutcome(candidate, trace.isGreedy));
        if (row.isChosen)
            row.spoken += tr(", chosen");
        rows.push_back(std::move(row));
    }
    if (trace.restRaw > 0)
        rows.push_back(restWords(trace));
    return rows;
}

std::vector<CandidateWords> rowWords(const std::vector<app::RowToken>& tokens, const RowWordsOptions& options)
{
    std::vector<CandidateWords> rows;
    for (const app::RowToken& token : tokens) {
        CandidateWords row;
        row.id = token.id;
        row.piece = tr("%1  #%2").arg(options.names.drawn(token.id), QString::number(token.id));
        row.raw = tr("rank %L1 · %2").arg(token.rank).arg(smallShareWords(token.rawProbability));
        row.rawShare = token.rawProbability;
        row.isChosen = token.id == options.chosen;
        QString outcome = tr("nobody chose here");
        if (options.hasStages) {
            app::TracedCandidate known;
            known.droppedBy = token.droppedBy;
            known.after.back() = app::Bounds { token.finalProbability, token.finalProbability };
            row.finalShare = *known.after.back();
            const bool isBanned = token.droppedBy == SamplerStage::LogitBias;
            row.isDropped = isBanned || (!options.isGreedy && token.droppedBy != SamplerStage::None);
            row.outcome = outcomeOf(known, options.isGreedy && !isBanned);
            outcome = spokenOutcome(known, options.isGreedy && !isBanned);
        }
        row.spoken = tr("match %1, %2, token %3, rank %4, raw %5, %6")
                         .arg(QLocale().toString(rows.size() + 1), options.names.quoted(token.id),
                             QString::number(token.id), QLocale().toString(token.rank),
                             smallShareWords(token.rawProbability), outcome);
        if (row.isChosen)
            row.spoken += tr(", chosen");
        rows.push_back(std::move(row));
    }
    return rows;
}

QString keptWords(const app::StageTrace& trace, size_t stage)
{
    const size_t least = trace.keptCount(stage);
    const size_t most = trace.mostKeptCount(stage);
    const QString rest = trace.restAfter[stage] && trace.restAfter[stage]->high > 0
        ? tr(", all others %1").arg(shareWords(trace.restAfter[stage]))
        : QString();
    if (least == most)
        return tr("keeps %1 of the %2 listed").arg(least).arg(trace.candidates.size()) + rest;
    return tr("keeps %1 to %2 of the %3 listed").arg(least).arg(most).arg(trace.candidates.size())
        + rest;
}

QString distributionWords(const app::StageTrace& trace, size_t stage, const PieceNames& names)
{
    constexpr size_t kNamed = 5;
    QStringList shares;
    for (const app::TracedCandidate& candidate : trace.candidates)
        if (shares.size() < qsizetype(kNamed) && candidate.after[stage]
            && candidate.after[stage]->high > 0)
            shares.append(
                tr("%1 %2").arg(names.quoted(candidate.id), shareWords(candidate.after[stage])));
    const size_t kept = trace.mostKeptCount(stage);
    if (kept > kNamed)
        shares.append(tr("and %1 more").arg(kept - kNamed));
    return tr("After %1: %2")
        .arg(stageWords(app::kTracedStages[stage]), shares.join(QStringLiteral(", ")));
}

QString drawWords(const app::StageTrace& trace, const PieceNames& names)
{
    if (trace.candidates.empty())
        return tr("The draw was not observed.");
    if (trace.isGreedy)
        return tr("Greedy: no draw. At temperature 0 the likeliest token is taken.");
    if (!trace.draw)
        return tr("No draw: this token was not sampled.");
    if (!trace.drawn)
        return tr("The draw is %1. Which token that is cannot be told from the twenty likeliest.")
            .arg(place(*trace.draw));
    const app::Bounds start = trace.before(*trace.drawn);
    const app::Bounds end = trace.cumulative(*trace.drawn);
    const QString name = names.quoted(trace.candidates[*trace.drawn].id);
    if (!start.isKnown() || !end.isKnown())
        return tr("The draw %1 fell on %2.").arg(place(*trace.draw), name);
    return tr("The draw %1 fell on %2, which has %3 to %4.")
        .arg(place(*trace.draw), name, place(start.low), place(end.high));
}

} // namespace ui
