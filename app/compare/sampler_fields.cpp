#include "app/compare/sampler_fields.h"

#include "app/runs/run_json.h"

namespace app {

namespace {
    using engine::SamplerSettings;

    template <auto field> bool isSame(const SamplerSettings& a, const SamplerSettings& b)
    {
        return a.*field == b.*field;
    }
    template <auto field> void take(SamplerSettings& to, const SamplerSettings& from)
    {
        to.*field = from.*field;
    }
    template <auto field> std::string value(const SamplerSettings& settings)
    {
        if constexpr (std::is_same_v<decltype(settings.*field), const float&>)
            return dumped(shortest(settings.*field));
        else
            return std::to_string(settings.*field);
    }
    std::string biasValue(const SamplerSettings& settings)
    {
        return std::to_string(settings.logitBias.size())
            + (settings.logitBias.size() == 1 ? " token" : " tokens");
    }
    std::string bannedValue(const SamplerSettings& settings)
    {
        return std::to_string(settings.bannedIds.size())
            + (settings.bannedIds.size() == 1 ? " token" : " tokens");
    }
    template <auto field> constexpr SamplerField fieldOf(const char* name)
    {
        return { name, isSame<field>, take<field>, value<field> };
    }

    constexpr SamplerField kFields[] {
        fieldOf<&SamplerSettings::repeatPenalty>("repeat_penalty"),
        fieldOf<&SamplerSettings::repeatWindow>("repeat_window"),
        fieldOf<&SamplerSettings::presencePenalty>("presence_penalty"),
        fieldOf<&SamplerSettings::frequencyPenalty>("frequency_penalty"),
        { "logit_bias", isSame<&SamplerSettings::logitBias>, take<&SamplerSettings::logitBias>, biasValue },
        { "banned_token_ids", isSame<&SamplerSettings::bannedIds>, take<&SamplerSettings::bannedIds>,
            bannedValue },
        fieldOf<&SamplerSettings::topK>("top_k"),
        fieldOf<&SamplerSettings::topP>("top_p"),
        fieldOf<&SamplerSettings::minP>("min_p"),
        fieldOf<&SamplerSettings::temperature>("temperature"),
        fieldOf<&SamplerSettings::seed>("seed"),
    };
}

std::span<const SamplerField> samplerFields() { return kFields; }

std::vector<const SamplerField*> differingFields(const SamplerSettings& a, const SamplerSettings& b)
{
    std::vector<const SamplerField*> fields;
    for (const SamplerField& field : kFields)
        if (!field.isSame(a, b))
            fields.push_back(&field);
    return fields;
}

} // namespace app
