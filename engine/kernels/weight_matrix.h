#pragma once

#include "engine/kernels/kernel_context.h"
#include "engine/kernels/weight_layout.h"
#include "engine/vulkan/binding_set.h"
#include "engine/vulkan/uploader.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// Reads raw rows of a tensor, as the file has them: rows [firstRow, firstRow + n) into bytes.
using RowReader = std::function<Result<void>(uint64_t firstRow, std::span<std::byte> bytes)>;

/// One tensor among those stacked into a matrix. Its rows are padded to whole tiles with zeros.
struct WeightPart {
    uint64_t rows = 0;
    RowReader read;
    /// Rows of this many are reordered from interleaved to split halves for RoPE: row 2i goes to i,
    /// row 2i + 1 to half + i. 0: kept in order.
    uint32_t interleavedHeadDim = 0;
};

struct WeightMatrixOptions {
    TensorType type = TensorType::F32;
    uint64_t columns = 0;
    std::vector<WeightPart> parts;
    std::string purpose; ///< the tensor's name, for errors
    uint32_t mostSlabTiles = 0; ///< of a slab, for tests; 0: as many as the device takes
    vk::Uploader* uploader = nullptr; ///< shared by the matrices of a model; null: one of its own
    /// Called after each piece with the bytes of the file that were read; returns false to stop.
    std::function<bool(uint64_t bytes)> progress;
};

/// A weight matrix on the device, [rows, columns] of one tensor type, packed as weight_layout.h
/// says and cut by rows into slabs where a texel view or an allocation would grow too large.
/// Errors: OutOfMemory and Io naming the tensor, Cancelled when progress says so.
class WeightMatrix {
public:
    static Result<WeightMatrix> create(vk::Device& device, const WeightMatrixOptions& options);

    /// A run of whole tiles in one buffer.
    struct Slab {
        uint32_t firstRow = 0;
        uint32_t rowCount = 0; ///< padded
        vk::Buffer buffer;
        std::vector<vk::TexelView> views; ///< of the planes this type has

        /// Bindings 0 to 3 of every shader that includes weights.glsl.
        std::vector<vk::BoundResource> bindings(const WeightLayout& layout) const;
    };

    TensorType type() const { return m_layout->type; }
    const WeightLayout& layout() const { return *m_layout; }
    uint32_t groupCount() const { return m_groupCount; } ///< columns / 64
    uint32_t paddedRows() const { return m_paddedRows; }
    /// First row of part i in the padded matrix.
    uint32_t partOffset(size_t part) const { return m_partOffsets[part]; }
    const std::vector<Slab>& slabs() const { return m_slabs; }
    uint64_t deviceBytes() const { return m_deviceBytes; }

private:
    WeightMatrix() = default;

    const WeightLayout* m_layout = nullptr;
    uint32_t m_groupCount = 0;
    uint32_t m_paddedRows = 0;
    uint64_t m_deviceBytes = 0;
    std::vector<uint32_t> m_partOffsets;
    std::vector<Slab> m_slabs;
};

} // namespace engine
