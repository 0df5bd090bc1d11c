#include "app/cli/synthetic_model.h"

#include "app/cli/random_weights.h"
#include "engine/tokenizer/byte_letters.h"

#include <QStandardPaths>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <system_error>
#include <unistd.h>

using engine::Result;
using engine::TensorPlan;
using engine::TensorType;

namespace app {

namespace {
    constexpr std::array kShapes {
        SyntheticShape { "smollm2", "SmolLM2-135M Q4_1", "llama", 30, 576, 1536, 9, 3, 64, 49'152,
            8'192, 100'000,
            { .embedding = TensorType::Q8_0,
                .queryAndKey = TensorType::Q4_1,
                .value = TensorType::Q4_1,
                .valueWithMoreBits = TensorType::Q4_1,
                .attentionOutput = TensorType::Q4_1,
                .gateAndUp = TensorType::Q4_1,
                .down = TensorType::Q4_1,
                .downWithMoreBits = TensorType::Q4_1 } },
        // Rows of 640 are no multiple of 256, so that its Q4_K_M file has other types in most
        // places.
        SyntheticShape { "gemma", "Gemma 3 270M Q4_K_M", "gemma3", 18, 640, 2048, 4, 1, 256,
            262'144, 32'768, 1'000'000,
            { .embedding = TensorType::Q8_0,
                .queryAndKey = TensorType::Q5_0,
                .value = TensorType::Q5_0,
                .valueWithMoreBits = TensorType::Q8_0,
                .attentionOutput = TensorType::Q4_K,
                .gateAndUp = TensorType::Q5_0,
                .down = TensorType::Q4_K,
                .downWithMoreBits = TensorType::Q6_K } },
        SyntheticShape { "8b-q4_k", "Llama 3 8B, Q4_K but for a Q6_K output", "llama", 32, 4096,
            14'336, 32, 8, 128, 128'256, 8'192, 500'000,
            { .embedding = TensorType::Q4_K,
                .queryAndKey = TensorType::Q4_K,
                .value = TensorType::Q4_K,
                .valueWithMoreBits = TensorType::Q4_K,
                .attentionOutput = TensorType::Q4_K,
                .gateAndUp = TensorType::Q4_K,
                .down = TensorType::Q4_K,
                .downWithMoreBits = TensorType::Q4_K,
                .separateOutput = TensorType::Q6_K } },
    };

    /// The layers to which Q4_K_M files give more bits: the first and last eighth, and every third
    /// between.
    bool hasMoreBits(uint32_t layer, uint32_t layerCount)
    {
        const uint32_t eighth = layerCount / 8;
        return layer < eighth || layer >= 7 * layerCount / 8 || (layer - eighth) % 3 == 2;
    }

    bool isGemma(const SyntheticShape& shape)
    {
        return std::string_view(shape.architecture) == "gemma3";
    }

    void setKeys(engine::GgufWriter& writer, const SyntheticShape& shape)
    {
        const auto key
            = [&](const char* name) { return std::string(shape.architecture) + "." + name; };
        writer.setString("general.architecture", shape.architecture);
        writer.setString("general.name", std::string("synthetic ") + shape.name);
        writer.setUint32(key("block_count"), shape.layerCount);
        writer.setUint32(key("context_length"), shape.contextLength);
        writer.setUint32(key("embedding_length"), shape.embeddingLength);
        writer.setUint32(key("feed_forward_length"), shape.feedForwardLength);
        writer.setUint32(key("attention.head_count"), shape.headCount);
        writer.setUint32(key("attention.head_count_kv"), shape.kvHeadCount);
        writer.setUint32(key("attention.key_length"), shape.headDim);
        writer.setUint32(key("attention.value_length"), shape.headDim);
        writer.setFloat(key("attention.layer_norm_rms_epsilon"), 1e-5f);
        writer.setFloat(key("rope.freq_base"), shape.ropeBase);
        if (isGemma(shape))
            writer.setUint32(key("attention.sliding_window"), 512);
    }

    /// An end token, every byte, one merge, and words that no text is ever cut into.
    void setVocabulary(engine::GgufWriter& writer, const SyntheticShape& shape)
    {
        constexpr int32_t kNormal = 1;
        constexpr int32_t kControl = 3;
        std::vector<std::string> pieces { "<|end|>" };
        for (int byte = 0; byte < 256; ++byte)
            pieces.push_back(engine::letterOfByte(uint8_t(byte)));
        const std::string space = engine::letterOfByte(' ');
        pieces.push_back(space + "t");
        while (pieces.size() < shape.vocabularySize)
            pieces.push_back(space + "word" + std::to_string(pieces.size()));
        std::vector<int32_t> types(pieces.size(), kNormal);
        types.front() = kControl;
        writer.setString("tokenizer.ggml.model", "gpt2");
        writer.setString("tokenizer.ggml.pre", "gpt-2");
        writer.setStrings("tokenizer.ggml.tokens", pieces);
        writer.setInt32s("tokenizer.ggml.token_type", types);
        writer.setStrings("tokenizer.ggml.merges", { space + " t" });
        writer.setUint32("tokenizer.ggml.eos_token_id", 0);
        writer.setBool("tokenizer.ggml.add_bos_token", false);
    }

    void fillOnes(std::span<std::byte> bytes)
    {
        constexpr float kOne = 1;
        for (size_t at = 0; at < bytes.size(); at += sizeof kOne)
            std::memcpy(bytes.data() + at, &kOne, sizeof kOne);
    }

    std::filesystem::path cacheFolder()
    {
        const QString folder
            = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
        return std::filesystem::path(folder.toStdString()) / "tokenglass";
    }
}

std::span<const SyntheticShape> syntheticShapes() { return kShapes; }

const SyntheticShape* findSyntheticShape(std::string_view name)
{
    const auto row = std::ranges::find_if(
        kShapes, [&](const SyntheticShape& shape) { return name == shape.name; });
    return row == kShapes.end() ? nullptr : &*row;
}

std::vector<TensorPlan> syntheticTensors(const SyntheticShape& shape)
{
    std::vector<TensorPlan> tensors;
    const uint64_t embedding = shape.embeddingLength;
    const uint64_t feedForward = shape.feedForwardLength;
    const uint64_t queryLength = uint64_t(shape.headCount) * shape.headDim;
    const uint64_t kvLength = uint64_t(shape.kvHeadCount) * shape.headDim;
    const SyntheticTypes& types = shape.types;
    tensors.push_back(
        { "token_embd.weight", types.embedding, { embedding, shape.vocabularySize } });
    for (uint32_t layer = 0; layer < shape.layerCount; ++layer) {
        const std::string prefix = "blk." + std::to_string(layer) + ".";
        const auto matrix
            = [&](const char* name, TensorType type, uint64_t columns, uint64_t rows) {
                  tensors.push_back({ prefix + name, type, { columns, rows } });
              };
        const auto norm = [&](const char* name, uint64_t length) {
            tensors.push_back({ prefix + name, TensorType::F32, { length } });
        };
        const bool moreBits = hasMoreBits(layer, shape.layerCount);
        norm("attn_norm.weight", embedding);
        matrix("attn_q.weight", types.queryAndKey, embedding, queryLength);
        matrix("attn_k.weight", types.queryAndKey, embedding, kvLength);
        matrix(
            "attn_v.weight", moreBits ? types.valueWithMoreBits : types.value, embedding, kvLength);
        matrix("attn_output.weight", types.attentionOutput, queryLength, embedding);
        norm("ffn_norm.weight", embedding);
        matrix("ffn_gate.weight", types.gateAndUp, embedding, feedForward);
        matrix("ffn_up.weight", types.gateAndUp, embedding, feedForward);
        matrix("ffn_down.weight", moreBits ? types.downWithMoreBits : types.down, feedForward,
            embedding);
        if (!isGemma(shape))
            continue;
        norm("attn_q_norm.weight", shape.headDim);
        norm("attn_k_norm.weight", shape.headDim);
        norm("post_attention_norm.weight", embedding);
        norm("post_ffw_norm.weight", embedding);
    }
    tensors.push_back({ "output_norm.weight", TensorType::F32, { embedding } });
    if (types.separateOutput)
        tensors.push_back(
            { "output.weight", *types.separateOutput, { embedding, shape.vocabularySize } });
    return tensors;
}

Result<void> writeSyntheticModel(const SyntheticShape& shape, const std::filesystem::path& path,
    const std::function<bool()>& cancelled)
{
    engine::GgufWriter writer;
    setKeys(writer, shape);
    setVocabulary(writer, shape);
    for (TensorPlan& tensor : syntheticTensors(shape))
        writer.addTensor(std::move(tensor));
    RandomWeights random(20'260'101);
    return writer.save(path, [&](const TensorPlan& tensor, std::span<std::byte> piece) {
        // Norms multiply by 1; a product with n columns keeps the size of what it multiplies.
        if (tensor.dimensions.size() == 1)
            fillOnes(piece);
        else
            random.fill(tensor.type, 1 / std::sqrt(float(tensor.dimensions.front())), piece);
        return !cancelled();
    });
}

Result<std::unique_ptr<SyntheticModelFile>> SyntheticModelFile::create(
    const SyntheticShape& shape, const std::function<bool()>& cancelled)
{
    const std::filesystem::path folder = cacheFolder();
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return engine::Error::io(folder.string() + ": cannot be made: " + error.message());
    std::unique_ptr<SyntheticModelFile> file(new SyntheticModelFile(folder
        / (std::string("synthetic-") + shape.name + "-" + std::to_string(::getpid()) + ".gguf")));
    TRY(writeSyntheticModel(shape, file->path(), cancelled));
    return file;
}

SyntheticModelFile::~SyntheticModelFile()
{
    std::error_code ignored; // gone already, or its folder is
    std::filesystem::remove(m_path, ignored);
}

} // namespace app
