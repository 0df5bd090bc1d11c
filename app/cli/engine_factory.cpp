#include "app/cli/engine_factory.h"

#include "engine/session/engine.h"
#include "engine/vulkan/device_ranking.h"
#include "engine/vulkan/instance.h"

namespace app {

engine::Result<std::string> deviceUuidOf(const std::string& wish)
{
    TRY_ASSIGN(const engine::vk::Instance instance, engine::vk::Instance::create());
    TRY_ASSIGN(const engine::vk::FoundDevices found, instance.devices());
    TRY_ASSIGN(const size_t index, engine::vk::findDevice(found.descriptions, wish));
    return found.descriptions[index].uuid;
}

engine::EngineFactory engineFactory() { return engine::vulkanEngineFactory(); }

engine::EngineFactory commandEngineFactory()
{
    return [open = engineFactory()](const engine::ModelLoadRequest& request,
               const engine::ModelLoadControl& control)
               -> engine::Result<std::unique_ptr<engine::LoadedModel>> {
        engine::ModelLoadRequest resolved = request;
        if (!request.deviceUuid.empty()) {
            TRY_ASSIGN(resolved.deviceUuid, deviceUuidOf(request.deviceUuid));
        }
        return open(resolved, control);
    };
}

} // namespace app
