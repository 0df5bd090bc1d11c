#pragma once

#include <span>
#include <vector>

namespace ui {

/// The least and the greatest value in one column of pixels.
struct CurveColumn {
    float low = 0;
    float high = 0;
    bool isEmpty = true; ///< nothing was observed there

    bool operator==(const CurveColumn&) const = default;
};

/// Which column of pixels shows which tokens: all tokens side by side in a given width, one or
/// more columns each, or one or more in a column.
class CurveLayout {
public:
    CurveLayout() = default;
    CurveLayout(int tokenCount, int columnCount);

    int tokenCount() const { return m_tokenCount; }
    int columnCount() const { return m_columnCount; }
    /// The token in the middle of a column, within the tokens there are; -1 where there are none.
    int tokenAt(int column) const;
    /// The first column of a token.
    int columnOf(int token) const;
    /// values: [tokenCount], NaN where nothing was observed.
    std::vector<CurveColumn> columnsOf(std::span<const float> values) const;

private:
    int firstToken(int column) const;

    int m_tokenCount = 0;
    int m_columnCount = 0;
};

} // namespace ui
