#include "ui/chat/text_tints.h"

#include <algorithm>
#include <iterator>

namespace ui {

void TextTints::replaceFrom(size_t index, std::vector<TextTint> tints)
{
    m_tints.resize(std::min(index, m_tints.size()));
    std::move(tints.begin(), tints.end(), std::back_inserter(m_tints));
}

TintRange TextTints::touching(TextPlace from, TextPlace to) const
{
    const auto first = std::partition_point(
        m_tints.begin(), m_tints.end(), [&](const TextTint& tint) { return tint.end <= from; });
    const auto end = std::partition_point(
        first, m_tints.end(), [&](const TextTint& tint) { return tint.start < to; });
    return { size_t(first - m_tints.begin()), size_t(end - m_tints.begin()) };
}

int TextTints::at(TextPlace place) const
{
    const TintRange range = touching(place, { place.block, place.position + 1 });
    for (size_t i = range.first; i < range.end; ++i)
        if (m_tints[i].start <= place && place < m_tints[i].end)
            return int(i);
    return -1;
}

} // namespace ui
