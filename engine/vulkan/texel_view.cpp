#include "engine/vulkan/texel_view.h"

#include "engine/vulkan/vk_result.h"

namespace engine::vk {

namespace {
    struct FormatRow {
        VkFormat format;
        uint32_t bytes;
        const char* name;
    };
    constexpr FormatRow kFormats[] = {
        { VK_FORMAT_R32G32B32A32_UINT, 16, "R32G32B32A32_UINT" },
        { VK_FORMAT_R32G32B32A32_SFLOAT, 16, "R32G32B32A32_SFLOAT" },
        { VK_FORMAT_R32G32_UINT, 8, "R32G32_UINT" },
        { VK_FORMAT_R32G32_SFLOAT, 8, "R32G32_SFLOAT" },
        { VK_FORMAT_R32_UINT, 4, "R32_UINT" },
        { VK_FORMAT_R32_SFLOAT, 4, "R32_SFLOAT" },
        { VK_FORMAT_R16G16B16A16_SFLOAT, 8, "R16G16B16A16_SFLOAT" },
        { VK_FORMAT_R16_SFLOAT, 2, "R16_SFLOAT" },
    };
    static_assert(std::size(kFormats) == size_t(TexelFormat::Count));
}

uint32_t texelBytes(TexelFormat format) { return kFormats[size_t(format)].bytes; }

Result<TexelView> TexelView::create(
    Device& device, const Buffer& buffer, const TexelViewOptions& options)
{
    DeviceCore& core = device.core();
    const Capabilities& capabilities = core.capabilities;
    const FormatRow& row = kFormats[size_t(options.format)];
    const std::string whose = "texel view of " + buffer.purpose() + ": ";

    if (buffer.domain() == BufferDomain::Readback || buffer.domain() == BufferDomain::Uniform)
        return Error::badRequest(
            whose + "a " + domainName(buffer.domain()) + " buffer has no texel views");
    if (options.offset >= buffer.bytes() || options.offset % capabilities.texelOffsetAlignment != 0)
        return Error::badRequest(whose + "offset " + std::to_string(options.offset)
            + " is not a multiple of " + std::to_string(capabilities.texelOffsetAlignment)
            + " inside its " + std::to_string(buffer.bytes()) + " bytes");
    const uint64_t rest = buffer.bytes() - options.offset;
    const uint64_t bytes = options.bytes ? options.bytes : rest / row.bytes * row.bytes;
    if (bytes > rest || bytes == 0 || bytes % row.bytes != 0)
        return Error::badRequest(whose + std::to_string(bytes) + " bytes from offset "
            + std::to_string(options.offset) + " are not whole texels inside its "
            + std::to_string(buffer.bytes()) + " bytes");
    if (bytes / row.bytes > capabilities.maxTexelBufferElements)
        return Error::unsupported(whose + std::to_string(bytes / row.bytes)
            + " texels, this device allows " + std::to_string(capabilities.maxTexelBufferElements));

    VkFormatProperties properties;
    vkGetPhysicalDeviceFormatProperties(core.physicalDevice, row.format, &properties);
    if (!(properties.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT))
        return Error::unsupported(whose + "this device has no texel buffers of format " + row.name);

    VkBufferViewCreateInfo info { VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO };
    info.buffer = buffer.handle();
    info.format = row.format;
    info.offset = options.offset;
    info.range = bytes;
    VkBufferView view = VK_NULL_HANDLE;
    const VkResult created = core.calls.call(CallKind::CreateBufferView,
        &VolkDeviceTable::vkCreateBufferView, core.device, &info, nullptr, &view);
    if (created != VK_SUCCESS)
        return errorFrom(created, "make a " + whose + bytesInWords(bytes));
    TexelView result;
    result.m_view = { core, view };
    result.m_format = options.format;
    result.m_texelCount = bytes / row.bytes;
    return result;
}

} // namespace engine::vk
