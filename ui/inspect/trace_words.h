#pragma once

#include "app/inspection/row_trace.h"
#include "app/inspection/stage_trace.h"

#include <QString>

#include <functional>
#include <vector>

namespace ui {

/// "71 %", "12.4 %", "0.31 %", "under 0.01 %".
QString shareWords(double share);
/// The same, "12–15 %" where no more is known, and "not known".
QString shareWords(const std::optional<app::Bounds>& share);
/// "top-k", "min-p": as settings call the stage.
QString stageWords(engine::SamplerStage stage);

/// One bar of a list of candidates, in words and shares of 1.
struct CandidateWords {
    engine::TokenId id = -1; ///< -1: the other tokens together
    QString piece; ///< as drawn
    QString raw;
    QString outcome; ///< "83 %", "✕ min-p"
    QString spoken; ///< "candidate 2, ‘ London’, raw 12 %, dropped by min-p"
    double rawShare = 0;
    app::Bounds finalShare;
    bool isChosen = false;
    bool isDropped = false;

    bool operator==(const CandidateWords&) const = default;
};

/// How tokens of a step are named.
struct PieceNames {
    std::function<QString(engine::TokenId)> drawn;
    std::function<QString(engine::TokenId)> quoted;
};
PieceNames pieceNames(const app::TokenTrack& track, int token);

/// In the order of the trace, and last the tokens that are not in it, when they have a share.
std::vector<CandidateWords> candidateWords(
    const app::StageTrace& trace, std::optional<engine::TokenId> chosen, const PieceNames& names);

/// What is shown of tokens found in a whole row.
struct RowWordsOptions {
    PieceNames names;
    engine::TokenId chosen = -1;
    bool isGreedy = false;
    bool hasStages = true; ///< false: nobody chose here, so there is nothing but raw scores
};
/// In the order of the tokens: "·on  #335", "rank 12 · 0.31 %", "✕ top-k".
std::vector<CandidateWords> rowWords(const std::vector<app::RowToken>& tokens, const RowWordsOptions& options);

/// What one of app::kTracedStages left: "keeps 4 of the 20 listed".
QString keptWords(const app::StageTrace& trace, size_t stage);
/// "After top-p: ‘ London’ 70 %, ‘ Paris’ 20 %, ..."
QString distributionWords(const app::StageTrace& trace, size_t stage, const PieceNames& names);

/// Where the draw fell: "The draw 0.431 fell on ‘ on’, which has 0.000 to 0.830."
QString drawWords(const app::StageTrace& trace, const PieceNames& names);

} // namespace ui
