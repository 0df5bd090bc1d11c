#include "engine/reference/weight.h"

#include "engine/reference/dequantize.h"

#include <cassert>

namespace engine {

namespace {
    constexpr size_t kLanes = 16;

    float dot(std::span<const float> a, std::span<const float> b)
    {
        float lanes[kLanes] = {};
        size_t k = 0;
        for (; k + kLanes <= a.size(); k += kLanes)
            for (size_t lane = 0; lane < kLanes; ++lane)
                lanes[lane] += a.data()[k + lane] * b.data()[k + lane];
        float sum = 0.0f;
        for (; k < a.size(); ++k)
            sum += a[k] * b[k];
        for (const float lane : lanes)
            sum += lane;
        return sum;
    }
}

Result<Weight> Weight::create(const GgufFile& file, const TensorInfo& tensor)
{
    std::vector<std::byte> bytes(tensor.bytes);
    TRY(file.read(tensor.fileOffset, bytes));
    return create(tensor.type, tensor.rows(), tensor.columns(), std::move(bytes));
}

Result<Weight> Weight::create(
    TensorType type, size_t rows, size_t columns, std::vector<std::byte> bytes)
{
    const TensorTypeInfo& info = tensorTypeInfo(type);
    if (!info.runnable)
        return Error::unsupported(std::string("tensor type ") + info.name + " cannot be run");
    const uint64_t dimensions[] = { columns, rows };
    TRY_ASSIGN(const uint64_t expected, tensorBytes(type, dimensions));
    if (rows == 0 || bytes.size() != expected)
        return Error::badRequest(
            std::to_string(bytes.size()) + " bytes for a weight of " + std::to_string(expected));
    Weight weight;
    weight.m_type = type;
    weight.m_rows = rows;
    weight.m_columns = columns;
    weight.m_rowBytes = bytes.size() / rows;
    weight.m_bytes = std::move(bytes);
    return weight;
}

void Weight::readRow(size_t row, std::span<float> values) const
{
    const auto bytes = std::span(m_bytes).subspan(row * m_rowBytes, m_rowBytes);
    [[maybe_unused]] const auto read = dequantize(m_type, bytes, values);
    assert(read); // type and sizes were checked by create
}

Result<std::vector<float>> readVector(const GgufFile& file, const TensorInfo& tensor)
{
    TRY_ASSIGN(const Weight weight, Weight::create(file, tensor));
    std::vector<float> values(weight.columns());
    weight.readRow(0, values);
    return values;
}

Matrix matmul(const Weight& weight, const Matrix& x)
{
    assert(x.columns == weight.columns());
    Matrix y(x.rows, weight.rows());
    std::vector<float> weightRow(weight.columns());
    for (size_t r = 0; r < weight.rows(); ++r) {
        weight.readRow(r, weightRow);
        for (size_t t = 0; t < x.rows; ++t)
            y.row(t)[r] = dot(x.row(t), weightRow);
    }
    return y;
}

} // namespace engine
