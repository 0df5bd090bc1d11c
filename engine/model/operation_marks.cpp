#include "engine/model/operation_marks.h"

namespace engine {

namespace {
    constexpr uint32_t kMostPerLayer = 16;
    constexpr uint32_t kMostBesideLayers = 16;
}

Result<std::unique_ptr<OperationMarks>> OperationMarks::create(vk::Device& device, uint32_t layerCount)
{
    TRY_ASSIGN(vk::Timestamps timestamps,
        vk::Timestamps::create(device, layerCount * kMostPerLayer + kMostBesideLayers));
    return std::unique_ptr<OperationMarks>(new OperationMarks(std::move(timestamps)));
}

void OperationMarks::mark(vk::Recorder& recorder, const char* operation)
{
    recorder.mark(m_timestamps, operation);
    m_layers.push_back(m_layer);
}

Result<std::vector<TimedOperation>> OperationMarks::read() const
{
    TRY_ASSIGN(const std::vector<vk::TimedSpan> spans, m_timestamps.read());
    std::vector<TimedOperation> operations;
    for (size_t i = 0; i < spans.size(); ++i)
        operations.push_back({ spans[i].label, m_layers[i], spans[i].ms });
    return operations;
}

} // namespace engine
