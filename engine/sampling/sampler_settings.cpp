#include "engine/sampling/sampler_settings.h"

#include <cmath>
#include <sstream>

namespace engine {

namespace {
    struct Range {
        const char* name;
        double value;
        double lowest;
        double highest;
    };

    Error outside(const Range& range)
    {
        std::ostringstream text;
        text << range.name << " is " << range.value << "; it must be " << range.lowest << " to "
             << range.highest;
        return Error::badRequest(text.str());
    }
}

Result<void> checkSamplerSettings(const SamplerSettings& settings)
{
    const Range ranges[] = {
        { "repeat penalty", settings.repeatPenalty, double(0.01f), 100 },
        { "repeat window", double(settings.repeatWindow), 0, 1048576 },
        { "presence penalty", settings.presencePenalty, -100, 100 },
        { "frequency penalty", settings.frequencyPenalty, -100, 100 },
        { "top-k", double(settings.topK), 0, 1048576 },
        { "top-p", settings.topP, 0, 1 },
        { "min-p", settings.minP, 0, 1 },
        { "temperature", settings.temperature, 0, 100 },
    };
    for (const Range& range : ranges)
        if (!(range.value >= range.lowest && range.value <= range.highest)) // NaN fails too
            return outside(range);
    if (settings.temperature > 0 && settings.temperature < 0.001f)
        return Error::badRequest(
            "temperature is below 0.001; use 0 for the likeliest token always");
    for (const LogitBias& bias : settings.logitBias) {
        if (bias.id < 0)
            return Error::badRequest(
                "logit bias names token " + std::to_string(bias.id) + ", which no vocabulary has");
        if (!std::isfinite(bias.bias) || std::fabs(bias.bias) > 1000)
            return Error::badRequest(
                "logit bias of token " + std::to_string(bias.id) + " must be -1000 to 1000");
    }
    for (const TokenId id : settings.bannedIds)
        if (id < 0)
            return Error::badRequest(
                "token " + std::to_string(id) + " is banned, which no vocabulary has");
    return {};
}

} // namespace engine
