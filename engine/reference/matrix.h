#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace engine {

/// Numbers in rows, row-major: [rows, columns] f32. A row is what belongs to one token.
struct Matrix {
    Matrix() = default;
    Matrix(size_t rowCount, size_t columnCount)
        : rows(rowCount)
        , columns(columnCount)
        , values(rowCount * columnCount)
    {
    }

    std::span<float> row(size_t index)
    {
        return std::span(values).subspan(index * columns, columns);
    }
    std::span<const float> row(size_t index) const
    {
        return std::span(values).subspan(index * columns, columns);
    }

    size_t rows = 0;
    size_t columns = 0;
    std::vector<float> values;
};

} // namespace engine
