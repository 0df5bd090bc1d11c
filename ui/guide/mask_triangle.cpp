#include "ui/guide/mask_triangle.h"

#include "ui/theme/theme.h"

#include <QPainter>

namespace ui {

namespace {
    constexpr int kShownUnits = 24; // a longer input shows its last positions
    constexpr int kWidestName = 28; // in units of the grid
}

MaskTriangle::MaskTriangle(QWidget* parent)
    : QWidget(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setPass({}, 0, 0);
}

void MaskTriangle::setPass(const QStringList& units, int firstComputed, int promptCount)
{
    const int last = int(units.size()) - 1;
    const int first = promptCount - 1; // the source of the first scores
    m_hiddenCount = std::max(0, int(units.size()) - kShownUnits);
    m_rows.clear();
    for (int position = m_hiddenCount; position <= last; ++position) {
        const QString name = units[position].trimmed();
        m_rows.push_back({ name.isEmpty() ? QStringLiteral("␣") : name, position >= firstComputed,
            position == first      ? tr("← last of the prompt: source of the first scores")
                : position == last ? tr("← source of the next scores")
                                   : QString() });
    }
    if (units.isEmpty()) {
        setAccessibleName(tr("Causal mask: no pass yet"));
    } else {
        QString words = tr("Causal mask: each of %1 positions sees itself and those before it. ")
                            .arg(units.size());
        words += firstComputed == last
            ? tr("This pass computes position %1, counted from 0. ").arg(last)
            : tr("This pass computes positions %1 to %2, counted from 0. ")
                  .arg(firstComputed)
                  .arg(last);
        words += tr("The scores for the next word come from position %1. ").arg(last);
        words += tr("The first scores came from position %1, the last of the prompt.").arg(first);
        setAccessibleName(words);
    }
    setToolTip(accessibleName().toHtmlEscaped());
    updateGeometry();
    update();
}

int MaskTriangle::cellSize() const { return fontMetrics().height() + 1; }

int MaskTriangle::nameWidth() const
{
    int width = 0;
    for (const MaskRow& row : m_rows)
        width = std::max(width, fontMetrics().horizontalAdvance(row.name));
    return std::min(width, gridUnit(this) * kWidestName) + gridUnit(this);
}

int MaskTriangle::top() const { return m_hiddenCount > 0 ? cellSize() : 0; }

QString MaskTriangle::hiddenWords() const
{
    return m_hiddenCount == 1 ? tr("1 earlier position is not drawn")
                              : tr("%1 earlier positions are not drawn").arg(m_hiddenCount);
}

QRect MaskTriangle::cellRect(int row, int column) const
{
    const int cell = cellSize();
    return QRect(nameWidth() + column * cell, top() + row * cell, cell, cell)
        .adjusted(1, 1, -1, -1);
}

QSize MaskTriangle::sizeHint() const
{
    const int unit = gridUnit(this);
    int width = fontMetrics().horizontalAdvance(hiddenWords());
    for (int row = 0; row < int(m_rows.size()); ++row)
        width = std::max(width,
            cellRect(row, row).right() + 2 * unit
                + fontMetrics().horizontalAdvance(m_rows[size_t(row)].mark));
    const int rowCount = std::max(3, int(m_rows.size()));
    return { width + 2 * unit, top() + (rowCount + 1) * cellSize() + unit };
}

void MaskTriangle::paintCell(QPainter& painter, const QRect& cell, bool isComputed) const
{
    const Theme theme = Theme::of(palette());
    painter.setPen(isComputed ? theme.accent : theme.mutedText);
    painter.setBrush(isComputed ? QBrush(theme.accent) : Qt::NoBrush);
    painter.drawRect(cell.adjusted(0, 0, -1, -1));
}

void MaskTriangle::paintRow(QPainter& painter, int row) const
{
    const Theme theme = Theme::of(palette());
    const MaskRow& shown = m_rows[size_t(row)];
    const QRect first = cellRect(row, 0);
    const QRect last = cellRect(row, row);
    const int gap = gridUnit(this);
    painter.setPen(shown.isComputed ? theme.text : theme.mutedText);
    const QRect name(0, first.top() - 1, first.left() - gap / 2, first.height() + 2);
    painter.drawText(name, Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine,
        fontMetrics().elidedText(shown.name, Qt::ElideMiddle, name.width()));
    painter.setPen(theme.text);
    painter.drawText(QRect(last.right() + gap, last.top() - 1, width(), last.height() + 2),
        Qt::AlignLeft | Qt::AlignVCenter, shown.mark);
    for (int column = 0; column <= row; ++column)
        paintCell(painter, cellRect(row, column), shown.isComputed);
}

void MaskTriangle::paintLegend(QPainter& painter) const
{
    const Theme theme = Theme::of(palette());
    QRect cell = cellRect(int(m_rows.size()), 0).translated(0, gridUnit(this) / 2);
    cell.moveLeft(1);
    for (const bool isComputed : { true, false }) {
        paintCell(painter, cell, isComputed);
        const QString words = isComputed ? tr("computed in this pass") : tr("read from the cache");
        painter.setPen(theme.mutedText);
        const QRect room(cell.right() + gridUnit(this), cell.top() - 1, width(), cell.height() + 2);
        painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, words);
        cell.moveLeft(room.left() + fontMetrics().horizontalAdvance(words) + 2 * gridUnit(this));
    }
}

void MaskTriangle::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme theme = Theme::of(palette());
    if (m_hiddenCount > 0) {
        painter.setPen(theme.mutedText);
        painter.drawText(
            QRect(0, 0, width(), top()), Qt::AlignLeft | Qt::AlignVCenter, hiddenWords());
    }
    for (int row = 0; row < int(m_rows.size()); ++row)
        paintRow(painter, row);
    if (!m_rows.empty())
        paintLegend(painter);
    if (hasFocus()) {
        painter.setPen(theme.accent);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

} // namespace ui
