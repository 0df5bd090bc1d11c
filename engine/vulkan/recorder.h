#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/binding_set.h"
#include "engine/vulkan/buffer.h"
#include "engine/vulkan/compute_pipeline.h"
#include "engine/vulkan/recording.h"
#include "engine/vulkan/timestamps.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

namespace engine::vk {

struct CopyRange {
    uint64_t sourceOffset = 0; ///< bytes
    uint64_t targetOffset = 0;
    uint64_t bytes = 0;
};

/// Writes a Recording, command by command. A recording sees everything that was submitted before
/// it; inside it, commands may run at once until a barrier stands between them.
///   TRY_ASSIGN(Recorder recorder, Recorder::create(device, "decode step"));
///   recorder.bind(pipeline, set); recorder.push(shape); recorder.dispatch(rows);
///   recorder.barrier(); ... TRY_ASSIGN(Recording step, recorder.finish());
/// A mistake (wrong push size, too many groups, a range past a buffer's end) is kept and returned
/// by finish().
class Recorder {
public:
    static Result<Recorder> create(Device& device, const std::string& name);
    /// Records anew into an old recording's memory; waits for it when it is in flight.
    static Result<Recorder> create(Device& device, Recording old);

    void bind(const ComputePipeline& pipeline, const BindingSet& set);
    /// All push constants of the bound pipeline.
    template <typename T> void push(const T& constants)
    {
        static_assert(std::is_trivially_copyable_v<T>);
        pushBytes(std::as_bytes(std::span(&constants, 1)));
    }
    void pushBytes(std::span<const std::byte> constants);
    /// From now on dispatches have no workgroups: nothing is computed, and a driver that compiles a
    /// pipeline when it is first dispatched does so. Not for indirect ones.
    void dispatchNothing() { m_dispatchesNothing = true; }
    void dispatch(uint32_t groupsX, uint32_t groupsY = 1, uint32_t groupsZ = 1);
    /// Group counts are three uint32 in a Device buffer; any of them 0 dispatches nothing.
    void dispatchIndirect(const Buffer& counts, uint64_t offset = 0);

    void copy(const Buffer& source, const Buffer& target, const CopyRange& range);
    /// bytes 0 = to the end; offset and bytes are multiples of 4.
    void fill(const Buffer& target, uint32_t value, uint64_t offset = 0, uint64_t bytes = 0);

    /// What was written before it, by shaders or copies, is seen by shaders and copies after it.
    void barrier();
    /// What was written before it is seen by the host once the submission is done. At the end of
    /// every recording whose results the host reads through Buffer::mapped().
    void hostReadBarrier();

    /// Forgets the marks of timestamps, which must outlive the recording, and makes the first one.
    void startTimestamps(Timestamps& timestamps);
    /// Ends a span of this label when everything before it is done.
    void mark(Timestamps& timestamps, const std::string& label);

    Result<Recording> finish();

private:
    explicit Recorder(DeviceCore& core, Recording recording);
    static Result<Recorder> begin(DeviceCore& core, Recording recording);
    void fail(Error error);
    bool checkRange(const Buffer& buffer, uint64_t offset, uint64_t bytes, const char* what);
    bool checkReady(const char* what);
    bool checkPushed();

    DeviceCore* m_core;
    Recording m_recording;
    const ComputePipeline* m_pipeline = nullptr;
    bool m_pushed = false;
    bool m_dispatchesNothing = false;
    std::optional<Error> m_error;
};

} // namespace engine::vk
