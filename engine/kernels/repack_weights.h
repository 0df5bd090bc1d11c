#pragma once

#include "engine/kernels/kernel_context.h"
#include "engine/kernels/weight_matrix.h"
#include "engine/kernels/weight_source.h"
#include "engine/vulkan/binding_set.h"
#include "engine/vulkan/recorder.h"
#include "engine/vulkan/submission.h"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// Packs rows of a file into matrices on the device: they are read, as the file has them, straight into one of two
/// staging buffers, and the device packs one while the next rows are read into the other. Bit for bit what WeightPacker
/// gives (shaders/repack_weights.comp). The thread that submits.
/// Errors: those of the reader, OutOfMemory, DeviceLost; Cancelled when progress says so.
class RepackWeights {
public:
    /// types: all that will come. stagingBytes: of each staging buffer, made when first needed.
    static Result<RepackWeights> create(
        KernelContext& context, std::span<const TensorType> types, uint64_t stagingBytes);

    /// parts: as many as the matrix was made for.
    Result<void> pack(
        const WeightMatrix& matrix, std::span<const WeightPart> parts, const PieceProgress& progress);
    /// Waits until everything is packed. Before a matrix goes, whatever happened.
    Result<void> finish();

private:
    struct Slot { // destroyed from the end: nothing goes that is in use
        std::optional<vk::Buffer> staging;
        std::vector<vk::BindingSet> sets;
        std::optional<vk::Recording> recording;
        std::optional<vk::Submission> submission;
        std::optional<vk::Recorder> recorder; ///< of what is not sent yet
        uint64_t usedBytes = 0;
    };
    /// Rows of a part in the staging buffer that is being filled.
    struct Piece {
        const WeightPart& part;
        uint32_t partOffset = 0; ///< its first row in the matrix
        uint64_t firstRow = 0; ///< of the part
        uint64_t rowCount = 0;
        uint64_t rowBytes = 0;
    };
    RepackWeights(vk::Device& device, uint64_t stagingBytes)
        : m_device(&device)
        , m_stagingBytes(stagingBytes)
    {
    }
    /// The slot that has room for so many bytes.
    Result<Slot*> slotFor(uint64_t bytes);
    Result<void> makeReady(Slot& slot, uint64_t bytes);
    Result<void> send(Slot& slot);
    Result<void> clearPadding(const WeightMatrix& matrix, std::span<const WeightPart> parts);
    Result<void> record(Slot& slot, const WeightMatrix& matrix, const Piece& piece);

    vk::Device* m_device;
    uint64_t m_stagingBytes;
    std::map<TensorType, const vk::ComputePipeline*> m_pipelines;
    uint32_t m_lanes = 0;
    std::array<Slot, 2> m_slots;
    size_t m_slotIndex = 0; ///< of the one that is being filled
};

} // namespace engine
