#include "app/cli/bench_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_engine.h"
#include "app/cli/command_table.h"
#include "app/cli/engine_factory.h"
#include "app/cli/interrupt_watch.h"
#include "app/cli/run_prompt.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"

#include <array>
#include <iostream>

using engine::Error;
using engine::Result;

namespace app {

namespace {
    constexpr const char* kName = "bench";
    constexpr std::array kBenchOptions {
        OptionSpec { "model", "FILE", "the GGUF file (required)" },
        OptionSpec { "prompt-tokens", "P", "tokens to read (250)" },
        OptionSpec { "decode-tokens", "D", "tokens to write (48)" },
        OptionSpec { "device", "D", "UUID or part of a name; see tokenglass devices" },
        OptionSpec { "json", nullptr, "print one JSON object" },
    };

    struct BenchOptions {
        engine::ModelLoadRequest model;
        int promptTokenCount = 250;
        int decodeTokenCount = 48;
        bool writesJson = false;
    };

    Result<BenchOptions> optionsFrom(const Arguments& arguments)
    {
        constexpr int64_t kMost = 1'000'000;
        BenchOptions options;
        if (!arguments.positionals().empty())
            return Error::badRequest(
                "\"" + arguments.positionals().front() + "\" belongs to no option");
        options.model.path = arguments.text("model").value_or("");
        if (options.model.path.empty())
            return Error::badRequest("--model FILE is needed");
        options.model.deviceUuid = arguments.text("device").value_or("");
        TRY_ASSIGN(const auto promptTokens, arguments.integer("prompt-tokens", 1, kMost));
        TRY_ASSIGN(const auto decodeTokens, arguments.integer("decode-tokens", 2, kMost));
        options.promptTokenCount = int(promptTokens.value_or(options.promptTokenCount));
        options.decodeTokenCount = int(decodeTokens.value_or(options.decodeTokenCount));
        options.writesJson = arguments.has("json");
        return options;
    }

    /// Ordinary words in an order that does not repeat soon, so that `run --raw` reads the same
    /// ids.
    Result<engine::TokenIds> benchPrompt(const engine::ModelText& model, int tokenCount)
    {
        constexpr std::array kWords { " the", " time", " people", " water", " house", " world",
            " school", " year", " day", " way", " life", " hand", " part", " place", " case",
            " week", " company", " system", " question", " work", " number", " night", " point" };
        PromptSource source;
        uint32_t state = 1;
        for (int i = 0; i < tokenCount; ++i) {
            state = state * 1664525u + 1013904223u;
            source.plainText += kWords[(state >> 16) % kWords.size()];
        }
        TRY_ASSIGN(RunPrompt prompt, formatRunPrompt(model, source));
        if (int(prompt.ids.size())
            < tokenCount) // words of several tokens make it longer, never shorter
            return Error::badRequest("the model's vocabulary joins words: no benchmark prompt");
        prompt.ids.resize(size_t(tokenCount));
        return prompt.ids;
    }

    double perSecond(int count, std::optional<double> startMs, std::optional<double> endMs)
    {
        const double ms = endMs.value_or(0) - startMs.value_or(0);
        return ms > 0 ? count * 1000.0 / ms : 0;
    }

    int bench(const BenchOptions& options, const CommandSurroundings& surroundings)
    {
        CommandEngine engine(surroundings.factory, surroundings.interrupted);
        const Result<engine::ModelLoaded> model = engine.open(options.model);
        if (!model)
            return reportFailure(surroundings.err, kName, model.error());
        const Result<engine::TokenIds> promptIds
            = benchPrompt(*model->text, options.promptTokenCount);
        if (!promptIds)
            return reportFailure(surroundings.err, kName, promptIds.error());
        engine::GenerationRequest request;
        request.runId = 1;
        request.promptIds = *promptIds;
        request.sampling.temperature = 0;
        request.lengthCap = options.decodeTokenCount;
        request.ignoreEndTokens = true;

        const std::string promptText = model->text->tokenizer->decode(request.promptIds);
        RunRecord record({
            .model = model->description,
            .text = model->text.get(),
            .request = request,
            .promptText = promptText,
            .startedBy = "command_line",
        });
        const engine::RunEnded ended = engine.run(
            request, [&record](const engine::GenerationEvent& event) { record.apply(event); });
        if (ended.ledger.error)
            return reportFailure(surroundings.err, kName, *ended.ledger.error);
        if (ended.ledger.reason != engine::StopReason::LengthCap)
            return reportFailure(surroundings.err, kName,
                Error::cancelled(std::string("ended early: ")
                    + engine::stopReasonInfo(ended.ledger.reason).words));

        const engine::RunTiming& timing = ended.timing;
        const double read
            = perSecond(options.promptTokenCount, timing.prefillStartMs, timing.prefillEndMs);
        const double wrote = perSecond(ended.decodePassCount, timing.firstTokenMs, timing.endedMs);
        if (options.writesJson) {
            surroundings.out << dumped({
                { "prefill_tokens_per_s", read },
                { "decode_tokens_per_s", wrote },
                { "device", model->description.device.name },
                { "prompt_text", promptText },
                { "prompt_token_ids", request.promptIds },
                { "token_ids", ended.tokenIds },
            }) << std::endl;
            return kExitOk;
        }
        surroundings.out << "read " << options.promptTokenCount << " tokens at " << read
                         << "/s, wrote " << options.decodeTokenCount << " at " << wrote << "/s on "
                         << model->description.device.name << std::endl;
        return kExitOk;
    }
}

int runBenchCommand(const std::vector<std::string>& words)
{
    const InterruptWatch watch;
    return runBenchCommand(words,
        { commandEngineFactory(), std::cout, std::cerr, [&watch] { return watch.isInterrupted(); } });
}

int runBenchCommand(const std::vector<std::string>& words, const CommandSurroundings& surroundings)
{
    const Result<Arguments> arguments = Arguments::parse(kBenchOptions, words);
    if (!arguments)
        return reportUsageError(surroundings.err, kName, arguments.error());
    if (arguments->has("help")) {
        surroundings.out << helpText(kName, "--model FILE [options]", kBenchOptions);
        return kExitOk;
    }
    const Result<BenchOptions> options = optionsFrom(*arguments);
    if (!options)
        return reportUsageError(surroundings.err, kName, options.error());
    return bench(*options, surroundings);
}

} // namespace app
