#include "engine/kernels/device_probe.h"

#include "engine/vulkan/binding_set.h"
#include "engine/vulkan/recorder.h"
#include "engine/vulkan/submission.h"
#include "engine/vulkan/texel_view.h"
#include "engine/vulkan/transfer.h"
#include "shaders/probe_empty.h"
#include "shaders/probe_multiply_add.h"
#include "shaders/probe_stream_storage.h"
#include "shaders/probe_stream_texel.h"

#include <algorithm>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

namespace engine {

namespace {
    using enum vk::BindingType;

    constexpr uint64_t kMebibyte = 1 << 20;
    constexpr uint64_t kUnitBytes = 16;
    constexpr int kRunCount = 4;
    constexpr double kRunMs
        = 20; ///< of a run of several dispatches, so that starting it counts for little
    constexpr double kMostDispatches = 256;
    constexpr int kEmptyDispatchCount = 512;
    constexpr int kEmptyRunCount = 10; ///< short runs: whoever disturbs them counts for more
    constexpr int kEmptySubmissionCount = 50;
    constexpr uint32_t kMultiplyAddGroups = 4096;
    constexpr uint32_t kMultiplyAddSteps
        = 64; ///< llvmpipe ends all loops of an invocation after 65,535
    constexpr uint32_t kMultiplyAddsPerStep = 32 * 12;
    constexpr float kMultiplyAddSum = 24.0f;

    struct MultiplyAddShape {
        uint32_t steps;
        float factor;
        float addend;
    };
    struct EmptyShape {
        uint32_t writer;
    };

    /// How a kernel is laid out: which of these a device likes is part of what is measured.
    struct Layout {
        uint32_t lanes; ///< invocations of a workgroup
        uint32_t steps; ///< units of an invocation; a workgroup's lie in one mebibyte
    };

    class Prober {
    public:
        static Result<Prober> create(vk::Device& device);

        uint64_t streamBytes() const { return m_stream.bytes(); }
        Result<double> streamGigabytesPerS(bool asTexels);
        Result<double> gigaMultiplyAddsPerS();
        Result<double> dispatchUs();
        Result<double> submitAndWaitUs();

    private:
        using Record = std::function<void(vk::Recorder&)>;
        using IsRight = std::function<bool(uint32_t invocation, uint32_t bits)>;

        Prober(vk::Device& device, vk::Buffer stream, vk::TexelView texels, vk::Buffer sums)
            : m_device(device)
            , m_stream(std::move(stream))
            , m_texels(std::move(texels))
            , m_sums(std::move(sums))
        {
        }
        std::vector<Layout> layouts() const;
        Result<vk::ComputePipeline> pipeline(
            const vk::PipelineOptions& options, const Layout& layout) const;
        Result<double> bestMs(vk::Recording& recording, int runCount) const;
        Result<vk::Recording> recordTimes(int count, const Record& record) const;
        Result<double> msOfOne(const Record& record) const;
        Result<void> checkSums(uint32_t invocations, const IsRight& isRight) const;

        vk::Device& m_device;
        vk::Buffer m_stream;
        vk::TexelView m_texels;
        vk::Buffer m_sums;
    };

    /// What every word of a mebibyte is, so that sums tell whether each unit was read.
    uint32_t wordOf(uint64_t mebibyte) { return 0x01030507u * uint32_t(mebibyte + 1); }

    /// Larger than any cache, as far as the device lets one kernel read.
    uint64_t streamBytesOf(const vk::Device& device)
    {
        const vk::Capabilities& capabilities = device.capabilities();
        const uint64_t wanted = capabilities.softwareDevice ? 128 * kMebibyte : 512 * kMebibyte;
        const uint64_t most = std::min({ wanted, capabilities.maxTexelBufferElements * kUnitBytes,
            capabilities.maxStorageBufferRange, capabilities.maxAllocationBytes,
            device.availableBytes(vk::BufferDomain::Device) / 2 });
        return std::max(most / kMebibyte, uint64_t(1)) * kMebibyte;
    }

    Result<Prober> Prober::create(vk::Device& device)
    {
        const uint64_t bytes = streamBytesOf(device);
        TRY_ASSIGN(vk::Buffer stream,
            vk::Buffer::create(device, { .bytes = bytes, .purpose = "probe: what is read" }));
        TRY_ASSIGN(vk::TexelView texels, vk::TexelView::create(device, stream, {}));
        TRY_ASSIGN(vk::Buffer sums,
            vk::Buffer::create(device, { .bytes = 16 * kMebibyte, .purpose = "probe: sums" }));
        TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(device, "probe: fill"));
        for (uint64_t mebibyte = 0; mebibyte < bytes / kMebibyte; ++mebibyte)
            recorder.fill(stream, wordOf(mebibyte), mebibyte * kMebibyte, kMebibyte);
        TRY_ASSIGN(vk::Recording fill, recorder.finish());
        TRY(vk::runAndWait(device, fill));
        return Prober(device, std::move(stream), std::move(texels), std::move(sums));
    }

    std::vector<Layout> Prober::layouts() const
    {
        const vk::Capabilities& capabilities = m_device.capabilities();
        const uint32_t wide = std::min(
            { 256u, capabilities.maxWorkgroupInvocations, capabilities.maxWorkgroupSize[0] });
        return { { capabilities.subgroupSize, 512 }, { wide, 16 } };
    }

    Result<vk::ComputePipeline> Prober::pipeline(
        const vk::PipelineOptions& options, const Layout& layout) const
    {
        vk::PipelineOptions complete = options;
        complete.constants = { { 0, layout.lanes }, { 1, layout.steps } };
        return vk::ComputePipeline::create(m_device, complete);
    }

    Result<double> Prober::bestMs(vk::Recording& recording, int runCount) const
    {
        using Clock = std::chrono::steady_clock;
        double best = INFINITY;
        for (int run = 0; run < runCount; ++run) {
            const Clock::time_point start = Clock::now();
            TRY(vk::runAndWait(m_device, recording));
            best = std::min(
                best, std::chrono::duration<double, std::milli>(Clock::now() - start).count());
        }
        return best;
    }

    Result<vk::Recording> Prober::recordTimes(int count, const Record& record) const
    {
        TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(m_device, "probe"));
        for (int i = 0; i < count; ++i) {
            record(recorder);
            recorder.barrier();
        }
        return recorder.finish();
    }

    /// Milliseconds of one among as many as fill a run; the first run of all compiles.
    Result<double> Prober::msOfOne(const Record& record) const
    {
        TRY_ASSIGN(vk::Recording once, recordTimes(1, record));
        TRY(vk::runAndWait(m_device, once));
        TRY_ASSIGN(const double onceMs, bestMs(once, 1));
        const int count = int(std::clamp(kRunMs / onceMs, 1.0, kMostDispatches));
        TRY_ASSIGN(vk::Recording several, recordTimes(count, record));
        TRY_ASSIGN(const double ms, bestMs(several, kRunCount));
        return ms / count;
    }

    Result<void> Prober::checkSums(uint32_t invocations, const IsRight& isRight) const
    {
        TRY_ASSIGN(const std::vector<std::byte> bytes,
            vk::readBuffer(m_device, m_sums, 0, uint64_t(invocations) * sizeof(uint32_t)));
        for (uint32_t i = 0; i < invocations; ++i) {
            uint32_t bits = 0;
            std::memcpy(&bits, bytes.data() + i * sizeof(bits), sizeof(bits));
            if (!isRight(i, bits))
                return Error::notFinite("The device " + m_device.description().name
                    + " computes wrong sums: invocation " + std::to_string(i) + " gave bits "
                    + std::to_string(bits)
                    + ". Its figures mean nothing; another driver version may help.");
        }
        return {};
    }

    Result<double> Prober::streamGigabytesPerS(bool asTexels)
    {
        double best = 0;
        for (const Layout& layout : layouts()) {
            TRY_ASSIGN(const vk::ComputePipeline kernel,
                pipeline(
                    { .name = asTexels ? "probe_stream_texel" : "probe_stream_storage",
                        .spirv = asTexels ? shaders::probe_stream_texel()
                                          : shaders::probe_stream_storage(),
                        .bindings = { asTexels ? UniformTexel : StorageBuffer, StorageBuffer } },
                    layout));
            const vk::BoundResource units
                = asTexels ? vk::BoundResource(m_texels) : vk::BoundResource(m_stream);
            TRY_ASSIGN(const vk::BindingSet set,
                vk::BindingSet::create(m_device, kernel, { units, m_sums }));
            const uint64_t groupBytes = uint64_t(layout.lanes) * layout.steps * kUnitBytes;
            const uint32_t groups = uint32_t(m_stream.bytes() / groupBytes);
            TRY_ASSIGN(const double ms, msOfOne([&](vk::Recorder& recorder) {
                recorder.bind(kernel, set);
                recorder.dispatch(groups);
            }));
            TRY(checkSums(groups * layout.lanes, [&](uint32_t invocation, uint32_t bits) {
                const uint64_t mebibyte = invocation / layout.lanes * groupBytes / kMebibyte;
                return bits == layout.steps * 4 * wordOf(mebibyte);
            }));
            best = std::max(best, double(groups * groupBytes) / ms * 1e-6);
        }
        return best;
    }

    Result<double> Prober::gigaMultiplyAddsPerS()
    {
        double best = 0;
        for (const Layout& layout : layouts()) {
            TRY_ASSIGN(const vk::ComputePipeline kernel,
                pipeline({ .name = "probe_multiply_add",
                             .spirv = shaders::probe_multiply_add(),
                             .bindings = { StorageBuffer },
                             .pushConstantBytes = sizeof(MultiplyAddShape) },
                    { layout.lanes, 0 }));
            TRY_ASSIGN(
                const vk::BindingSet set, vk::BindingSet::create(m_device, kernel, { m_sums }));
            const uint32_t invocations = kMultiplyAddGroups * m_device.capabilities().subgroupSize;
            const uint32_t groups = std::max(1u, invocations / layout.lanes);
            TRY_ASSIGN(const double ms, msOfOne([&](vk::Recorder& recorder) {
                recorder.bind(kernel, set);
                recorder.push(MultiplyAddShape {
                    .steps = kMultiplyAddSteps, .factor = 0.5f, .addend = 1.0f });
                recorder.dispatch(groups);
            }));
            TRY(checkSums(groups * layout.lanes, [](uint32_t, uint32_t bits) {
                return std::abs(std::bit_cast<float>(bits) - kMultiplyAddSum) < 1e-3f;
            }));
            const double count
                = double(groups) * layout.lanes * kMultiplyAddSteps * kMultiplyAddsPerStep;
            best = std::max(best, count / ms * 1e-6);
        }
        return best;
    }

    Result<double> Prober::dispatchUs()
    {
        TRY_ASSIGN(const vk::ComputePipeline kernel,
            pipeline({ .name = "probe_empty",
                         .spirv = shaders::probe_empty(),
                         .bindings = { StorageBuffer },
                         .pushConstantBytes = sizeof(EmptyShape) },
                { m_device.capabilities().subgroupSize, 0 }));
        TRY_ASSIGN(const vk::BindingSet set, vk::BindingSet::create(m_device, kernel, { m_sums }));
        TRY_ASSIGN(
            vk::Recording chain, recordTimes(kEmptyDispatchCount, [&](vk::Recorder& recorder) {
                recorder.bind(kernel, set);
                recorder.push(EmptyShape { .writer = UINT32_MAX });
                recorder.dispatch(1);
            }));
        TRY(vk::runAndWait(m_device, chain)); // compiles
        TRY_ASSIGN(const double ms, bestMs(chain, kEmptyRunCount));
        return ms * 1e3 / kEmptyDispatchCount;
    }

    Result<double> Prober::submitAndWaitUs()
    {
        TRY_ASSIGN(vk::Recording nothing, recordTimes(0, {}));
        TRY_ASSIGN(const double ms, bestMs(nothing, kEmptySubmissionCount));
        return ms * 1e3;
    }
}

Result<DeviceProbe> probeDevice(vk::Device& device)
{
    TRY_ASSIGN(Prober prober, Prober::create(device));
    DeviceProbe probe;
    probe.streamBytes = prober.streamBytes();
    TRY_ASSIGN(probe.texelGigabytesPerS, prober.streamGigabytesPerS(true));
    TRY_ASSIGN(probe.storageGigabytesPerS, prober.streamGigabytesPerS(false));
    TRY_ASSIGN(probe.dispatchUs, prober.dispatchUs());
    TRY_ASSIGN(probe.submitAndWaitUs, prober.submitAndWaitUs());
    TRY_ASSIGN(probe.gigaMultiplyAddsPerS, prober.gigaMultiplyAddsPerS());
    return probe;
}

} // namespace engine
