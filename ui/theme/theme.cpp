#include "ui/theme/theme.h"

#include <QFontMetrics>
#include <QWidget>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {
    constexpr double kTextContrast = 4.5; // WCAG 2.1 AA

    double channelLuminance(double value)
    {
        return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
    }

    double luminance(const QColor& color)
    {
        return 0.2126 * channelLuminance(color.redF()) + 0.7152 * channelLuminance(color.greenF())
            + 0.0722 * channelLuminance(color.blueF());
    }

    QColor mix(const QColor& a, const QColor& b, double share)
    {
        return QColor::fromRgbF(float(a.redF() + (b.redF() - a.redF()) * share),
            float(a.greenF() + (b.greenF() - a.greenF()) * share),
            float(a.blueF() + (b.blueF() - a.blueF()) * share));
    }

    /// The colour, moved towards the text colour until it can be read on all these backgrounds.
    QColor readable(QColor color, const QColor& text, std::initializer_list<QColor> backgrounds)
    {
        for (int step = 0; step < 20; ++step) {
            const bool enough = std::all_of(backgrounds.begin(), backgrounds.end(),
                [&](const QColor& page) { return contrastRatio(color, page) >= kTextContrast; });
            if (enough)
                return color;
            color = mix(color, text, 0.12);
        }
        return text;
    }
}

double contrastRatio(const QColor& a, const QColor& b)
{
    const double first = luminance(a);
    const double second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

Theme Theme::of(const QPalette& palette)
{
    Theme theme;
    theme.page = palette.color(QPalette::Base);
    theme.text = palette.color(QPalette::Text);
    theme.isDark = luminance(theme.page) < luminance(theme.text);
    const auto tinted = [&](double share) { return mix(theme.page, theme.text, share); };
    theme.hairline = tinted(theme.isDark ? 0.18 : 0.14);
    theme.codeBlock = tinted(theme.isDark ? 0.06 : 0.04);
    theme.card = tinted(theme.isDark ? 0.05 : 0.03);
    const QColor blue = theme.isDark ? QColor(0x6c, 0xb0, 0xff) : QColor(0x1f, 0x6f, 0xd6);
    theme.softBlock = mix(theme.page, blue, theme.isDark ? 0.16 : 0.10);
    const auto legible = [&](const QColor& color) {
        return readable(color, theme.text,
            { theme.page, theme.codeBlock, theme.softBlock, palette.color(QPalette::Window) });
    };
    theme.mutedText = legible(tinted(0.60));
    theme.accent = legible(blue);
    theme.accentText = theme.isDark ? QColor(0x0b, 0x17, 0x26) : QColor(Qt::white);
    theme.good = legible(theme.isDark ? QColor(0x6f, 0xcf, 0x8f) : QColor(0x1d, 0x7a, 0x43));
    theme.caution = legible(theme.isDark ? QColor(0xe6, 0xb4, 0x50) : QColor(0x9a, 0x60, 0x00));
    theme.danger = legible(theme.isDark ? QColor(0xff, 0x8a, 0x80) : QColor(0xb4, 0x2a, 0x2a));
    theme.selection = palette.color(QPalette::Highlight);
    theme.selectedText = palette.color(QPalette::HighlightedText);
    return theme;
}

QColor Theme::tone(Tone tone) const
{
    switch (tone) {
    case Tone::Accent:
        return accent;
    case Tone::Good:
        return good;
    case Tone::Caution:
        return caution;
    case Tone::Danger:
        return danger;
    case Tone::Neutral:
        break;
    }
    return mutedText;
}

int gridUnit(const QWidget* widget)
{
    return std::max(4, int(std::lround(widget->fontMetrics().height() * 0.5)));
}

QPalette paletteFor(Appearance appearance, const QPalette& systemPalette)
{
    if (appearance == Appearance::System)
        return systemPalette;
    const bool dark = appearance == Appearance::Dark;
    const QColor window = dark ? QColor(0x2a, 0x2c, 0x31) : QColor(0xf4, 0xf4, 0xf2);
    const QColor base = dark ? QColor(0x1b, 0x1d, 0x20) : QColor(0xff, 0xff, 0xff);
    const QColor text = dark ? QColor(0xe4, 0xe6, 0xe9) : QColor(0x1e, 0x20, 0x24);
    const QColor button = dark ? QColor(0x38, 0x3b, 0x41) : QColor(0xec, 0xec, 0xea);
    const QColor highlight = dark ? QColor(0x2f, 0x5f, 0x9e) : QColor(0x1f, 0x6f, 0xd6);
    QPalette palette(button, window);
    palette.setColor(QPalette::Base, base);
    palette.setColor(QPalette::AlternateBase, mix(base, text, 0.04));
    for (const auto role :
        { QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText })
        palette.setColor(role, text);
    palette.setColor(QPalette::ToolTipBase, button);
    palette.setColor(QPalette::PlaceholderText, mix(base, text, 0.62));
    palette.setColor(QPalette::Highlight, highlight);
    palette.setColor(QPalette::HighlightedText, Qt::white);
    palette.setColor(QPalette::Link, dark ? QColor(0x6c, 0xb0, 0xff) : highlight);
    for (const auto role : { QPalette::WindowText, QPalette::Text, QPalette::ButtonText })
        palette.setColor(QPalette::Disabled, role, mix(window, text, 0.45));
    return palette;
}

} // namespace ui
