#pragma once

#include "ui/inspect/token_measure.h"
#include "ui/theme/value_scale.h"

namespace ui {

/// How one token is tinted. The same value is told twice: by colour and by height.
struct TokenTint {
    std::optional<double> share; ///< none: not observed; no tint and a dotted underline

    bool operator==(const TokenTint&) const = default;
};

/// Tints of tokens by one measure, in the colours of a palette.
class TokenColours {
public:
    static constexpr double kUnderlineHeight = 3; // logical pixels, for a share of 1

    explicit TokenColours(const QPalette& palette, TokenMeasure measure = TokenMeasure::Probability)
        : m_scale(ValueScale::of(palette))
        , m_measure(measure)
    {
    }

    TokenMeasure measure() const { return m_measure; }
    TokenTint tintOf(const app::TokenTrack& track, int token) const;
    /// Of a value's share of its scale.
    QColor colour(double share) const;
    /// Invalid where there is no tint.
    QColor colour(const TokenTint& tint) const;
    /// 0 ... kUnderlineHeight; 0 where there is no tint.
    static double underlineHeight(const TokenTint& tint);

private:
    ValueScale m_scale;
    TokenMeasure m_measure;
};

} // namespace ui
