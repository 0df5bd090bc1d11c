#include "engine/kernels/meeting.h"

#include "engine/vulkan/binding_set.h"
#include "engine/vulkan/recorder.h"
#include "engine/vulkan/submission.h"
#include "shaders/meeting_probe.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

namespace engine {

namespace {
    constexpr uint32_t kMostWorkgroups = 32; // threads of the software device
    constexpr int kTries = 5; // a busy machine may keep a thread away for a moment

    /// How many to try first: one for each thread, or what TOKENGLASS_MEETING says; 0: none.
    uint32_t wantedWorkgroups()
    {
        const char* wish = std::getenv("TOKENGLASS_MEETING");
        const int wished = wish ? std::atoi(wish) : -1;
        return std::clamp(wished >= 0 ? uint32_t(wished) : std::thread::hardware_concurrency(), 0u, kMostWorkgroups);
    }
}

Result<std::unique_ptr<Meeting>> Meeting::create(KernelContext& context)
{
    vk::Device& device = context.device();
    const uint32_t wanted = device.capabilities().softwareDevice ? wantedWorkgroups() : 0;
    if (wanted == 0)
        return std::unique_ptr<Meeting>();
    TRY_ASSIGN(vk::Buffer buffer,
        vk::Buffer::create(
            device, { .bytes = 16, .domain = vk::BufferDomain::Device, .purpose = "meeting of workgroups" }));
    if (buffer.mapped().empty())
        return std::unique_ptr<Meeting>();
    std::unique_ptr<Meeting> meeting(new Meeting(std::move(buffer)));
    meeting->m_buffer.mappedAs<uint32_t>()[2] = 0;
    meeting->reset();
    TRY_ASSIGN(const vk::ComputePipeline* pipeline,
        context.pipeline({ .name = "meeting_probe",
            .spirv = shaders::meeting_probe(),
            .constants = {},
            .bindings = { vk::BindingType::StorageBuffer },
            .pushConstantBytes = 0 }));
    TRY_ASSIGN(vk::BindingSet set, vk::BindingSet::create(device, *pipeline, { meeting->m_buffer }));
    for (uint32_t count = wanted; count > 1; count /= 2)
        for (int i = 0; i < kTries; ++i) {
            TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(device, "meeting probe"));
            recorder.bind(*pipeline, set);
            recorder.dispatch(count);
            recorder.hostReadBarrier();
            TRY_ASSIGN(vk::Recording recording, recorder.finish());
            TRY(vk::runAndWait(device, recording));
            const bool met = !meeting->hasFailed();
            meeting->reset();
            if (met) {
                meeting->m_workgroupCount = count;
                return meeting;
            }
        }
    if (wanted > 1)
        return std::unique_ptr<Meeting>();
    meeting->m_workgroupCount = 1; // one always meets itself, and still needs no barriers
    return meeting;
}

void Meeting::reset() const
{
    const std::span<uint32_t> counts = m_buffer.mappedAs<uint32_t>();
    counts[0] = 0; // arrivals may be no multiple of the workgroups after a failure
    counts[1] = 0;
}

} // namespace engine
