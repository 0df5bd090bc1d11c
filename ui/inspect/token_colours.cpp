#include "ui/inspect/token_colours.h"

#include <algorithm>

namespace ui {

TokenTint TokenColours::tintOf(const app::TokenTrack& track, int token) const
{
    const TokenMeasureInfo& info = tokenMeasureInfo(m_measure);
    const auto value = info.value(track, token);
    if (!value)
        return {};
    return { std::clamp(info.share(*value), 0.0, 1.0) };
}

QColor TokenColours::colour(double share) const
{
    return m_scale.colour(tokenMeasureInfo(m_measure).isHighExpected ? share : 1 - share);
}

QColor TokenColours::colour(const TokenTint& tint) const
{
    return tint.share ? colour(*tint.share) : QColor();
}

double TokenColours::underlineHeight(const TokenTint& tint)
{
    return tint.share.value_or(0) * kUnderlineHeight;
}

} // namespace ui
