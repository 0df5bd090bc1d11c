#include "ui/inspect/origin_legend.h"

#include "ui/inspect/token_colours.h"
#include "ui/theme/theme.h"

#include <QPainter>

#include <algorithm>

namespace ui {

OriginLegend::OriginLegend(QWidget* parent)
    : QWidget(parent)
{
    setAccessibleName(tr("Whose words the prompt is"));
    setVisible(false);
}

void OriginLegend::setPrompt(const app::PromptView& view)
{
    std::vector<app::PromptOrigin> origins;
    QStringList names;
    for (int i = int(app::PromptOrigin::Template); i < app::kPromptOriginCount; ++i)
        if (std::ranges::find(view.spans, app::PromptOrigin(i), &app::PromptSpan::origin)
            != view.spans.end()) {
            origins.push_back(app::PromptOrigin(i));
            names.append(originWords(app::PromptOrigin(i)));
        }
    setVisible(!origins.empty());
    if (origins == m_origins)
        return;
    m_origins = std::move(origins);
    setAccessibleDescription(names.join(QStringLiteral(", ")));
    setToolTip(tr("Tints: %1").arg(names.join(QStringLiteral(", "))).toHtmlEscaped());
    updateGeometry();
    fitHeight();
    update();
}

std::vector<QRect> OriginLegend::places(int width, int* height) const
{
    const int unit = gridUnit(this);
    const int line = fontMetrics().height() + unit / 2;
    std::vector<QRect> found;
    QPoint at(0, 0);
    for (const app::PromptOrigin origin : m_origins) {
        const int wanted = 3 * unit + fontMetrics().horizontalAdvance(originWords(origin));
        if (at.x() > 0 && at.x() + wanted > width)
            at = QPoint(0, at.y() + line);
        found.emplace_back(at, QSize(wanted, fontMetrics().height()));
        at.rx() += wanted + 2 * unit;
    }
    if (height)
        *height = m_origins.empty() ? 0 : at.y() + line;
    return found;
}

int OriginLegend::heightForWidth(int width) const
{
    int height = 0;
    places(width, &height);
    return height;
}

QSize OriginLegend::sizeHint() const { return { gridUnit(this) * 30, heightForWidth(width()) }; }

void OriginLegend::fitHeight() { setFixedHeight(std::max(1, heightForWidth(width()))); }

void OriginLegend::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    fitHeight();
}

void OriginLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    const TokenColours colours(palette(), TokenMeasure::Source);
    const int unit = gridUnit(this);
    const std::vector<QRect> all = places(width(), nullptr);
    for (size_t i = 0; i < all.size(); ++i) {
        const QRect swatch(all[i].left(), all[i].top() + all[i].height() / 4, 2 * unit, all[i].height() / 2);
        painter.fillRect(swatch, colours.colour(*originShare(m_origins[i])));
        painter.setPen(theme.hairline);
        painter.drawRect(swatch.adjusted(0, 0, -1, -1));
        painter.setPen(theme.mutedText);
        painter.drawText(QPoint(all[i].left() + 3 * unit, all[i].top() + fontMetrics().ascent()),
            originWords(m_origins[i]));
    }
}

} // namespace ui
