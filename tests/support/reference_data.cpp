#include "tests/support/reference_data.h"

#include <cstdlib>
#include <fstream>
#include <iostream>

namespace tests {

namespace {
    std::string environment(const char* name)
    {
        const char* value = std::getenv(name);
        return value ? value : "";
    }
}

std::optional<std::filesystem::path> referenceFolder()
{
    std::filesystem::path folder = environment("TOKENGLASS_REFERENCE");
    if (folder.empty())
        folder = std::filesystem::path(TOKENGLASS_SOURCE_DIR) / "../shared/reference";
    if (!std::filesystem::exists(folder / "greedy.json"))
        return std::nullopt;
    return std::filesystem::weakly_canonical(folder);
}

std::optional<std::filesystem::path> tinyModel(const std::string& stem)
{
    const auto golden
        = std::filesystem::path(TOKENGLASS_SOURCE_DIR) / "tests/golden/models" / (stem + ".gguf");
    if (std::filesystem::exists(golden))
        return golden;
    const auto reference = referenceFolder();
    if (!reference || !std::filesystem::exists(*reference / "models" / (stem + ".gguf")))
        return std::nullopt;
    return *reference / "models" / (stem + ".gguf");
}

std::optional<std::filesystem::path> realModel(const std::string& fileName)
{
    std::filesystem::path data = environment("TOKENGLASS_DATA");
    if (data.empty()) {
        std::filesystem::path share = environment("XDG_DATA_HOME");
        if (share.empty())
            share = std::filesystem::path(environment("HOME")) / ".local/share";
        data = share / "tokenglass";
    }
    const auto file = data / "models" / fileName;
    if (!std::filesystem::exists(file))
        return std::nullopt;
    return file;
}

nlohmann::json readJson(const std::filesystem::path& path)
{
    std::ifstream stream(path);
    if (!stream) {
        std::cerr << "cannot open " << path << "\n";
        std::abort();
    }
    return nlohmann::json::parse(stream);
}

} // namespace tests
