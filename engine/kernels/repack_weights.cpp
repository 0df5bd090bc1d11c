#include "engine/kernels/repack_weights.h"

#include "shaders/repack_weights_32.h"
#include "shaders/repack_weights_k45.h"
#include "shaders/repack_weights_k6.h"
#include "shaders/repack_weights_plain.h"

#include <algorithm>

namespace engine {

namespace {
    constexpr uint64_t kPieceAlignment = 16;
    constexpr uint64_t kReadPast = 4; // the shader fetches two words for one that lies across them

    struct Shape {
        uint32_t rowCount;
        uint32_t rowBytes;
        uint32_t rawOffset;
        uint32_t firstRow;
        uint32_t headDim;
        uint32_t rowOffset;
        uint32_t boundRowCount;
        uint32_t columnCount;
        std::array<uint32_t, kWeightPlaneCount> units;
    };

    /// Types whose quantBlocks are alike share a shader.
    struct Family {
        const char* name;
        std::span<const uint32_t> (*spirv)();
        uint32_t columnsOfGroup; ///< that one invocation packs
        std::vector<TensorType> types;
    };
    const std::vector<Family>& families()
    {
        using enum TensorType;
        static const std::vector<Family> table {
            { "repack_weights_plain", shaders::repack_weights_plain, 64, { F32, F16, BF16 } },
            { "repack_weights_32", shaders::repack_weights_32, 64, { Q4_0, Q4_1, Q5_0, Q8_0 } },
            { "repack_weights_k45", shaders::repack_weights_k45, 256, { Q4_K, Q5_K } },
            { "repack_weights_k6", shaders::repack_weights_k6, 256, { Q6_K } },
        };
        return table;
    }
    const Family* familyOf(TensorType type)
    {
        for (const Family& family : families())
            if (std::ranges::find(family.types, type) != family.types.end())
                return &family;
        return nullptr;
    }

    uint64_t alignUp(uint64_t value, uint64_t alignment)
    {
        return (value + alignment - 1) / alignment * alignment;
    }
}

Result<RepackWeights> RepackWeights::create(
    KernelContext& context, std::span<const TensorType> types, uint64_t stagingBytes)
{
    RepackWeights repack(context.device(), stagingBytes);
    repack.m_lanes = context.lanes();
    for (const TensorType type : types) {
        const Family* family = familyOf(type);
        if (!family)
            return Error::unsupported(
                std::string("no kernel for tensor type ") + tensorTypeInfo(type).name);
        TRY_ASSIGN(repack.m_pipelines[type],
            context.pipeline({
                .name = family->name,
                .spirv = family->spirv(),
                .constants = { { 1, uint32_t(type) } },
                .bindings = std::vector(1 + kWeightPlaneCount, vk::BindingType::StorageBuffer),
                .pushConstantBytes = sizeof(Shape),
            }));
    }
    return repack;
}

Result<void> RepackWeights::pack(
    const WeightMatrix& matrix, std::span<const WeightPart> parts, const PieceProgress& progress)
{
    TRY_ASSIGN(const uint64_t rowBytes, matrix.rawRowBytes());
    TRY(clearPadding(matrix, parts));
    for (size_t i = 0; i < parts.size(); ++i) {
        const WeightPart& part = parts[i];
        for (uint64_t row = 0, count = 0; row < part.rows; row += count) {
            TRY_ASSIGN(Slot * slot, slotFor(rowBytes));
            const std::span<std::byte> room = slot->staging->mapped().subspan(slot->usedBytes);
            count = std::min(part.rows - row, (room.size() - kReadPast) / rowBytes);
            TRY(part.read(row, room.first(count * rowBytes)));
            TRY(record(*slot, matrix, { part, matrix.partOffset(i), row, count, rowBytes }));
            slot->usedBytes += alignUp(count * rowBytes, kPieceAlignment);
            if (progress && !progress(count * rowBytes))
                return Error::cancelled("Loading was stopped.");
        }
    }
    return {};
}

Result<RepackWeights::Slot*> RepackWeights::slotFor(uint64_t bytes)
{
    Slot& current = m_slots[m_slotIndex];
    if (current.recorder) {
        if (current.usedBytes + bytes + kReadPast <= current.staging->bytes())
            return &current;
        TRY(send(current));
        m_slotIndex = (m_slotIndex + 1) % m_slots.size();
    }
    Slot& next = m_slots[m_slotIndex];
    TRY(makeReady(next, bytes));
    return &next;
}

/// Waits until what the slot holds is packed, and starts anew with room for so many bytes at least.
Result<void> RepackWeights::makeReady(Slot& slot, uint64_t bytes)
{
    if (slot.submission)
        TRY(slot.submission->wait());
    slot.submission.reset();
    slot.sets.clear();
    if (!slot.staging || slot.staging->bytes() < bytes + kReadPast) {
        slot.staging.reset();
        TRY_ASSIGN(slot.staging,
            vk::Buffer::create(*m_device,
                { .bytes = std::max(m_stagingBytes, bytes + kReadPast),
                    .domain = vk::BufferDomain::Upload,
                    .purpose = "rows of a file" }));
    }
    auto created = slot.recording ? vk::Recorder::create(*m_device, std::move(*slot.recording))
                                  : vk::Recorder::create(*m_device, "packing of weights");
    slot.recording.reset();
    TRY_ASSIGN(vk::Recorder recorder, std::move(created));
    slot.recorder.emplace(std::move(recorder));
    slot.usedBytes = 0;
    return {};
}

Result<void> RepackWeights::send(Slot& slot)
{
    auto recording = slot.recorder->finish();
    slot.recorder.reset();
    TRY_ASSIGN(slot.recording, std::move(recording));
    TRY_ASSIGN(slot.submission, vk::Submission::create(*m_device, *slot.recording));
    return {};
}

/// The shader writes what the file has, and rows and columns past it are zeros.
Result<void> RepackWeights::clearPadding(
    const WeightMatrix& matrix, std::span<const WeightPart> parts)
{
    const bool isPadded = matrix.shape().columns % kGroupColumns != 0
        || std::ranges::any_of(
            parts, [](const WeightPart& part) { return part.rows % kTileRows != 0; });
    if (!isPadded)
        return {};
    TRY_ASSIGN(Slot * slot, slotFor(0));
    slot->recorder->barrier();
    for (const WeightMatrix::Slab& slab : matrix.slabs())
        slot->recorder->fill(slab.buffer, 0);
    return {};
}

Result<void> RepackWeights::record(Slot& slot, const WeightMatrix& matrix, const Piece& piece)
{
    const WeightPart& part = piece.part;
    const vk::ComputePipeline& pipeline = *m_pipelines.at(matrix.type());
    const uint32_t columnsOfGroup = familyOf(matrix.type())->columnsOfGroup;
    // Reordering keeps rows within their head.
    const uint64_t head = std::max(1u, part.interleavedHeadDim);
    const uint64_t first = piece.partOffset + piece.firstRow / head * head;
    const uint64_t end
        = piece.partOffset + std::min(part.rows, alignUp(piece.firstRow + piece.rowCount, head));
    const PackedShape& shape = matrix.shape();
    for (const WeightMatrix::Slab& slab : matrix.slabs()) {
        const uint64_t from = std::max<uint64_t>(first, slab.firstRow);
        const uint64_t to = std::min<uint64_t>(end, slab.firstRow + slab.rowCount);
        if (from >= to)
            continue;
        const uint32_t firstTile = uint32_t(from / kTileRows);
        const uint32_t tileCount = uint32_t((to - 1) / kTileRows) - firstTile + 1;
        const WeightMatrix::TilePlace place = matrix.placeOf(firstTile);
        std::vector<vk::BoundResource> resources { *slot.staging };
        for (size_t p = 0; p < kWeightPlaneCount; ++p) {
            const size_t bound
                = shape.units(WeightPlane(p)) > 0 ? p : 0; // an absent plane is not touched
            resources.push_back({ slab.buffer, place.offsets[bound],
                shape.tileBytes(WeightPlane(bound)) * tileCount });
        }
        TRY_ASSIGN(vk::BindingSet set, vk::BindingSet::create(*m_device, pipeline, resources));
        slot.sets.push_back(std::move(set));
        slot.recorder->barrier(); // neighbours may share a tile
        slot.recorder->bind(pipeline, slot.sets.back());
        Shape pushed { uint32_t(piece.rowCount), uint32_t(piece.rowBytes), uint32_t(slot.usedBytes),
            uint32_t(piece.firstRow), part.interleavedHeadDim,
            piece.partOffset - firstTile * kTileRows, tileCount * kTileRows,
            uint32_t(shape.columns), {} };
        for (size_t p = 0; p < kWeightPlaneCount; ++p)
            pushed.units[p] = shape.units(WeightPlane(p));
        slot.recorder->push(pushed);
        slot.recorder->dispatch(uint32_t((piece.rowCount + m_lanes - 1) / m_lanes),
            uint32_t((shape.columns + columnsOfGroup - 1) / columnsOfGroup));
    }
    return {};
}

Result<void> RepackWeights::finish()
{
    for (Slot& slot : m_slots) {
        if (slot.recorder)
            TRY(send(slot));
        if (slot.submission)
            TRY(slot.submission->wait());
        slot.submission.reset();
    }
    return {};
}

} // namespace engine
