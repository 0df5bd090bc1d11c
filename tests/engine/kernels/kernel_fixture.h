#pragma once

#include "engine/kernels/activations.h"
#include "engine/kernels/kernel_context.h"
#include "engine/kernels/weight_matrix.h"
#include "engine/kernels/weight_source.h"
#include "engine/reference/matrix.h"
#include "engine/reference/weight.h"
#include "engine/vulkan/recorder.h"
#include "tests/support/vulkan_fixture.h"

#include <functional>
#include <optional>
#include <random>

namespace tests {

/// A device with validation, and what the tests of one operation need of it: numbers up, one run,
/// numbers down. Failures abort the test program with the error's words: they are no results.
class KernelFixture {
public:
    bool open();
    QString close();
    const QString& problem() const { return m_vulkan.problem(); }

    engine::KernelContext& context() { return *m_context; }
    engine::vk::Device& device() { return m_vulkan.device(); }

    /// Zeros, but for what is put into it.
    engine::Activations activations(size_t rows, size_t columns);
    /// Matrix rows from the first; rows are rounded up to whole tiles of tokens, as the model does.
    engine::Activations upload(const engine::Matrix& values);
    /// The first rows, real columns only.
    engine::Matrix download(const engine::Activations& activations, size_t rows);
    /// Columns past the real ones of these rows that are not zero.
    size_t paddingFaults(const engine::Activations& activations, size_t rows);

    void run(const std::function<void(engine::vk::Recorder&)>& record);

private:
    VulkanFixture m_vulkan;
    std::optional<engine::KernelContext> m_context;
};

/// The value, or the end of the test program with the error's words.
template <typename T> T need(engine::Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return std::move(*result);
}
void need(const engine::Result<void>& result);

/// Uniform in [-1, 1).
engine::Matrix randomMatrix(size_t rows, size_t columns, std::mt19937& random);

/// Random quantBlocks whose numbers are of the size of real weights: every quant and every packed
/// scale is arbitrary, and the halves that scale a quantBlock are small and finite.
std::vector<std::byte> randomWeights(
    engine::TensorType type, size_t rows, size_t columns, std::mt19937& random);

/// One tensor in host memory: for the device and for the reference.
struct HostTensor {
    engine::TensorType type;
    size_t rows = 0;
    size_t columns = 0;
    std::vector<std::byte> bytes;

    static HostTensor random(
        engine::TensorType type, size_t rows, size_t columns, std::mt19937& random);
    engine::WeightPart part() const; ///< borrows this
    engine::Weight weight() const;
};

/// The tensors stacked, on the device. slabTiles: tiles of a slab, 0 = what the device allows.
engine::WeightMatrix deviceWeights(engine::vk::Device& device,
    const std::vector<const HostTensor*>& tensors, uint32_t slabTiles = 0);

/// The largest |a - b|; infinite when either has a number that is not finite.
float largestDifference(const engine::Matrix& a, const engine::Matrix& b);
float largestMagnitude(const engine::Matrix& a);
bool sameBits(std::span<const float> a, std::span<const float> b);

/// A test row for each tensor type that has a weight layout, in the column "type".
void addWeightTypeRows();

} // namespace tests
