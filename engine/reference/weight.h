#pragma once

#include "engine/base/result.h"
#include "engine/gguf/gguf_file.h"
#include "engine/reference/matrix.h"

#include <cstddef>
#include <vector>

namespace engine {

/// A weight matrix as the file stores it, [rows, columns]; rows become floats when they are used.
class Weight {
public:
    /// Errors: Unsupported for a type that does not run; Io.
    static Result<Weight> create(const GgufFile& file, const TensorInfo& tensor);
    /// For tests: bytes hold rows * columns values of this type.
    static Result<Weight> create(
        TensorType type, size_t rows, size_t columns, std::vector<std::byte> bytes);

    size_t rows() const { return m_rows; }
    size_t columns() const { return m_columns; }
    /// values: [columns].
    void readRow(size_t row, std::span<float> values) const;

private:
    Weight() = default;

    TensorType m_type = TensorType::F32;
    size_t m_rows = 0;
    size_t m_columns = 0;
    size_t m_rowBytes = 0;
    std::vector<std::byte> m_bytes;
};

/// A tensor of one dimension (a norm, a bias), as floats.
Result<std::vector<float>> readVector(const GgufFile& file, const TensorInfo& tensor);

/// y = x W^T: y[t, r] = sum over k of x[t, k] * W[r, k]. x: [tokens, columns]; result: [tokens,
/// rows]. Sums in f32, sixteen at a time in a fixed order.
Matrix matmul(const Weight& weight, const Matrix& x);

} // namespace engine
