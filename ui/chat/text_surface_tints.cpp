#include "ui/chat/text_surface.h"

#include <algorithm>

namespace ui {

void TextSurface::setTints(size_t from, std::vector<TextTint> tints)
{
    m_tints.replaceFrom(from, std::move(tints));
    update();
}

void TextSurface::setTintMarks(int current, int pointedAt)
{
    if (current == m_currentTint && pointedAt == m_pointedTint)
        return;
    m_currentTint = current;
    m_pointedTint = pointedAt;
    update();
}

QRect TextSurface::tintRect(int index) const
{
    if (index < 0 || size_t(index) >= m_tints.count())
        return {};
    heightForWidth(width());
    const TextTint& tint = m_tints[size_t(index)];
    if (tint.start.block >= m_blocks.size())
        return {};
    QRectF all = m_blocks[tint.start.block].caretAt(tint.start.position);
    const int end = tint.end.block == tint.start.block ? tint.end.position : tint.start.position;
    for (const QRectF& rect : m_blocks[tint.start.block].rectsOf({ tint.start.position, end }))
        all |= rect;
    return all.translated(0, m_tops[tint.start.block]).toAlignedRect();
}

/// Those in view of one block, in positions of its text.
std::vector<BlockTint> TextSurface::tintsIn(size_t block, const QRectF& visible) const
{
    std::vector<BlockTint> shown;
    if (m_tints.count() == 0)
        return shown;
    const TextRange seen = m_blocks[block].rangeIn(visible);
    const TintRange range = m_tints.touching({ block, seen.start }, { block, seen.end });
    for (size_t i = range.first; i < range.end; ++i) {
        const TextTint& tint = m_tints[i];
        BlockTint here;
        here.range = { tint.start.block < block ? 0 : tint.start.position,
            tint.end.block > block ? seen.end : tint.end.position };
        here.colour = tint.colour;
        here.underline = tint.underline;
        here.mark = int(i) == m_currentTint ? TintMark::Current
            : int(i) == m_pointedTint       ? TintMark::PointedAt
                                            : TintMark::None;
        shown.push_back(here);
    }
    return shown;
}

int TextSurface::tintAt(const QPointF& point) const
{
    if (m_tints.count() == 0 || m_blocks.empty())
        return -1;
    const int tint = m_tints.at(placeAt(point));
    // Beside and between lines there is no text, though there is a nearest place.
    return tint >= 0 && tintRect(tint).adjusted(-2, -2, 2, 2).contains(point.toPoint()) ? tint : -1;
}

void TextSurface::pointAt(int tint)
{
    if (tint == m_toldTint)
        return;
    m_toldTint = tint;
    emit tintPointedAt(tint);
}

void TextSurface::leaveEvent(QEvent*) { pointAt(-1); }

} // namespace ui
