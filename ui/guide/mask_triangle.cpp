#include "ui/guide/mask_triangle.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace ui {

namespace {
    constexpr int kShownUnits = 24; // a longer input shows its last positions
}

MaskTriangle::MaskTriangle(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::TabFocus);
}

void MaskTriangle::setPass(const QStringList& units, int firstComputed)
{
    m_units = units.mid(std::max(0, int(units.size()) - kShownUnits));
    m_firstComputed = firstComputed - std::max(0, int(units.size()) - kShownUnits);
    const int last = int(units.size()) - 1;
    setAccessibleName(units.isEmpty() ? tr("Causal mask: no pass yet")
                                      : tr("Causal mask: each of %1 positions sees itself and those before it. "
                                           "This pass computes positions %2 to %3. The scores for the next word come from "
                                           "position %3.")
                                            .arg(units.size())
                                            .arg(firstComputed)
                                            .arg(last));
    setToolTip(accessibleName().toHtmlEscaped());
    updateGeometry();
    update();
}

int MaskTriangle::cellSize() const { return gridUnit(this) * 2; }

int MaskTriangle::nameWidth() const
{
    int width = 0;
    for (const QString& unit : m_units)
        width = std::max(width, fontMetrics().horizontalAdvance(unit.trimmed()));
    return width + gridUnit(this);
}

QSize MaskTriangle::sizeHint() const
{
    const int count = std::max(3, int(m_units.size()));
    const QString mark = tr("← scores for the next word");
    return { nameWidth() + count * cellSize() + fontMetrics().horizontalAdvance(mark) + 2 * gridUnit(this),
        count * cellSize() + gridUnit(this) };
}

void MaskTriangle::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    const int cell = cellSize();
    const int left = nameWidth();
    for (int row = 0; row < m_units.size(); ++row) {
        const bool isComputed = row >= m_firstComputed;
        const bool isLast = row == m_units.size() - 1;
        const QRect name(0, row * cell, left - gridUnit(this) / 2, cell);
        painter.setPen(isComputed ? theme.text : theme.mutedText);
        painter.drawText(name, Qt::AlignRight | Qt::AlignVCenter, m_units[row].trimmed());
        for (int column = 0; column <= row; ++column) {
            const QRect box = QRect(left + column * cell, row * cell, cell, cell).adjusted(1, 1, -1, -1);
            painter.fillRect(box, isComputed ? theme.accent : theme.softBlock);
            painter.setPen(isComputed ? theme.accent : theme.hairline);
            painter.drawRect(box.adjusted(0, 0, -1, -1));
        }
        if (isLast) {
            painter.setPen(theme.text);
            painter.drawText(QRect(left + (row + 1) * cell + gridUnit(this) / 2, row * cell, width(), cell),
                Qt::AlignLeft | Qt::AlignVCenter, tr("← scores for the next word"));
        }
    }
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace ui
