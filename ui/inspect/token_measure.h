#pragma once

#include "app/inspection/token_track.h"

#include <QCoreApplication>
#include <QString>

#include <optional>
#include <vector>

namespace ui {

/// What of a token a tint stands for.
enum class TokenMeasure { Probability, Surprisal, Entropy, Rank, EndProbability, Time, Source };

/// What numbers of a measure are told in.
enum class ValueUnit { Percent, Nats, Bits };

/// One row for each measure; a new one is a new row.
struct TokenMeasureInfo {
    TokenMeasure measure;
    const char* key; ///< in the settings file
    const char* name; ///< to be translated, as all words here
    const char* meaning; ///< what it says, for a tooltip and a description
    const char* low; ///< what the low end stands for
    const char* high; ///< what the high end stands for
    /// Yellow is what was to be expected, blue what is worth a look.
    bool isHighExpected;
    std::vector<ValueUnit> units; ///< that it can be told in, best first; empty: it has none
    /// In its own unit (a share of 1, nats, a rank, ms); none where it was not observed.
    std::optional<double> (*value)(const app::TokenTrack& track, int token);
    /// 0 ... 1: how far along the scale a value stands.
    double (*share)(double value);
    QString (*words)(double value, ValueUnit unit);
    std::vector<double> ticks; ///< values that a legend names
    std::vector<double> promptTicks {}; ///< those of prompt tokens, where they mean others
};

const std::vector<TokenMeasureInfo>& tokenMeasures();
const TokenMeasureInfo& tokenMeasureInfo(TokenMeasure measure);
/// tr() of a text of the table.
QString measureWords(const char* text);

/// "82 %", "0.3 %", "under 0.01 %".
QString percentWords(double probability);
/// How far along the scale of TokenMeasure::Source words of this origin stand; none where it is
/// not known.
std::optional<double> originShare(app::PromptOrigin origin);
/// "template", "system text", ...
QString originWords(app::PromptOrigin origin);
/// "sampled", "typed", ...
QString sourceWords(engine::TokenSource source);
QString unitWords(ValueUnit unit);

} // namespace ui
