#include "app/cli/bench_command.h"

#include "app/cli/arguments.h"
#include "app/cli/bench_profile.h"
#include "app/cli/bench_prompt.h"
#include "app/cli/bench_runs.h"
#include "app/cli/bench_sequences.h"
#include "app/cli/command_table.h"
#include "app/cli/engine_factory.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/synthetic_model.h"
#include "app/runs/run_json.h"
#include "engine/gguf/gguf_file.h"
#include "engine/model/device_model.h"

#include <array>
#include <chrono>
#include <iostream>
#include <memory>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr const char* kName = "bench";
    constexpr std::array kBenchOptions {
        OptionSpec { "model", "FILE", "the GGUF file" },
        OptionSpec { "synthetic", "NAME",
            "instead of a model: random weights in the shape of smollm2, gemma or 8b-q4_k" },
        OptionSpec { "layers", "N", "of the synthetic model (as many as its likeness has)" },
        OptionSpec { "prompt-tokens", "P", "tokens to read (250)" },
        OptionSpec { "decode-tokens", "D", "tokens to write (48)" },
        OptionSpec { "context", "N", "also decode at a context of N tokens, and reuse it" },
        OptionSpec { "inspection", nullptr, "also decode without inspection data, and compare" },
        OptionSpec { "sequences", "S", "only write S answers side by side (1 to 8)" },
        OptionSpec { "operations", nullptr, "also say where the time of a token and a chunk goes" },
        OptionSpec { "profile", "FILE", "the same, and write a trace for ui.perfetto.dev to FILE" },
        OptionSpec { "probe", nullptr, "only measure what the device can do at best" },
        OptionSpec { "rounds", "R", "rounds of what is compared (3)" },
        OptionSpec { "device", "D", "UUID or part of a name; see tokenglass devices" },
        OptionSpec { "json", nullptr, "print one JSON object" },
    };

    struct BenchOptions {
        engine::ModelLoadRequest model;
        std::optional<SyntheticShape> synthetic; ///< to be written to model.path
        int promptTokenCount = 250;
        int decodeTokenCount = 48;
        int contextTokenCount = 0; ///< 0: not measured
        int sequenceCount = 0; ///< 0: one, by the usual path
        int roundCount = 3;
        bool comparesInspection = false;
        bool probesOnly = false;
        bool tellsOperations = false;
        std::string tracePath; ///< "": no trace is written
        bool writesJson = false;
    };

    Result<std::optional<SyntheticShape>> syntheticFrom(const Arguments& arguments)
    {
        constexpr int64_t kMostLayers = 1'000;
        TRY_ASSIGN(const auto layers, arguments.integer("layers", 1, kMostLayers));
        const std::optional<std::string> name = arguments.text("synthetic");
        if (!name && layers)
            return Error::badRequest("--layers belongs to --synthetic");
        if (!name)
            return std::optional<SyntheticShape>();
        const SyntheticShape* row = findSyntheticShape(*name);
        if (!row) {
            std::string names;
            for (const SyntheticShape& shape : syntheticShapes())
                names += (names.empty() ? "" : ", ") + std::string(shape.name);
            return Error::badRequest(
                "no synthetic model is called \"" + *name + "\" (" + names + " are there)");
        }
        SyntheticShape shape = *row;
        shape.layerCount = uint32_t(layers.value_or(shape.layerCount));
        return std::optional(shape);
    }

    Result<BenchOptions> optionsFrom(const Arguments& arguments)
    {
        constexpr int64_t kMost = 1'000'000;
        BenchOptions options;
        if (!arguments.positionals().empty())
            return Error::badRequest(
                "\"" + arguments.positionals().front() + "\" belongs to no option");
        options.model.path = arguments.text("model").value_or("");
        TRY_ASSIGN(options.synthetic, syntheticFrom(arguments));
        options.probesOnly = arguments.has("probe");
        options.tracePath = arguments.text("profile").value_or("");
        options.tellsOperations = arguments.has("operations") || arguments.has("profile");
        const bool hasModel = !options.model.path.empty() || options.synthetic;
        if (arguments.has("profile") && options.tracePath.empty())
            return Error::badRequest("--profile needs the name of a file to write");
        if (options.probesOnly && (hasModel || options.tellsOperations))
            return Error::badRequest("--probe measures the device alone: without a model, "
                                     "--operations and --profile");
        if (!hasModel && !options.probesOnly)
            return Error::badRequest("--model FILE, --synthetic NAME or --probe is needed");
        if (!options.model.path.empty() && options.synthetic)
            return Error::badRequest("--model and --synthetic exclude each other");
        options.model.deviceUuid = arguments.text("device").value_or("");
        TRY_ASSIGN(const auto promptTokens, arguments.integer("prompt-tokens", 1, kMost));
        TRY_ASSIGN(const auto decodeTokens, arguments.integer("decode-tokens", 2, kMost));
        options.promptTokenCount = int(promptTokens.value_or(options.promptTokenCount));
        options.decodeTokenCount = int(decodeTokens.value_or(options.decodeTokenCount));
        TRY_ASSIGN(const auto context, arguments.integer("context", 2, kMost));
        TRY_ASSIGN(const auto sequences,
            arguments.integer("sequences", 1, engine::DeviceModel::kScoredRows));
        TRY_ASSIGN(const auto rounds, arguments.integer("rounds", 1, 100));
        options.contextTokenCount = int(context.value_or(0));
        options.sequenceCount = int(sequences.value_or(0));
        options.roundCount = int(rounds.value_or(options.roundCount));
        options.comparesInspection = arguments.has("inspection");
        if (options.sequenceCount > 0
            && (context || options.comparesInspection || options.tellsOperations))
            return Error::badRequest("--sequences is measured on its own");
        options.writesJson = arguments.has("json");
        return options;
    }

    double perSecond(int count, double ms) { return ms > 0 ? count * 1000.0 / ms : 0; }

    /// Bytes of weights that a decode step reads: all matrices, of a separate embedding one row.
    uint64_t bytesOfStep(const std::string& modelPath)
    {
        const Result<engine::GgufFile> file = engine::GgufFile::open(modelPath);
        if (!file)
            return 0;
        uint64_t bytes = 0;
        for (const engine::TensorInfo& tensor : file->tensors())
            bytes += tensor.bytes;
        const engine::TensorInfo* embedding = file->findTensor("token_embd.weight");
        return embedding && file->findTensor("output.weight") ? bytes - embedding->bytes : bytes;
    }

    uint32_t layerCountOf(const std::string& modelPath)
    {
        const Result<engine::GgufFile> file = engine::GgufFile::open(modelPath);
        if (!file)
            return 0;
        const Result<engine::ModelConfig> config = engine::ModelConfig::create(*file);
        return config ? config->layerCount : 0;
    }

    ordered_json toJson(const ContextReport& report)
    {
        return {
            { "tokens", report.contextTokens },
            { "decode_ms_at_0", report.emptyMsPerToken },
            { "decode_ms", report.fullMsPerToken },
            { "first_token_ms_cold", report.coldFirstTokenMs },
            { "first_token_ms_reused", report.reusedFirstTokenMs },
            { "reused_tokens", report.reusedTokens },
        };
    }

    struct Measured {
        ordered_json json;
        std::optional<BenchProfile> profile;
    };

    /// Everything that one opened model is measured for.
    Result<Measured> measure(const BenchOptions& options, const CommandSurroundings& surroundings)
    {
        std::optional<BenchProfile> profile;
        if (options.tellsOperations) { // before there is a model: the device is idle, its memory free
            TRY_ASSIGN(const ProbedDevice probed, surroundings.prober(options.model.deviceUuid));
            profile.emplace(BenchProfile { probed, engine::TraceLog() });
        }
        CommandEngine engine(surroundings.factory, surroundings.interrupted);
        const auto start = std::chrono::steady_clock::now();
        TRY_ASSIGN(const engine::ModelLoaded model, engine.open(options.model));
        const std::chrono::duration<double, std::milli> loadTime
            = std::chrono::steady_clock::now() - start;
        TRY_ASSIGN(
            const engine::TokenIds promptIds, benchPrompt(*model.text, options.promptTokenCount));
        BenchRuns runs(engine, model);
        TRY_ASSIGN(const BenchRun run, runs.run(promptIds, options.decodeTokenCount));

        const engine::ModelDescription& description = model.description;
        ordered_json result {
            { "prefill_tokens_per_s", perSecond(options.promptTokenCount, run.readMs) },
            { "decode_tokens_per_s", perSecond(run.decodePassCount, run.writeMs) },
            { "device", description.device.name },
            { "driver", description.device.driver },
            { "tensor_types", description.tensorTypes },
            { "load_ms", loadTime.count() },
            { "tensor_bytes", description.tensorBytes },
            { "peak_load_bytes", description.peakLoadBytes },
            { "layers", layerCountOf(options.model.path) },
            { "decode_bytes_per_token", bytesOfStep(options.model.path) },
            { "decode_cpu_ms_per_token", run.cpuMsPerToken() },
        };
        if (options.contextTokenCount > 0) {
            TRY_ASSIGN(const ContextReport report,
                measureContext(
                    runs, options.contextTokenCount, options.decodeTokenCount, options.roundCount));
            result["context"] = toJson(report);
        }
        if (options.comparesInspection) {
            TRY_ASSIGN(const InspectionReport report,
                measureInspection(runs, promptIds, options.decodeTokenCount, options.roundCount));
            result["inspection"] = { { "on_ms", report.onMsPerToken },
                { "off_ms", report.offMsPerToken }, { "difference", report.difference() } };
        }
        if (profile) {
            TRY(runTraced(runs, options.promptTokenCount, options.decodeTokenCount, profile->trace));
            if (!options.tracePath.empty())
                TRY(saveTrace(options.tracePath, *profile, description));
            result["profile"] = toJson(*profile);
        }
        result["prompt_text"] = model.text->tokenizer->decode(promptIds);
        result["prompt_token_ids"] = promptIds;
        result["token_ids"] = run.tokenIds;
        return Measured { std::move(result), std::move(profile) };
    }

    Result<Measured> measureSideBySide(
        const BenchOptions& options, const CommandSurroundings& surroundings)
    {
        TRY_ASSIGN(const SequencesReport report,
            measureSequences({ .modelPath = options.model.path,
                                 .deviceWish = options.model.deviceUuid,
                                 .sequenceCount = options.sequenceCount,
                                 .decodeTokenCount = options.decodeTokenCount,
                                 .roundCount = options.roundCount },
                surroundings.interrupted));
        return Measured { ordered_json {
            { "sequences", report.sequenceCount },
            { "decode_tokens_per_s", report.tokensPerSecond },
            { "alone_decode_tokens_per_s", report.aloneTokensPerSecond },
            { "device", report.device },
        } };
    }

    void printWords(std::ostream& out, const BenchOptions& options, const ordered_json& result)
    {
        const auto number = [](const ordered_json& value) { return value.get<double>(); };
        if (options.sequenceCount > 0) {
            out << options.sequenceCount << " sequences side by side wrote "
                << number(result["decode_tokens_per_s"]) << " tokens/s together, one alone "
                << number(result["alone_decode_tokens_per_s"]) << "/s on "
                << result["device"].get<std::string>() << std::endl;
            return;
        }
        out << "read " << options.promptTokenCount << " tokens at "
            << number(result["prefill_tokens_per_s"]) << "/s, wrote " << options.decodeTokenCount
            << " at " << number(result["decode_tokens_per_s"]) << "/s on "
            << result["device"].get<std::string>() << "\n";
        out << "loaded in " << number(result["load_ms"]) << " ms; CPU time "
            << number(result["decode_cpu_ms_per_token"]) << " ms a token\n";
        if (result.contains("context")) {
            const ordered_json& context = result["context"];
            out << "decode at a context of " << context["tokens"] << ": "
                << number(context["decode_ms"])
                << " ms a token, at 0: " << number(context["decode_ms_at_0"]) << " ms\n"
                << "first token: " << number(context["first_token_ms_cold"]) << " ms cold, "
                << number(context["first_token_ms_reused"]) << " ms with "
                << context["reused_tokens"] << " tokens reused\n";
        }
        if (result.contains("inspection"))
            out << "inspection data on: " << number(result["inspection"]["on_ms"])
                << " ms a token, off: " << number(result["inspection"]["off_ms"]) << " ms\n";
        out << std::flush;
    }

    int probe(const BenchOptions& options, const CommandSurroundings& surroundings)
    {
        const Result<ProbedDevice> probed = surroundings.prober(options.model.deviceUuid);
        if (!probed)
            return reportFailure(surroundings.err, kName, probed.error());
        if (options.writesJson)
            surroundings.out << dumped(toJson(*probed)) << std::endl;
        else
            print(surroundings.out, *probed);
        return kExitOk;
    }

    int bench(BenchOptions options, const CommandSurroundings& surroundings)
    {
        std::unique_ptr<SyntheticModelFile> synthetic;
        if (options.synthetic) {
            auto written = SyntheticModelFile::create(*options.synthetic, surroundings.interrupted);
            if (!written)
                return reportFailure(surroundings.err, kName, written.error());
            synthetic = std::move(*written);
            options.model.path = synthetic->path().string();
            surroundings.err << "random weights in the shape of " << options.synthetic->likeness
                             << ": " << options.model.path << std::endl;
        }
        const Result<Measured> result = options.sequenceCount > 0
            ? measureSideBySide(options, surroundings)
            : measure(options, surroundings);
        if (!result)
            return reportFailure(surroundings.err, kName, result.error());
        if (options.writesJson)
            surroundings.out << dumped(result->json) << std::endl;
        else
            printWords(surroundings.out, options, result->json);
        if (!options.writesJson && result->profile)
            print(surroundings.out, *result->profile);
        return kExitOk;
    }
}

int runBenchCommand(const std::vector<std::string>& words)
{
    const InterruptWatch watch;
    return runBenchCommand(words, { commandEngineFactory(), std::cout, std::cerr, [&watch] {
                                       return watch.isInterrupted();
                                   } });
}

int runBenchCommand(const std::vector<std::string>& words, const CommandSurroundings& surroundings)
{
    const Result<Arguments> arguments = Arguments::parse(kBenchOptions, words);
    if (!arguments)
        return reportUsageError(surroundings.err, kName, arguments.error());
    if (arguments->has("help")) {
        surroundings.out << helpText(kName,
            "--model FILE | --synthetic NAME [options], or --probe [--device D] [--json]",
            kBenchOptions);
        return kExitOk;
    }
    const Result<BenchOptions> options = optionsFrom(*arguments);
    if (!options)
        return reportUsageError(surroundings.err, kName, options.error());
    return options->probesOnly ? probe(*options, surroundings) : bench(*options, surroundings);
}

} // namespace app
