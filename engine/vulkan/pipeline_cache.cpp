#include "engine/vulkan/pipeline_cache.h"

#include "engine/vulkan/vk_result.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace engine::vk {

namespace {
    using Bytes = std::vector<char>;

    // Our header: magic, then the size and the FNV-1a hash of what follows, little-endian as
    // written by the machine that reads it again.
    constexpr std::array<char, 8> kMagic { 'T', 'G', 'P', 'I', 'P', 'E', '0', '1' };
    struct FileHeader {
        std::array<char, 8> magic = kMagic;
        uint64_t bytes = 0;
        uint64_t hash = 0;
    };

    uint64_t hashOf(const char* bytes, size_t count)
    {
        uint64_t hash = 0xCBF29CE484222325u;
        for (size_t i = 0; i < count; ++i)
            hash = (hash ^ uint8_t(bytes[i])) * 0x100000001B3u;
        return hash;
    }

    bool fitsDevice(const char* blob, size_t bytes, const Capabilities& capabilities)
    {
        VkPipelineCacheHeaderVersionOne header;
        if (bytes < sizeof header)
            return false;
        std::memcpy(&header, blob, sizeof header);
        return header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE
            && header.vendorID == capabilities.vendorId && header.deviceID == capabilities.deviceId
            && std::equal(capabilities.pipelineCacheUuid.begin(),
                capabilities.pipelineCacheUuid.end(), header.pipelineCacheUUID);
    }

    /// The driver's blob of a file; none when the file is damaged or of another driver.
    std::optional<Bytes> readBlob(
        const std::filesystem::path& path, const Capabilities& capabilities)
    {
        std::ifstream stream(path, std::ios::binary);
        const Bytes file { std::istreambuf_iterator<char>(stream),
            std::istreambuf_iterator<char>() };
        FileHeader header;
        if (file.size() < sizeof header)
            return std::nullopt;
        std::memcpy(&header, file.data(), sizeof header);
        const char* blob = file.data() + sizeof header;
        const size_t blobBytes = file.size() - sizeof header;
        if (header.magic != kMagic || header.bytes != blobBytes
            || header.hash != hashOf(blob, blobBytes) || !fitsDevice(blob, blobBytes, capabilities))
            return std::nullopt;
        return Bytes(blob, blob + blobBytes);
    }

    Error cannotWrite(const std::filesystem::path& path, const std::string& why)
    {
        return Error::io("the pipeline cache " + path.string() + " could not be written: " + why);
    }
}

std::filesystem::path PipelineCache::defaultPath(const Device& device)
{
    const char* cacheHome = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    std::filesystem::path folder;
    if (cacheHome && *cacheHome == '/')
        folder = cacheHome;
    else if (home && *home)
        folder = std::filesystem::path(home) / ".cache";
    else
        return {};
    return folder / "tokenglass" / ("pipelines-" + device.capabilities().driverUuid + ".bin");
}

Result<PipelineCache> PipelineCache::create(Device& device, const std::filesystem::path& path)
{
    DeviceCore& core = device.core();
    std::error_code ignored;
    std::optional<Bytes> blob;
    if (!path.empty() && std::filesystem::exists(path, ignored)) {
        blob = readBlob(path, core.capabilities);
        if (!blob)
            std::filesystem::remove(path, ignored);
    }

    VkPipelineCacheCreateInfo info { VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO };
    if (blob) {
        info.initialDataSize = blob->size();
        info.pInitialData = blob->data();
    }
    VkPipelineCache cache = VK_NULL_HANDLE;
    const VkResult created = core.calls.call(CallKind::CreatePipelineCache,
        &VolkDeviceTable::vkCreatePipelineCache, core.device, &info, nullptr, &cache);
    if (created != VK_SUCCESS)
        return errorFrom(created, "make a pipeline cache");
    PipelineCache result;
    result.m_core = &core;
    result.m_cache = { core, cache };
    result.m_path = path;
    result.m_startedFromFile = blob.has_value();
    return result;
}

Result<void> PipelineCache::save() const
{
    if (m_path.empty())
        return {};
    if (m_core->calls.isLost())
        return Error::deviceLost("the pipeline cache is not saved: the graphics device is lost");
    const auto getData = m_core->calls.table().vkGetPipelineCacheData;
    size_t bytes = 0;
    VkResult result = getData(m_core->device, handle(), &bytes, nullptr);
    Bytes blob(bytes);
    if (result == VK_SUCCESS)
        result = getData(m_core->device, handle(), &bytes, blob.data());
    if (result != VK_SUCCESS)
        return errorFrom(result, "give out its pipeline cache");
    blob.resize(bytes);

    FileHeader header;
    header.bytes = blob.size();
    header.hash = hashOf(blob.data(), blob.size());
    std::error_code error;
    std::filesystem::create_directories(m_path.parent_path(), error);
    if (error)
        return cannotWrite(m_path, error.message());
    // The process number keeps two programs that save at once apart.
    std::filesystem::path temporary = m_path;
    temporary += "." + std::to_string(getpid()) + ".new";
    std::ofstream stream(temporary, std::ios::binary | std::ios::trunc);
    stream.write(reinterpret_cast<const char*>(&header), sizeof header);
    stream.write(blob.data(), std::streamsize(blob.size()));
    stream.close();
    if (!stream) {
        std::filesystem::remove(temporary, error);
        return cannotWrite(m_path, "the disk may be full");
    }
    std::filesystem::rename(temporary, m_path, error);
    if (error) {
        const std::string why = error.message();
        std::filesystem::remove(temporary, error);
        return cannotWrite(m_path, why);
    }
    return {};
}

} // namespace engine::vk
