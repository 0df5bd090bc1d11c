#pragma once

#include "engine/base/result.h"
#include "engine/vulkan/device.h"
#include "engine/vulkan/device_core.h"

#include <filesystem>

namespace engine::vk {

/// Compiled pipelines of one driver, kept between starts. The file has a header of our own with a
/// hash, and the driver's header inside is compared with the device: a file that does not fit is
/// deleted and the cache starts empty. Any thread may create pipelines with it; load and save are
/// for one.
class PipelineCache {
public:
    /// ${XDG_CACHE_HOME:-~/.cache}/tokenglass/pipelines-<driver UUID>.bin; empty when there is no
    /// home.
    static std::filesystem::path defaultPath(const Device& device);

    /// Starts from the file when it is there and fits. An empty path keeps the cache in memory
    /// only.
    static Result<PipelineCache> create(Device& device, const std::filesystem::path& path);

    /// Writes the file through a temporary one beside it and a rename. Io with the path when it
    /// cannot.
    Result<void> save() const;

    bool startedFromFile() const { return m_startedFromFile; }
    VkPipelineCache handle() const { return m_cache.get(); }

private:
    PipelineCache() = default;
    DeviceCore* m_core = nullptr;
    DeviceObject<VkPipelineCache, &VolkDeviceTable::vkDestroyPipelineCache> m_cache;
    std::filesystem::path m_path;
    bool m_startedFromFile = false;
};

} // namespace engine::vk
