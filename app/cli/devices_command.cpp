#include "app/cli/devices_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_table.h"
#include "engine/vulkan/device_ranking.h"
#include "engine/vulkan/instance.h"
#include "engine/vulkan/vk_result.h"

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

namespace app {

namespace {
    constexpr std::array kOptions {
        OptionSpec { "device", "D", "which one would be used: UUID or part of a name" },
        OptionSpec { "json", nullptr, "print one JSON object" },
    };

    struct DevicesOptions {
        bool json = false;
        std::string wish;
    };

    /// The devices best first, and the index of the one that is used.
    struct RankedDevices {
        std::vector<engine::DeviceDescription> devices;
        size_t usedIndex = 0;
    };

    engine::Result<DevicesOptions> optionsFrom(const Arguments& arguments)
    {
        if (!arguments.positionals().empty())
            return engine::Error::badRequest(
                "\"" + arguments.positionals().front() + "\" belongs to no option");
        return DevicesOptions { arguments.has("json"), arguments.text("device").value_or("") };
    }

    engine::Result<RankedDevices> listDevices(const std::string& wish)
    {
        TRY_ASSIGN(const engine::vk::Instance instance, engine::vk::Instance::create());
        TRY_ASSIGN(const engine::vk::FoundDevices found, instance.devices());
        RankedDevices ranked;
        for (size_t index : engine::vk::rankDevices(found.descriptions))
            ranked.devices.push_back(found.descriptions[index]);
        std::string uuid;
        if (!wish.empty()) {
            TRY_ASSIGN(const size_t index, engine::vk::findDevice(ranked.devices, wish));
            uuid = ranked.devices[index].uuid;
        }
        TRY_ASSIGN(
            const engine::vk::DeviceChoice choice, engine::vk::chooseDevice(ranked.devices, uuid));
        ranked.usedIndex = choice.index;
        return ranked;
    }

    nlohmann::json toJson(const RankedDevices& ranked)
    {
        nlohmann::json list = nlohmann::json::array();
        for (const engine::DeviceDescription& device : ranked.devices)
            list.push_back({ { "name", device.name }, { "kind", device.kind },
                { "driver", device.driver }, { "uuid", device.uuid },
                { "heap_bytes", device.heapBytes },
                { "problem",
                    device.problem.empty() ? nlohmann::json() : nlohmann::json(device.problem) } });
        return { { "devices", list }, { "used", ranked.devices[ranked.usedIndex].uuid } };
    }

    void print(const RankedDevices& ranked)
    {
        for (size_t i = 0; i < ranked.devices.size(); ++i) {
            const engine::DeviceDescription& device = ranked.devices[i];
            std::cout << (i == ranked.usedIndex ? "used  " : "      ") << device.name << "\n      "
                      << device.kind;
            if (device.kind == "software")
                std::cout << " (runs on the processor: slow)";
            std::cout << ", " << engine::vk::bytesInWords(device.heapBytes) << ", driver "
                      << device.driver << "\n      uuid " << device.uuid << "\n";
            if (!device.problem.empty())
                std::cout << "      cannot be used: " << device.problem << "\n";
        }
    }
}

int runDevicesCommand(const std::vector<std::string>& words)
{
    const engine::Result<Arguments> arguments = Arguments::parse(kOptions, words);
    if (!arguments)
        return reportUsageError(std::cerr, "devices", arguments.error());
    if (arguments->has("help")) {
        std::cout << helpText("devices", "[--json] [--device D]", kOptions);
        return kExitOk;
    }
    const engine::Result<DevicesOptions> options = optionsFrom(*arguments);
    if (!options)
        return reportUsageError(std::cerr, "devices", options.error());
    const engine::Result<RankedDevices> ranked = listDevices(options->wish);
    if (!ranked) {
        std::cerr << "tokenglass devices: " << ranked.error().message << "\n";
        if (options->json)
            std::cout << nlohmann::json({ { "devices", nlohmann::json::array() },
                { "used", nullptr }, { "error", ranked.error().message } })
                      << "\n";
        return kExitFailed;
    }
    if (options->json)
        std::cout << toJson(*ranked) << "\n";
    else
        print(*ranked);
    return kExitOk;
}

} // namespace app
