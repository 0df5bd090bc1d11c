#pragma once

#include "engine/kernels/weight_matrix.h"
#include "engine/kernels/weight_source.h"
#include "engine/vulkan/uploader.h"

#include <span>
#include <vector>

namespace engine {

/// Packs rows of a file into matrices on the host, in pieces: straight into mapped memory, else through
/// staging buffers. What the software device has instead of RepackWeights. The thread that submits.
/// Errors: those of the reader; Cancelled when progress says so.
class WeightPacker {
public:
    /// stagingBytes: of each of two staging buffers, made only where weights are not mapped.
    WeightPacker(vk::Device& device, uint64_t stagingBytes)
        : m_uploader(device, stagingBytes)
    {
    }

    /// parts: as many as the matrix was made for.
    Result<void> pack(
        const WeightMatrix& matrix, std::span<const WeightPart> parts, const PieceProgress& progress);
    /// Waits until everything has arrived. Before a matrix goes, whatever happened.
    Result<void> finish() { return m_uploader.finish(); }

private:
    struct Piece { ///< rows of a part in host memory
        const WeightPart& part;
        uint64_t rowBytes = 0;
        uint64_t rowCount = 0;
        uint32_t firstTile = 0; ///< of the matrix
    };
    Result<void> packPart(const WeightMatrix& matrix, const WeightPart& part, uint32_t firstTile,
        const PieceProgress& progress);
    Result<void> packTileOf(const WeightMatrix& matrix, const Piece& piece, uint32_t tile);

    vk::Uploader m_uploader;
    std::vector<std::byte> m_raw;
    std::vector<std::byte> m_packed; ///< of a tile whose memory is not mapped
};

} // namespace engine
