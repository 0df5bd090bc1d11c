#include "engine/model/model_config.h"

#include "engine/model/hyperparameter_keys.h"

#include <cmath>
#include <optional>
#include <string>

namespace engine {

namespace {
    constexpr uint32_t kMaxLayers = 1'024;
    constexpr uint32_t kMaxLength = 1u << 20; // embedding, feed-forward
    constexpr uint32_t kMaxHeads = 4'096;
    constexpr uint32_t kMaxHeadDim = 4'096; // heads times head dim fits 32 bits
    constexpr uint32_t kMaxVocabulary = 4u << 20;
    constexpr uint32_t kMaxContext = 1u << 30;

    /// The only number in Gemma 3 that no key carries: the 27B model, known by its 62 layers,
    /// scales attention by the embedding length per head and not by the head dim
    /// (query_pre_attn_scalar 168).
    constexpr uint32_t kGemma27Layers = 62;

    class ConfigReader {
    public:
        ConfigReader(const GgufFile& file, const ArchitectureTraits& traits)
            : m_file(file)
            , m_metadata(file.metadata())
            , m_traits(traits)
        {
        }

        Result<ModelConfig> read()
        {
            m_config.traits = &m_traits;
            TRY(refuseUnknownHyperparameters(m_metadata, m_traits.name));
            TRY(readLengths());
            TRY(readHeads());
            TRY(readVocabulary());
            TRY(readRope());
            TRY(readSlidingWindow());
            readScales();
            return m_config;
        }

    private:
        std::string keyOf(const char* name) const
        {
            return std::string(m_traits.name) + "." + name;
        }
        bool has(const char* name) const { return m_metadata.contains(keyOf(name)); }

        Error bad(const char* name, const std::string& reason) const
        {
            return Error::badFile(
                m_file.path().string() + ": metadata key \"" + keyOf(name) + "\" " + reason);
        }
        Error unsupported(const char* name, const std::string& reason) const
        {
            return Error::unsupported(bad(name, reason).message);
        }

        Result<uint32_t> number(
            const char* name, uint32_t max, std::optional<uint32_t> fallback = {}) const
        {
            const MetadataValue* value = m_metadata.find(keyOf(name));
            if (!value && fallback)
                return *fallback;
            if (value && std::holds_alternative<std::vector<uint32_t>>(*value))
                return perLayer(name, *value);
            if (value && std::holds_alternative<std::vector<int32_t>>(*value))
                return perLayer(name, *value);
            TRY_ASSIGN(const uint32_t found, m_metadata.getUint32(keyOf(name)));
            if (found < 1 || found > max)
                return bad(name,
                    "is " + std::to_string(found) + "; 1 to " + std::to_string(max)
                        + " are allowed");
            return found;
        }
        Error perLayer(const char* name, const MetadataValue& value) const
        {
            return unsupported(name,
                "= " + describeMetadataValue(value)
                    + " differs from layer to layer, which is not implemented");
        }

        Result<float> positive(const char* name, std::optional<float> fallback = {}) const
        {
            if (!has(name) && fallback)
                return *fallback;
            TRY_ASSIGN(const float found, m_metadata.getFloat(keyOf(name)));
            if (!std::isfinite(found) || found <= 0.0f)
                return bad(name, "is " + std::to_string(found) + "; a positive number is expected");
            return found;
        }

        Result<void> readLengths()
        {
            TRY_ASSIGN(m_config.layerCount, number("block_count", kMaxLayers));
            TRY_ASSIGN(m_config.embeddingLength, number("embedding_length", kMaxLength));
            TRY_ASSIGN(m_config.feedForwardLength, number("feed_forward_length", kMaxLength));
            TRY_ASSIGN(m_config.contextLength, number("context_length", kMaxContext));
            TRY_ASSIGN(m_config.rmsNormEpsilon, positive("attention.layer_norm_rms_epsilon"));
            return {};
        }

        Result<void> readHeads()
        {
            TRY_ASSIGN(m_config.headCount, number("attention.head_count", kMaxHeads));
            TRY_ASSIGN(m_config.kvHeadCount,
                number("attention.head_count_kv", kMaxHeads, m_config.headCount));
            if (m_config.headCount % m_config.kvHeadCount != 0)
                return bad("attention.head_count_kv",
                    "is " + std::to_string(m_config.kvHeadCount) + ", which does not divide the "
                        + std::to_string(m_config.headCount) + " heads");
            std::optional<uint32_t> fallback;
            if (m_config.embeddingLength % m_config.headCount == 0)
                fallback = m_config.embeddingLength / m_config.headCount;
            TRY_ASSIGN(m_config.headDim, number("attention.key_length", kMaxHeadDim, fallback));
            if (m_config.headDim < 2 || m_config.headDim % 2 != 0 || m_config.headDim > kMaxHeadDim)
                return bad("attention.key_length",
                    "gives a head of " + std::to_string(m_config.headDim)
                        + " values; an even number up to " + std::to_string(kMaxHeadDim)
                        + " is expected");
            TRY_ASSIGN(const uint32_t valueLength,
                number("attention.value_length", kMaxHeadDim, m_config.headDim));
            if (valueLength != m_config.headDim)
                return unsupported("attention.value_length",
                    "is " + std::to_string(valueLength) + ", other than the key length "
                        + std::to_string(m_config.headDim) + ", which is not implemented");
            return {};
        }

        Result<void> readVocabulary()
        {
            const std::string file = m_file.path().string();
            if (m_file.tensors().empty())
                return Error::badFile(
                    file + ": the file holds a vocabulary and no tensors; it cannot generate");
            const TensorInfo* embedding = m_file.findTensor("token_embd.weight");
            if (!embedding)
                return Error::badFile(file + ": tensor \"token_embd.weight\" is missing");
            if (embedding->rows() > kMaxVocabulary)
                return Error::badFile(file + ": tensor \"token_embd.weight\" has "
                    + std::to_string(embedding->rows()) + " rows; at most "
                    + std::to_string(kMaxVocabulary) + " are allowed");
            m_config.vocabularySize = uint32_t(embedding->rows());
            m_config.tiedOutput = !m_file.findTensor("output.weight");
            TRY_ASSIGN(const uint32_t stated,
                number("vocab_size", kMaxVocabulary, m_config.vocabularySize));
            if (stated != m_config.vocabularySize)
                return bad("vocab_size",
                    "is " + std::to_string(stated) + ", but \"token_embd.weight\" has "
                        + std::to_string(m_config.vocabularySize) + " rows");
            if (!m_metadata.contains("tokenizer.ggml.tokens"))
                return {};
            TRY_ASSIGN(const auto tokens, m_metadata.getStrings("tokenizer.ggml.tokens"));
            if (tokens.size() != m_config.vocabularySize)
                return Error::badFile(file + ": metadata key \"tokenizer.ggml.tokens\" has "
                    + std::to_string(tokens.size()) + " entries, but \"token_embd.weight\" has "
                    + std::to_string(m_config.vocabularySize) + " rows");
            return {};
        }

        Result<void> readRope()
        {
            TRY_ASSIGN(const uint32_t rotated,
                number("rope.dimension_count", kMaxHeadDim, m_config.headDim));
            if (rotated != m_config.headDim)
                return unsupported("rope.dimension_count",
                    "is " + std::to_string(rotated) + ": rotating only a part of the "
                        + std::to_string(m_config.headDim)
                        + " values of a head is not implemented");
            TRY_ASSIGN(m_config.globalRope.base, positive("rope.freq_base", 10'000.0f));
            // Old files name the factor alone; it always meant linear scaling.
            TRY_ASSIGN(const std::string scaling,
                m_metadata.getStringOr(keyOf("rope.scaling.type"), "linear"));
            if (scaling != "linear" && scaling != "none")
                return unsupported("rope.scaling.type",
                    "= " + describeMetadataValue(scaling)
                        + " is not implemented (none and linear are). The model would answer "
                          "wrongly, so it is refused");
            const char* factorName
                = has("rope.scaling.factor") ? "rope.scaling.factor" : "rope.scale_linear";
            TRY_ASSIGN(const float factor, positive(factorName, 1.0f));
            if (scaling == "linear")
                m_config.globalRope.positionScale = 1.0f / factor;
            m_config.globalRope.frequencyFactors
                = m_traits.ropeFrequencyFactors && m_file.findTensor("rope_freqs.weight");
            m_config.localRope = m_config.globalRope;
            return {};
        }

        Result<void> readSlidingWindow()
        {
            if (m_traits.slidingWindowPattern == 0)
                return refuseSlidingWindow();
            TRY_ASSIGN(m_config.slidingWindow, number("attention.sliding_window", kMaxContext));
            TRY_ASSIGN(m_config.slidingWindowPattern,
                number(
                    "attention.sliding_window_pattern", kMaxLayers, m_traits.slidingWindowPattern));
            // Linear scaling stretches the global layers alone; a window never needs more
            // positions.
            TRY_ASSIGN(
                m_config.localRope.base, positive("rope.freq_base_swa", m_traits.localRopeBase));
            m_config.localRope.positionScale = 1.0f;
            return {};
        }

        Result<void> refuseSlidingWindow()
        {
            for (const char* name : { "attention.sliding_window_pattern", "rope.freq_base_swa" })
                if (has(name))
                    return unsupported(name,
                        std::string("is not implemented for the architecture ") + m_traits.name);
            TRY_ASSIGN(const uint32_t window,
                m_metadata.getUint32Or(keyOf("attention.sliding_window"), 0));
            if (window != 0 && window < m_config.contextLength)
                return unsupported("attention.sliding_window",
                    "= " + std::to_string(window) + " is not implemented for the architecture "
                        + m_traits.name);
            return {};
        }

        void readScales()
        {
            if (m_traits.scaledEmbeddings)
                m_config.embeddingScale = std::sqrt(float(m_config.embeddingLength));
            float scaledLength = float(m_config.headDim);
            if (std::string_view(m_traits.name) == "gemma3"
                && m_config.layerCount == kGemma27Layers)
                scaledLength = float(m_config.embeddingLength) / float(m_config.headCount);
            m_config.attentionScale = 1.0f / std::sqrt(scaledLength);
        }

        const GgufFile& m_file;
        const Metadata& m_metadata;
        const ArchitectureTraits& m_traits;
        ModelConfig m_config;
    };
}

Result<ModelConfig> ModelConfig::create(const GgufFile& file)
{
    TRY_ASSIGN(const std::string type, file.metadata().getStringOr("general.type", "model"));
    if (type != "model")
        return Error::unsupported(file.path().string() + ": metadata key \"general.type\" = "
            + describeMetadataValue(type) + ": this is no language model by itself");
    TRY_ASSIGN(const std::string architecture, file.metadata().getString("general.architecture"));
    const ArchitectureTraits* traits = findArchitecture(architecture);
    if (!traits)
        return Error::unsupported(file.path().string() + ": the architecture "
            + describeMetadataValue(architecture) + " is not implemented (" + architectureNames()
            + " are)");
    return ConfigReader(file, *traits).read();
}

} // namespace engine
