#include "engine/vulkan/device_ranking.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <numeric>

namespace engine::vk {

namespace {
    constexpr std::array<const char*, 4> kKindsBestFirst { "discrete", "integrated", "virtual",
        "software" };

    size_t kindRank(const std::string& kind)
    {
        return size_t(std::find(kKindsBestFirst.begin(), kKindsBestFirst.end(), kind)
            - kKindsBestFirst.begin());
    }

    bool isBetter(const DeviceDescription& a, const DeviceDescription& b)
    {
        if (a.problem.empty() != b.problem.empty())
            return a.problem.empty();
        if (kindRank(a.kind) != kindRank(b.kind))
            return kindRank(a.kind) < kindRank(b.kind);
        return a.heapBytes > b.heapBytes;
    }

    std::string lowerCase(std::string text)
    {
        for (char& c : text)
            c = char(std::tolower(static_cast<unsigned char>(c)));
        return text;
    }

    std::string namesOf(std::span<const DeviceDescription> devices)
    {
        std::string names;
        for (const DeviceDescription& device : devices)
            names += (names.empty() ? "" : ", ") + device.name + " [" + device.uuid + "]";
        return names.empty() ? "none" : names;
    }
}

std::vector<size_t> rankDevices(std::span<const DeviceDescription> devices)
{
    std::vector<size_t> order(devices.size());
    std::iota(order.begin(), order.end(), size_t(0));
    std::stable_sort(order.begin(), order.end(),
        [&](size_t a, size_t b) { return isBetter(devices[a], devices[b]); });
    return order;
}

Result<DeviceChoice> chooseDevice(
    std::span<const DeviceDescription> devices, const std::string& wishedUuid)
{
    const std::vector<size_t> order = rankDevices(devices);
    if (order.empty())
        return Error::noDevice("no Vulkan device was found: install a graphics driver with Vulkan "
                               "1.2, or the software "
                               "device (package mesa-vulkan-drivers)");
    for (size_t index : order)
        if (!wishedUuid.empty() && devices[index].uuid == wishedUuid
            && devices[index].problem.empty())
            return DeviceChoice { index, false };
    const DeviceDescription& best = devices[order[0]];
    if (!best.problem.empty())
        return Error::noDevice("no Vulkan device can be used: " + best.name + ": " + best.problem);
    return DeviceChoice { order[0], !wishedUuid.empty() };
}

Result<size_t> findDevice(std::span<const DeviceDescription> devices, const std::string& text)
{
    const std::string wanted = lowerCase(text);
    std::vector<size_t> matches;
    for (size_t i = 0; i < devices.size(); ++i) {
        if (devices[i].uuid == wanted)
            return i;
        const bool beginsUuid = wanted.size() >= 4 && devices[i].uuid.starts_with(wanted);
        const bool partOfName
            = !wanted.empty() && lowerCase(devices[i].name).find(wanted) != std::string::npos;
        if (beginsUuid || partOfName)
            matches.push_back(i);
    }
    if (matches.size() == 1)
        return matches[0];
    return Error::badRequest((matches.empty() ? "no device matches \"" : "several devices match \"")
        + text + "\"; there are: " + namesOf(devices));
}

} // namespace engine::vk
