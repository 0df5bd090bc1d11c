#include "engine/model/hyperparameter_keys.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <type_traits>

namespace engine {

namespace {
    struct NeutralKey {
        std::string_view key; ///< after "<architecture>."
        double neutral; ///< the value at which it changes nothing
        const char* meaning;
    };

    /// Read by ModelConfig, which refuses what it cannot use.
    constexpr std::array<std::string_view, 18> kReadKeys {
        "attention.head_count",
        "attention.head_count_kv",
        "attention.key_length",
        "attention.layer_norm_rms_epsilon",
        "attention.sliding_window",
        "attention.sliding_window_pattern",
        "attention.value_length",
        "block_count",
        "context_length",
        "embedding_length",
        "feed_forward_length",
        "rope.dimension_count",
        "rope.freq_base",
        "rope.freq_base_swa",
        "rope.scale_linear",
        "rope.scaling.factor",
        "rope.scaling.type",
        "vocab_size",
    };

    /// Say where the model comes from, not how it computes. The original context length matters
    /// only to RoPE scalings that are refused by their type.
    constexpr std::array<std::string_view, 3> kKeysWithoutEffect {
        "rope.scaling.finetuned",
        "rope.scaling.original_context_length",
        "tensor_data_layout",
    };

    constexpr std::array kNeutralKeys {
        NeutralKey { "expert_count", 0, "a mixture of experts" },
        NeutralKey { "expert_used_count", 0, "a mixture of experts" },
        NeutralKey { "expert_shared_count", 0, "a mixture of experts" },
        NeutralKey { "attn_logit_softcapping", 0, "a soft-cap on attention scores" },
        NeutralKey { "final_logit_softcapping", 0, "a soft-cap on logits" },
        NeutralKey { "attention.causal", 1, "attention to later tokens" },
        NeutralKey { "attention.clamp_kqv", 0, "clamped attention inputs" },
        NeutralKey { "attention.max_alibi_bias", 0, "ALiBi positions" },
        NeutralKey { "attention.scale", 0, "an attention scale of its own" },
        NeutralKey { "embedding_scale", 1, "an embedding scale of its own" },
        NeutralKey { "logit_scale", 1, "a logit scale" },
        NeutralKey { "residual_scale", 1, "a residual scale" },
        NeutralKey { "pooling_type", 0, "an embedding model" },
        NeutralKey { "rope.scaling.attn_factor", 1, "an attention factor" },
        NeutralKey { "rope.scaling.yarn_log_multiplier", 0, "YaRN" },
        NeutralKey { "nextn_predict_layers", 0, "layers that predict several tokens" },
    };

    std::optional<double> numberIn(const MetadataValue& value)
    {
        return std::visit(
            [](const auto& typed) -> std::optional<double> {
                if constexpr (std::is_arithmetic_v<std::decay_t<decltype(typed)>>)
                    return double(typed);
                else
                    return std::nullopt;
            },
            value);
    }

    bool listed(std::span<const std::string_view> keys, std::string_view key)
    {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    }

    /// Why a key cannot be accepted; none when it can.
    std::optional<std::string> refusal(std::string_view key, const MetadataValue& value)
    {
        if (listed(kReadKeys, key) || listed(kKeysWithoutEffect, key))
            return std::nullopt;
        for (const NeutralKey& known : kNeutralKeys) {
            if (known.key != key)
                continue;
            if (numberIn(value) == known.neutral)
                return std::nullopt;
            return std::string("it stands for ") + known.meaning + ", which is not implemented";
        }
        return "this key is not known to the program, and it may change the arithmetic";
    }
}

Result<void> refuseUnknownHyperparameters(const Metadata& metadata, std::string_view architecture)
{
    const std::string prefix = std::string(architecture) + ".";
    for (auto entry = metadata.entries().lower_bound(prefix);
         entry != metadata.entries().end() && entry->first.starts_with(prefix); ++entry) {
        const auto& [key, value] = *entry;
        if (const auto reason = refusal(std::string_view(key).substr(prefix.size()), value))
            return Error::unsupported(metadata.fileName() + ": metadata key \"" + key
                + "\" = " + describeMetadataValue(value) + ": " + *reason
                + ". The model would answer wrongly, so it is refused");
    }
    return {};
}

} // namespace engine
