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
    updateGeometry();
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

QStringList TokenLegend::wordsOf(const std::vector<double>& ticks) const
{
    QStringList words;
    for (const double tick : ticks)
        words.append(tokenMeasureInfo(m_measure).words(tick, unit()));
    return words;
}

QStringList TokenLegend::tickWords() const { return wordsOf(tokenMeasureInfo(m_measure).ticks); }

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
                ticks.back())
        + (info.promptTicks.empty()
                ? QString()
                : tr(" In the prompt, from the first to the last of these colours: %1.")
                      .arg(wordsOf(info.promptTicks).join(QStringLiteral(", ")))));
}

QSize TokenLegend::sizeHint() const
{
    const int unit = gridUnit(this);
    const int rows = tokenMeasureInfo(m_measure).promptTicks.empty() ? 1 : 2;
    return { unit * 30, unit * 2 + rows * fontMetrics().height() };
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
    paintWords(painter, info.ticks, 0);
    if (!info.promptTicks.empty())
        paintWords(painter, info.promptTicks, 1);
}

void TokenLegend::paintWords(QPainter& painter, const std::vector<double>& ticks, int row) const
{
    const QRectF bar = this->bar();
    const TokenMeasureInfo& info = tokenMeasureInfo(m_measure);
    qreal taken = -1;
    const int gap = gridUnit(this);
    QStringList words = wordsOf(ticks);
    if (row > 0)
        words.front().prepend(tr("prompt: "));
    const qreal baseline
        = bar.bottom() + gap / 2.0 + fontMetrics().ascent() + row * fontMetrics().height();
    for (qsizetype i = 0; i < words.size(); ++i) {
        const qreal share = std::clamp(info.share(ticks[size_t(i)]), 0.0, 1.0);
        const qreal width = fontMetrics().horizontalAdvance(words[i]);
        const qreal x = std::clamp(share * bar.width() - width / 2, 0.0, bar.width() - width);
        // The last one is always told: what has no room before it is left out.
        const qreal lastStart = bar.width() - fontMetrics().horizontalAdvance(words.last()) - gap;
        if ((taken >= 0 && x < taken + gap) || (i + 1 < words.size() && x + width > lastStart))
            continue;
        painter.drawText(QPointF(x, baseline), words[i]);
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
