#include "app/cli/inspect_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_table.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/model_config.h"
#include "engine/model/model_tensors.h"
#include "engine/tokenizer/tokenizer.h"

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

namespace app {

namespace {
    constexpr OptionSpec kInspectOptions[] { { "json", nullptr, "print one JSON object" } };

    engine::Result<engine::ModelConfig> runnableConfig(const engine::GgufFile& file)
    {
        TRY_ASSIGN(const engine::ModelConfig config, engine::ModelConfig::create(file));
        TRY_ASSIGN(const auto tensors, engine::ModelTensors::create(file, config));
        return config;
    }

    /// Empty when texts can be turned into the model's tokens, else why not.
    std::string tokenizerRefusal(const engine::GgufFile& file)
    {
        const auto tokenizer = engine::Tokenizer::create(file);
        return tokenizer ? "" : tokenizer.error().message;
    }

    nlohmann::json textOrNull(const std::string& text)
    {
        return text.empty() ? nlohmann::json() : nlohmann::json(text);
    }

    /// 98362432 as "98,362,432".
    std::string grouped(uint64_t number)
    {
        const std::string digits = std::to_string(number);
        std::string text;
        for (size_t i = 0; i < digits.size(); ++i) {
            if (i > 0 && (digits.size() - i) % 3 == 0)
                text += ',';
            text += digits[i];
        }
        return text;
    }

    std::string shapeText(const engine::TensorInfo& tensor)
    {
        std::string text = "[";
        for (const uint64_t dimension : tensor.dimensions)
            text += (text.size() > 1 ? ", " : "") + std::to_string(dimension);
        return text + "]";
    }

    const char* typeName(const engine::TensorInfo& tensor)
    {
        return engine::tensorTypeInfo(tensor.type).name;
    }

    nlohmann::json toJson(const engine::ModelConfig& config)
    {
        return { { "architecture", config.traits->name }, { "layers", config.layerCount },
            { "embedding_length", config.embeddingLength },
            { "feed_forward_length", config.feedForwardLength }, { "heads", config.headCount },
            { "kv_heads", config.kvHeadCount }, { "head_dim", config.headDim },
            { "vocabulary", config.vocabularySize }, { "context_length", config.contextLength },
            { "sliding_window", config.slidingWindow }, { "rope_base", config.globalRope.base },
            { "rope_position_scale", config.globalRope.positionScale },
            { "rope_frequency_factors", config.globalRope.frequencyFactors },
            { "rms_norm_epsilon", config.rmsNormEpsilon }, { "tied_output", config.tiedOutput } };
    }

    nlohmann::json toJson(
        const engine::GgufFile& file, const engine::Result<engine::ModelConfig>& config)
    {
        nlohmann::json metadata = nlohmann::json::object();
        for (const auto& [key, value] : file.metadata().entries())
            metadata[key] = { { "type", engine::metadataTypeName(value) },
                { "value", engine::describeMetadataValue(value) } };
        nlohmann::json tensors = nlohmann::json::array();
        for (const engine::TensorInfo& tensor : file.tensors())
            tensors.push_back({ { "name", tensor.name }, { "type", typeName(tensor) },
                { "dimensions", tensor.dimensions }, { "offset", tensor.fileOffset },
                { "bytes", tensor.bytes } });
        return { { "file", file.path().string() }, { "bytes", file.fileBytes() },
            { "version", file.version() }, { "stray_bytes", file.strayBytes() },
            { "metadata", metadata }, { "tensors", tensors },
            { "config", config ? toJson(*config) : nlohmann::json() },
            { "tokenizer_refusal", textOrNull(tokenizerRefusal(file)) },
            { "refusal", textOrNull(config ? "" : config.error().message) } };
    }

    void printConfig(const engine::ModelConfig& config)
    {
        std::cout << "runs here: yes\n"
                  << "  architecture     " << config.traits->name << "\n"
                  << "  layers           " << config.layerCount << "\n"
                  << "  embedding        " << config.embeddingLength << "\n"
                  << "  feed-forward     " << config.feedForwardLength << "\n"
                  << "  heads            " << config.headCount << " of " << config.headDim
                  << " values, " << config.kvHeadCount << " for keys and values\n"
                  << "  vocabulary       " << grouped(config.vocabularySize)
                  << (config.tiedOutput ? ", output tied to the embedding" : "") << "\n"
                  << "  context          " << grouped(config.contextLength) << "\n"
                  << "  RoPE base        " << config.globalRope.base;
        if (config.globalRope.positionScale != 1.0f)
            std::cout << ", positions times " << config.globalRope.positionScale;
        if (config.globalRope.frequencyFactors)
            std::cout << ", frequency factors";
        std::cout << "\n";
        if (config.slidingWindow > 0)
            std::cout << "  sliding window   " << config.slidingWindow << ", every "
                      << config.slidingWindowPattern
                      << "th layer sees the whole context; local RoPE base "
                      << config.localRope.base << "\n";
    }

    void printTensors(const engine::GgufFile& file)
    {
        struct Sum {
            size_t count = 0;
            uint64_t bytes = 0;
        };
        std::map<std::string, Sum> sums;
        size_t width = 0;
        for (const engine::TensorInfo& tensor : file.tensors()) {
            Sum& sum = sums[typeName(tensor)];
            ++sum.count;
            sum.bytes += tensor.bytes;
            width = std::max(width, tensor.name.size());
        }
        std::cout << "tensors: " << file.tensors().size() << "\n";
        for (const auto& [type, sum] : sums)
            std::cout << "  " << type << ": " << sum.count << " of " << grouped(sum.bytes)
                      << " bytes in all\n";
        for (const engine::TensorInfo& tensor : file.tensors())
            std::cout << "  " << std::left << std::setw(int(width) + 2) << tensor.name
                      << std::setw(6) << typeName(tensor) << std::setw(16) << shapeText(tensor)
                      << grouped(tensor.bytes) << " bytes\n";
    }

    void print(const engine::GgufFile& file, const engine::Result<engine::ModelConfig>& config)
    {
        std::cout << file.path().string() << ": GGUF version " << file.version() << ", "
                  << grouped(file.fileBytes()) << " bytes\n";
        if (file.strayBytes() > 0)
            std::cout << "warning: " << grouped(file.strayBytes())
                      << " bytes follow the last tensor and belong to nothing: the download may be "
                         "damaged\n";
        if (config)
            printConfig(*config);
        else
            std::cout << "runs here: no\n  " << config.error().message << "\n";
        const std::string refusal = tokenizerRefusal(file);
        std::cout << "reads text: " << (refusal.empty() ? "yes" : "no\n  " + refusal) << "\n";
        std::cout << "metadata: " << file.metadata().entries().size() << "\n";
        for (const auto& [key, value] : file.metadata().entries())
            std::cout << "  " << key << " (" << engine::metadataTypeName(value)
                      << ") = " << engine::describeMetadataValue(value) << "\n";
        printTensors(file);
    }
}

int runInspectCommand(const std::vector<std::string>& words)
{
    const auto arguments = Arguments::parse(kInspectOptions, words);
    if (!arguments)
        return reportUsageError(std::cerr, "inspect", arguments.error());
    if (arguments->has("help")) {
        std::cout << helpText("inspect", "FILE [--json]", kInspectOptions);
        return kExitOk;
    }
    if (arguments->positionals().size() != 1)
        return reportUsageError(
            std::cerr, "inspect", engine::Error::badRequest("one model file is needed"));
    const auto file = engine::GgufFile::open(arguments->positionals()[0]);
    if (!file)
        return reportFailure(std::cerr, "inspect", file.error());
    const auto config = runnableConfig(*file);
    if (arguments->has("json")) // text in a file need not be UTF-8
        std::cout
            << toJson(*file, config).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)
            << "\n";
    else
        print(*file, config);
    return std::cout.flush() ? kExitOk : kExitFailed;
}

} // namespace app
