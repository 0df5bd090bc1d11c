#include "app/cli/bench_probe.h"

#include "app/cli/engine_factory.h"
#include "engine/vulkan/device.h"
#include "engine/vulkan/instance.h"
#include "engine/vulkan/vk_result.h"

#include <array>
#include <cstdio>
#include <ostream>

using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    /// The figures of a probe, as JSON and a table name them.
    struct Figure {
        const char* key;
        const char* words;
        const char* unit;
        double engine::DeviceProbe::*value;
    };
    constexpr std::array kFigures {
        Figure {
            "texel_gb_per_s", "reads texels", "GB/s", &engine::DeviceProbe::texelGigabytesPerS },
        Figure { "storage_gb_per_s", "reads a storage buffer", "GB/s",
            &engine::DeviceProbe::storageGigabytesPerS },
        Figure {
            "dispatch_us", "empty dispatch and barrier", "us", &engine::DeviceProbe::dispatchUs },
        Figure {
            "submit_and_wait_us", "submit and wait", "us", &engine::DeviceProbe::submitAndWaitUs },
        Figure { "gmac_per_s", "multiply-adds in float32", "GMAC/s",
            &engine::DeviceProbe::gigaMultiplyAddsPerS },
    };
}

Result<ProbedDevice> probeWishedDevice(const std::string& wish)
{
    engine::vk::DeviceOptions options;
    if (!wish.empty()) {
        TRY_ASSIGN(options.uuid, deviceUuidOf(wish));
    }
    TRY_ASSIGN(const engine::vk::Instance instance, engine::vk::Instance::create());
    TRY_ASSIGN(engine::vk::Device device, engine::vk::Device::create(instance, options));
    TRY_ASSIGN(const engine::DeviceProbe probe, engine::probeDevice(device));
    return ProbedDevice { device.description(), probe };
}

ordered_json toJson(const engine::DeviceProbe& probe)
{
    ordered_json json { { "stream_bytes", probe.streamBytes } };
    for (const Figure& figure : kFigures)
        json[figure.key] = probe.*figure.value;
    return json;
}

ordered_json toJson(const ProbedDevice& probed)
{
    return {
        { "device", probed.device.name },
        { "driver", probed.device.driver },
        { "uuid", probed.device.uuid },
        { "probe", toJson(probed.probe) },
    };
}

void print(std::ostream& out, const ProbedDevice& probed)
{
    out << probed.device.name << ", " << probed.device.driver << ", reading "
        << engine::vk::bytesInWords(probed.probe.streamBytes) << "\n";
    for (const Figure& figure : kFigures) {
        std::array<char, 96> line;
        std::snprintf(line.data(), line.size(), "  %-28s%10.2f %s\n", figure.words,
            probed.probe.*figure.value, figure.unit);
        out << line.data();
    }
}

} // namespace app
