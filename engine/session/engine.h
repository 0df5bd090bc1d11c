#pragma once

#include "engine/session/loaded_model.h"
#include "engine/session/session_group.h"
#include "engine/vulkan/device.h"
#include "engine/vulkan/instance.h"

#include <memory>
#include <optional>

namespace engine {

/// One opened model file on one Vulkan device. Errors of open: NoDevice, what the file refuses,
/// OutOfMemory, Cancelled. Inference thread only.
class Engine : public LoadedModel {
public:
    static Result<std::unique_ptr<Engine>> open(const ModelLoadRequest& request, const ModelLoadControl& control);

    const ModelDescription& description() const override { return m_description; }
    std::shared_ptr<const ModelText> text() const override { return m_text; }
    Timeline& timeline() override { return *m_session; }
    SideBySide* sideBySide() override { return m_group.get(); }
    Session& session() { return *m_session; }
    DeviceModel& model() { return *m_model; }

private:
    Engine(vk::Instance instance, vk::Device device)
        : m_instance(std::move(instance))
        , m_device(std::move(device))
    {
    }

    // In the order they depend on each other: destroyed from the last to the first.
    vk::Instance m_instance;
    vk::Device m_device;
    std::shared_ptr<const ModelText> m_text; ///< also held by the window, which may outlive this
    std::unique_ptr<DeviceModel> m_model;
    std::optional<PagePool> m_pool;
    std::unique_ptr<RecordedStep> m_step;
    std::unique_ptr<Session> m_session;
    std::unique_ptr<SessionGroup> m_group;
    ModelDescription m_description;
};

/// An EngineFactory that opens the Vulkan engine.
EngineFactory vulkanEngineFactory();

} // namespace engine
