#include "ui/inspect/curve_layout.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace ui {

CurveLayout::CurveLayout(int tokenCount, int columnCount)
    : m_tokenCount(std::max(0, tokenCount))
    , m_columnCount(std::max(1, columnCount))
{
}

int CurveLayout::firstToken(int column) const
{
    return int(int64_t(column) * m_tokenCount / m_columnCount);
}

int CurveLayout::tokenAt(int column) const
{
    const int first = firstToken(std::clamp(column, 0, m_columnCount - 1));
    const int next = firstToken(std::clamp(column, 0, m_columnCount - 1) + 1);
    return std::min(m_tokenCount - 1, std::max(first, (first + next - 1) / 2));
}

int CurveLayout::columnOf(int token) const
{
    if (m_tokenCount == 0)
        return 0;
    const int64_t count = m_tokenCount;
    const int64_t known = std::clamp(token, 0, m_tokenCount - 1);
    if (m_tokenCount <= m_columnCount)
        return int((known * m_columnCount + count - 1) / count);
    return int(((known + 1) * m_columnCount + count - 1) / count) - 1;
}

std::vector<CurveColumn> CurveLayout::columnsOf(std::span<const float> values) const
{
    std::vector<CurveColumn> columns(size_t(m_columnCount), CurveColumn {});
    if (values.empty())
        return columns;
    for (int i = 0; i < m_columnCount; ++i) {
        const int first = firstToken(i);
        const int end = std::max(first + 1, firstToken(i + 1));
        CurveColumn& column = columns[size_t(i)];
        for (const float value : values.subspan(size_t(first), size_t(end - first))) {
            if (std::isnan(value))
                continue;
            column.low = column.isEmpty ? value : std::min(column.low, value);
            column.high = column.isEmpty ? value : std::max(column.high, value);
            column.isEmpty = false;
        }
    }
    return columns;
}

} // namespace ui
