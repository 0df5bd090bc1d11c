#include "ui/inspect/token_legend.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

TokenLegend::TokenLegend(QWidget* parent)
    : QWidget(parent)
    , m_colours(palette())
    , m_theme(Theme::of(palette()))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    say();
}

void TokenLegend::setMeasure(TokenMeasure measure)
{
    m_measure = measure;
    m_colours = TokenColours(palette(), measure);
    say();
    update();
}

void TokenLegend::setUnit(ValueUnit unit)
{
    m_unit = unit;
    say();
    update();
}

ValueUnit TokenLegend::unit() const
{
    const std::vector<ValueUnit>& units = tokenMeasureInfo(m_measure).units;
    const bool isOne = units.empty() || std::ranges::find(units, m_unit) != units.end();
    return isOne ? m_unit : units.front();
}

QStringList TokenLegend::tickWords() const
{
    const TokenMeasureInfo& info = tokenMeasureInfo(m_measure);
    QStringList words;
    for (const double tick : info.ticks)
        words.append(info.words(tick, unit()));
    return words;
}

void TokenLegend::say()
{
    const TokenMeasureInfo& info = tokenMeasureInfo(m_measure);
    const QStringList ticks = tickWords();
    setAccessibleName(tr("Legend: %1").arg(measureWords(info.name)));
    setAccessibleDescription(
        tr("%1. %2 and no underline: %3, %4. %5 and a thick underline: %6, %7. A dotted "
           "underline: not known.")
            .arg(measureWords(info.meaning), info.isHighExpected ? tr("Blue") : tr("Yellow"),
                measureWords(info.low), ticks.front(),
                info.isHighExpected ? tr("Yellow") : tr("Blue"), measureWords(info.high),
                ticks.back()));
}

QSize TokenLegend::sizeHint() const
{
    const int unit = gridUnit(this);
    return { unit * 30, unit * 2 + fontMetrics().height() };
}

QSize TokenLegend::minimumSizeHint() const { return { gridUnit(this) * 16, sizeHint().height() }; }

QRectF TokenLegend::bar() const
{
    const int unit = gridUnit(this);
    return { 0, 0, qreal(width()), unit * 1.5 };
}

void TokenLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const QRectF bar = this->bar();
    const TokenMeasureInfo& info = tokenMeasureInfo(m_measure);
    for (int x = 0; x < int(bar.width()); ++x) {
        const double share = x / std::max(1.0, bar.width() - 1);
        painter.fillRect(QRectF(x, bar.top(), 1, bar.height()), m_colours.colour(share));
        const double height = share * TokenColours::kUnderlineHeight;
        painter.fillRect(QRectF(x, bar.bottom() - height, 1, height), m_theme.text);
    }
    painter.setPen(m_theme.mutedText);
    qreal taken = -1;
    const int gap = gridUnit(this);
    const QStringList words = tickWords();
    for (qsizetype i = 0; i < words.size(); ++i) {
        const qreal share = std::clamp(info.share(info.ticks[size_t(i)]), 0.0, 1.0);
        const qreal width = fontMetrics().horizontalAdvance(words[i]);
        const qreal x = std::clamp(share * bar.width() - width / 2, 0.0, bar.width() - width);
        // The last one is always told: what has no room before it is left out.
        const qreal lastStart = bar.width() - fontMetrics().horizontalAdvance(words.last()) - gap;
        if ((taken >= 0 && x < taken + gap) || (i + 1 < words.size() && x + width > lastStart))
            continue;
        painter.drawText(QPointF(x, bar.bottom() + gap / 2.0 + fontMetrics().ascent()), words[i]);
        taken = x + width;
    }
}

void TokenLegend::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange) {
        m_colours = TokenColours(palette(), m_measure);
        m_theme = Theme::of(palette());
    }
    if (event->type() == QEvent::FontChange)
        updateGeometry();
    QWidget::changeEvent(event);
}

} // namespace ui
