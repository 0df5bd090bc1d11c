#include "ui/theme/value_scale.h"

#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    struct Lab {
        double lightness;
        double a; ///< green to red
        double b; ///< blue to yellow
    };

    // The straight line between the ends stays inside sRGB.
    constexpr Lab kLightEnds[] = { { 68, -1, -30 }, { 93, -4, 34 } };
    constexpr Lab kDarkEnds[] = { { 19, 2, -27 }, { 43, -1, 36 } };
    constexpr double kTextContrast = 4.5; // WCAG 2.1 AA

    Lab between(const Lab& from, const Lab& to, double share)
    {
        return { from.lightness + (to.lightness - from.lightness) * share,
            from.a + (to.a - from.a) * share, from.b + (to.b - from.b) * share };
    }

    double fromLabCurve(double value)
    {
        constexpr double kKnee = 6.0 / 29;
        return value > kKnee ? value * value * value : 3 * kKnee * kKnee * (value - 4.0 / 29);
    }

    float channel(double linear)
    {
        const double curved
            = linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
        return float(std::clamp(curved, 0.0, 1.0));
    }

    /// CIE 1976 with the D65 white of sRGB (IEC 61966-2-1).
    QColor toColour(const Lab& lab)
    {
        const double fy = (lab.lightness + 16) / 116;
        const double x = 0.95047 * fromLabCurve(fy + lab.a / 500);
        const double y = fromLabCurve(fy);
        const double z = 1.08883 * fromLabCurve(fy - lab.b / 200);
        return QColor::fromRgbF(channel(3.2404542 * x - 1.5371385 * y - 0.4985314 * z),
            channel(-0.9692660 * x + 1.8760108 * y + 0.0415560 * z),
            channel(0.0556434 * x - 0.2040259 * y + 1.0572252 * z));
    }

    QColor mix(const QColor& a, const QColor& b, double share)
    {
        return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
            float(a.greenF() + (b.greenF() - a.greenF()) * share),
            float(a.blueF() + (b.blueF() - a.blueF()) * share));
    }
}

ValueScale ValueScale::of(const QPalette& palette)
{
    const Theme theme = Theme::of(palette);
    const Lab* ends = theme.isDark ? kDarkEnds : kLightEnds;
    ValueScale scale;
    for (int step = 0; step < kStepCount; ++step) {
        QColor colour = toColour(between(ends[0], ends[1], double(step) / (kStepCount - 1)));
        // A person's own palette may have text of any colour: then the tint gives way.
        for (int i = 0; i < 20 && contrastRatio(colour, theme.text) < kTextContrast; ++i)
            colour = mix(colour, theme.page, 0.15);
        scale.m_steps[size_t(step)] = colour;
    }
    return scale;
}

QColor ValueScale::colour(double share) const
{
    return m_steps[size_t(std::lround(std::clamp(share, 0.0, 1.0) * (kStepCount - 1)))];
}

} // namespace ui
