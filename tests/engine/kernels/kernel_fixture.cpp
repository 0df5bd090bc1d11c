#include "tests/engine/kernels/kernel_fixture.h"

#include "engine/kernels/weight_packer.h"

#include "engine/base/half.h"
#include "engine/vulkan/submission.h"
#include "engine/vulkan/transfer.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace engine;

namespace tests {

namespace {
    size_t wholeTiles(size_t rows) { return (rows + 3) / 4 * 4; }

    std::vector<float> allFloats(vk::Device& device, const Activations& activations)
    {
        const auto bytes
            = need(vk::readBuffer(device, activations.buffer(), 0, activations.buffer().bytes()));
        std::vector<float> floats(bytes.size() / sizeof(float));
        std::memcpy(floats.data(), bytes.data(), bytes.size());
        return floats;
    }

    /// Where the halves that scale a quantBlock lie.
    std::vector<size_t> scaleOffsets(TensorType type)
    {
        switch (type) {
        case TensorType::Q4_1:
        case TensorType::Q4_K:
        case TensorType::Q5_K:
            return { 0, 2 };
        case TensorType::Q6_K:
            return { 208 };
        default:
            return { 0 };
        }
    }

    std::vector<std::byte> plainWeights(TensorType type, size_t count, std::mt19937& random)
    {
        std::uniform_real_distribution<float> uniform(-0.2f, 0.2f);
        const size_t size = tensorTypeInfo(type).bytesPerQuantBlock;
        std::vector<std::byte> bytes(count * size);
        for (size_t i = 0; i < count; ++i) {
            const float value = uniform(random);
            const uint16_t half = type == TensorType::F16
                ? floatToHalf(value)
                : uint16_t(std::bit_cast<uint32_t>(value) >> 16); // BF16, cut off
            std::memcpy(bytes.data() + i * size,
                type == TensorType::F32 ? static_cast<const void*>(&value) : &half, size);
        }
        return bytes;
    }
}

void need(const Result<void>& result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
}

bool KernelFixture::open()
{
    if (!m_vulkan.open())
        return false;
    m_context.emplace(m_vulkan.device(), nullptr);
    return true;
}

QString KernelFixture::close()
{
    m_context.reset();
    return m_vulkan.close();
}

Activations KernelFixture::activations(size_t rows, size_t columns)
{
    return need(Activations::create(
        device(), uint32_t(wholeTiles(rows)), uint32_t(columns), "test activations"));
}

Activations KernelFixture::upload(const Matrix& values)
{
    Activations result = activations(values.rows, values.columns);
    for (size_t row = 0; row < values.rows; ++row)
        need(vk::writeBuffer(device(), result.buffer(), row * result.stride() * sizeof(float),
            std::as_bytes(values.row(row))));
    return result;
}

Matrix KernelFixture::download(const Activations& activations, size_t rows)
{
    const std::vector<float> floats = allFloats(device(), activations);
    Matrix result(rows, activations.columns());
    for (size_t row = 0; row < rows; ++row)
        std::memcpy(result.row(row).data(), floats.data() + row * activations.stride(),
            result.columns * sizeof(float));
    return result;
}

size_t KernelFixture::paddingFaults(const Activations& activations, size_t rows)
{
    const std::vector<float> floats = allFloats(device(), activations);
    size_t faults = 0;
    for (size_t row = 0; row < rows; ++row)
        for (size_t column = activations.columns(); column < activations.stride(); ++column)
            faults += floats[row * activations.stride() + column] != 0.0f;
    return faults;
}

void KernelFixture::run(const std::function<void(vk::Recorder&)>& record)
{
    vk::Recorder recorder = need(vk::Recorder::create(device(), "test"));
    record(recorder);
    recorder.barrier();
    vk::Recording recording = need(recorder.finish());
    need(vk::runAndWait(device(), recording));
}

Matrix randomMatrix(size_t rows, size_t columns, std::mt19937& random)
{
    std::uniform_real_distribution<float> uniform(-1.0f, 1.0f);
    Matrix matrix(rows, columns);
    for (float& value : matrix.values)
        value = uniform(random);
    return matrix;
}

std::vector<std::byte> randomWeights(
    TensorType type, size_t rows, size_t columns, std::mt19937& random)
{
    const TensorTypeInfo& info = tensorTypeInfo(type);
    if (info.valuesPerQuantBlock == 1)
        return plainWeights(type, rows * columns, random);
    std::vector<std::byte> bytes(
        rows * columns / info.valuesPerQuantBlock * info.bytesPerQuantBlock);
    for (std::byte& byte : bytes)
        byte = std::byte(random());
    std::uniform_real_distribution<float> uniform(-2e-3f, 2e-3f);
    for (size_t block = 0; block < bytes.size(); block += info.bytesPerQuantBlock)
        for (const size_t offset : scaleOffsets(type)) {
            const uint16_t half = floatToHalf(uniform(random));
            std::memcpy(bytes.data() + block + offset, &half, sizeof half);
        }
    return bytes;
}

HostTensor HostTensor::random(TensorType type, size_t rows, size_t columns, std::mt19937& random)
{
    return { type, rows, columns, randomWeights(type, rows, columns, random) };
}

WeightPart HostTensor::part() const
{
    const size_t rowBytes = bytes.size() / rows;
    return { .rows = rows, .read = [this, rowBytes](uint64_t first, std::span<std::byte> out) {
                std::memcpy(out.data(), bytes.data() + first * rowBytes, out.size());
                return Result<void>();
            } };
}

Weight HostTensor::weight() const { return need(Weight::create(type, rows, columns, bytes)); }

WeightMatrix deviceWeights(
    vk::Device& device, const std::vector<const HostTensor*>& tensors, uint32_t slabTiles)
{
    WeightMatrixOptions options;
    options.type = tensors.front()->type;
    options.columns = tensors.front()->columns;
    options.purpose = "test weights";
    options.mostSlabTiles = slabTiles;
    std::vector<WeightPart> parts;
    for (const HostTensor* tensor : tensors) {
        parts.push_back(tensor->part());
        options.partRows.push_back(parts.back().rows);
    }
    WeightMatrix matrix = need(WeightMatrix::create(device, options));
    WeightPacker packer(device, vk::Uploader::kStagingBytes);
    need(packer.pack(matrix, parts, {}));
    need(packer.finish());
    return matrix;
}

float largestDifference(const Matrix& a, const Matrix& b)
{
    if (a.values.size() != b.values.size())
        return std::numeric_limits<float>::infinity();
    float largest = 0.0f;
    for (size_t i = 0; i < a.values.size(); ++i) {
        const float difference = std::abs(a.values[i] - b.values[i]);
        if (!std::isfinite(difference))
            return std::numeric_limits<float>::infinity();
        largest = std::max(largest, difference);
    }
    return largest;
}

float largestMagnitude(const Matrix& a)
{
    float largest = 0.0f;
    for (const float value : a.values)
        largest = std::max(largest, std::abs(value));
    return largest;
}

bool sameBits(std::span<const float> a, std::span<const float> b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

void addWeightTypeRows()
{
    QTest::addColumn<int>("type");
    for (const WeightLayout& layout : weightLayoutTable())
        QTest::newRow(layout.suffix) << int(layout.type);
}

} // namespace tests
