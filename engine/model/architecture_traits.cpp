#include "engine/model/architecture_traits.h"

#include <array>

namespace engine {

namespace {
    // Llama 1 to 3.x, Mistral and SmolLM2 are all "llama".
    constexpr std::array kTable {
        ArchitectureTraits { .name = "llama",
            .ropePairing = RopePairing::Interleaved,
            .activation = Activation::Silu,
            .ropeFrequencyFactors = true },
        ArchitectureTraits { .name = "qwen2",
            .ropePairing = RopePairing::SplitHalf,
            .activation = Activation::Silu,
            .queryKeyValueBiases = true },
        ArchitectureTraits { .name = "qwen3",
            .ropePairing = RopePairing::SplitHalf,
            .activation = Activation::Silu,
            .queryKeyNorms = true },
        ArchitectureTraits { .name = "gemma3",
            .ropePairing = RopePairing::SplitHalf,
            .activation = Activation::GeluTanh,
            .queryKeyNorms = true,
            .postNorms = true,
            .scaledEmbeddings = true,
            .slidingWindowPattern = 6,
            .localRopeBase = 10'000.0f },
    };
}

std::span<const ArchitectureTraits> architectureTable() { return kTable; }

const ArchitectureTraits* findArchitecture(std::string_view name)
{
    for (const ArchitectureTraits& traits : kTable)
        if (name == traits.name)
            return &traits;
    return nullptr;
}

std::string architectureNames()
{
    std::string names;
    for (const ArchitectureTraits& traits : kTable)
        names += (names.empty() ? "" : ", ") + std::string(traits.name);
    return names;
}

} // namespace engine
