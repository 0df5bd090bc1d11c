#pragma once

#include "engine/kernels/kernel_context.h"
#include "engine/kernels/weight_layout.h"
#include "engine/vulkan/binding_set.h"

#include <array>
#include <string>
#include <vector>

namespace engine {

struct WeightMatrixOptions {
    TensorType type = TensorType::F32;
    uint64_t columns = 0;
    std::vector<uint64_t>
        partRows; ///< of each tensor that is stacked; padded to whole tiles with zeros
    std::string purpose; ///< the tensor's name, for errors
    uint32_t mostSlabTiles = 0; ///< of a slab, for tests; 0: as many as the device takes
};

/// A weight matrix on the device, [rows, columns] of one tensor type, packed as weight_layout.h
/// says and cut by rows into slabs where a texel view or an allocation would grow too large. Made
/// empty; WeightPacker or RepackWeights fills it. Errors: OutOfMemory and Unsupported naming the
/// tensor.
class WeightMatrix {
public:
    static Result<WeightMatrix> create(vk::Device& device, const WeightMatrixOptions& options);

    /// A run of whole tiles in one buffer.
    struct Slab {
        uint32_t firstRow = 0;
        uint32_t rowCount = 0; ///< padded
        vk::Buffer buffer;
        std::array<uint64_t, kWeightPlaneCount> planeOffsets {}; ///< bytes
        std::vector<vk::TexelView> views; ///< of the planes this type has

        /// Bindings 0 to 3 of every shader that includes weights.glsl.
        std::vector<vk::BoundResource> bindings(const WeightLayout& layout) const;
    };

    /// Where the planes of a tile lie.
    struct TilePlace {
        const Slab* slab = nullptr;
        std::array<uint64_t, kWeightPlaneCount> offsets {}; ///< bytes of the slab's buffer
    };
    TilePlace placeOf(uint32_t tile) const;

    TensorType type() const { return layout().type; }
    const WeightLayout& layout() const { return *m_shape.layout; }
    const PackedShape& shape() const { return m_shape; }
    /// Bytes of a row as the file has it.
    Result<uint64_t> rawRowBytes() const;
    uint32_t groupCount() const { return m_shape.groups(); } ///< columns / 64
    uint32_t paddedRows() const { return uint32_t(m_shape.rows); }
    size_t partCount() const { return m_partOffsets.size(); }
    /// First row of part i in the padded matrix.
    uint32_t partOffset(size_t part) const { return m_partOffsets[part]; }
    const std::vector<Slab>& slabs() const { return m_slabs; }
    uint64_t deviceBytes() const { return m_deviceBytes; }

private:
    explicit WeightMatrix(const PackedShape& shape)
        : m_shape(shape)
    {
    }

    PackedShape m_shape; ///< its rows are padded
    uint32_t m_slabTiles = 0; ///< of each slab but perhaps the last
    uint64_t m_deviceBytes = 0;
    std::vector<uint32_t> m_partOffsets;
    std::vector<Slab> m_slabs;
};

} // namespace engine
