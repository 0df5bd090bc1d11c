#include "engine/model/model_tensors.h"

#include <set>
#include <string>
#include <string_view>

namespace engine {

namespace {
    std::string shapeText(const std::vector<uint64_t>& dimensions)
    {
        std::string text = "[";
        for (uint64_t dimension : dimensions)
            text += (text.size() > 1 ? ", " : "") + std::to_string(dimension);
        return text + "]";
    }

    std::string runnableTypes()
    {
        std::string names;
        for (const TensorTypeInfo& info : tensorTypeTable())
            if (info.runnable)
                names += (names.empty() ? "" : ", ") + std::string(info.name);
        return names;
    }

    class TensorFinder {
    public:
        explicit TensorFinder(const GgufFile& file)
            : m_file(file)
        {
        }

        Result<void> find(const TensorInfo*& found, const std::string& name,
            const std::vector<uint64_t>& dimensions)
        {
            const TensorInfo* tensor = m_file.findTensor(name);
            if (!tensor)
                return Error::badFile(about(name) + " is missing");
            if (tensor->dimensions != dimensions)
                return Error::badFile(about(name) + " has the shape "
                    + shapeText(tensor->dimensions) + "; " + shapeText(dimensions)
                    + " is expected");
            const TensorTypeInfo& info = tensorTypeInfo(tensor->type);
            const bool isVector = dimensions.size() == 1;
            if (!info.runnable || (isVector && tensor->type != TensorType::F32))
                return Error::unsupported(about(name) + " is of type " + info.name
                    + ", which cannot be run here (" + (isVector ? "F32" : runnableTypes())
                    + " can)");
            m_used.insert(tensor->name);
            found = tensor;
            return {};
        }

        Result<void> refuseLeftovers() const
        {
            for (const TensorInfo& tensor : m_file.tensors())
                if (!m_used.contains(tensor.name))
                    return Error::unsupported(about(tensor.name)
                        + " belongs to something that is not implemented for this architecture. "
                          "The model would"
                          " answer wrongly without it, so it is refused");
            return {};
        }

    private:
        std::string about(const std::string& name) const
        {
            return m_file.path().string() + ": tensor \"" + name + "\"";
        }

        const GgufFile& m_file;
        std::set<std::string_view> m_used;
    };

    Result<LayerTensors> findLayer(TensorFinder& finder, const ModelConfig& config, uint32_t layer)
    {
        const std::string prefix = "blk." + std::to_string(layer) + ".";
        const ArchitectureTraits& traits = *config.traits;
        const uint64_t embedding = config.embeddingLength;
        const uint64_t queryLength = config.queryLength();
        const uint64_t kvLength = config.kvLength();
        const uint64_t feedForward = config.feedForwardLength;
        LayerTensors t;
        TRY(finder.find(t.attentionNorm, prefix + "attn_norm.weight", { embedding }));
        TRY(finder.find(t.query, prefix + "attn_q.weight", { embedding, queryLength }));
        TRY(finder.find(t.key, prefix + "attn_k.weight", { embedding, kvLength }));
        TRY(finder.find(t.value, prefix + "attn_v.weight", { embedding, kvLength }));
        if (traits.queryKeyValueBiases) {
            TRY(finder.find(t.queryBias, prefix + "attn_q.bias", { queryLength }));
            TRY(finder.find(t.keyBias, prefix + "attn_k.bias", { kvLength }));
            TRY(finder.find(t.valueBias, prefix + "attn_v.bias", { kvLength }));
        }
        if (traits.queryKeyNorms) {
            TRY(finder.find(t.queryNorm, prefix + "attn_q_norm.weight", { config.headDim }));
            TRY(finder.find(t.keyNorm, prefix + "attn_k_norm.weight", { config.headDim }));
        }
        TRY(finder.find(
            t.attentionOutput, prefix + "attn_output.weight", { queryLength, embedding }));
        TRY(finder.find(t.feedForwardNorm, prefix + "ffn_norm.weight", { embedding }));
        TRY(finder.find(t.gate, prefix + "ffn_gate.weight", { embedding, feedForward }));
        TRY(finder.find(t.up, prefix + "ffn_up.weight", { embedding, feedForward }));
        TRY(finder.find(t.down, prefix + "ffn_down.weight", { feedForward, embedding }));
        if (traits.postNorms) {
            TRY(finder.find(
                t.attentionPostNorm, prefix + "post_attention_norm.weight", { embedding }));
            TRY(finder.find(t.feedForwardPostNorm, prefix + "post_ffw_norm.weight", { embedding }));
        }
        return t;
    }
}

Result<ModelTensors> ModelTensors::create(const GgufFile& file, const ModelConfig& config)
{
    TensorFinder finder(file);
    ModelTensors tensors;
    const std::vector<uint64_t> scoring { config.embeddingLength, config.vocabularySize };
    TRY(finder.find(tensors.tokenEmbedding, "token_embd.weight", scoring));
    TRY(finder.find(tensors.outputNorm, "output_norm.weight", { config.embeddingLength }));
    tensors.output = tensors.tokenEmbedding;
    if (!config.tiedOutput)
        TRY(finder.find(tensors.output, "output.weight", scoring));
    if (config.globalRope.frequencyFactors)
        TRY(finder.find(tensors.ropeFactors, "rope_freqs.weight", { config.headDim / 2 }));
    for (uint32_t layer = 0; layer < config.layerCount; ++layer) {
        TRY_ASSIGN(tensors.layers.emplace_back(), findLayer(finder, config, layer));
    }
    TRY(finder.refuseLeftovers());
    return tensors;
}

} // namespace engine
