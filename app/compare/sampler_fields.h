#pragma once

#include "engine/sampling/sampler_settings.h"

#include <span>
#include <string>
#include <vector>

namespace app {

/// One number of the sampler's settings, by itself.
struct SamplerField {
    const char* name; ///< in JSON: "top_p"
    bool (*isSame)(const engine::SamplerSettings& a, const engine::SamplerSettings& b);
    void (*take)(engine::SamplerSettings& to, const engine::SamplerSettings& from);
    std::string (*value)(const engine::SamplerSettings& settings); ///< "0.95"
};

/// All of them, in the order in which the stages run; the seed last.
std::span<const SamplerField> samplerFields();
/// Those in which two settings differ.
std::vector<const SamplerField*> differingFields(
    const engine::SamplerSettings& a, const engine::SamplerSettings& b);

} // namespace app
