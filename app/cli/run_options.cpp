#include "app/cli/run_options.h"

#include "app/cli/token_file.h"

#include <array>
#include <charconv>
#include <limits>
#include <random>

using engine::Error;
using engine::Result;

namespace app {

namespace {
    constexpr int64_t kLargestCount = 10'000'000;

    constexpr std::array kRunOptions {
        OptionSpec { "model", "FILE", "the GGUF file (required)" },
        OptionSpec { "prompt", "TEXT", "one message of a user" },
        OptionSpec {
            "messages", "FILE", "JSON: a list of messages, or {messages, tools, variables}" },
        OptionSpec { "raw", "TEXT", "plain text to write on, without a chat template" },
        OptionSpec { "system", "TEXT", "a system message in front" },
        OptionSpec { "max-tokens", "N", "length cap: new tokens, the end token included (1024)" },
        OptionSpec { "context", "N", "context length in tokens" },
        OptionSpec { "stop", "TEXT", "end when this text is generated (repeatable)", true },
        OptionSpec { "time-cap", "MS", "end after so many milliseconds (off)" },
        OptionSpec { "repetition-guard", "PERIOD,COUNT",
            "end at COUNT repeats of the same PERIOD or fewer tokens (off)" },
        OptionSpec { "temperature", "X", "0 takes the likeliest token always (0.8)" },
        OptionSpec { "top-k", "N", "keep the N likeliest, 0 = all (40)" },
        OptionSpec { "top-p", "X", "keep the likeliest that reach this probability (0.95)" },
        OptionSpec { "min-p", "X", "drop below this part of the likeliest (0.05)" },
        OptionSpec { "repeat-penalty", "X", "1 = off (1)" },
        OptionSpec { "repeat-window", "N", "how many last tokens penalties look at (64)" },
        OptionSpec { "presence-penalty", "X", "0 = off (0)" },
        OptionSpec { "frequency-penalty", "X", "0 = off (0)" },
        OptionSpec { "seed", "N", "the same seed draws the same tokens; random when absent" },
        OptionSpec { "ignore-end", nullptr, "go on after the model's end tokens" },
        OptionSpec { "no-overlap", nullptr, "choose tokens on the host, one pass after the other" },
        OptionSpec { "device", "D", "UUID or part of a name; see tokenglass devices" },
        OptionSpec { "record", "FILE", "write the run record as JSON" },
        OptionSpec { "tokens", "FILE", "write the table of all tokens, as FILE.csv or FILE.json" },
        OptionSpec { "require", "FILE", "check the answer against this requirement set" },
        OptionSpec { "source", "FILE", "a text that --require looks for evidence in (repeatable)", true },
        OptionSpec { "json", nullptr, "print events as JSON, one object a line" },
    };

    Result<PromptSource> promptFrom(const Arguments& arguments)
    {
        const int given
            = arguments.has("prompt") + arguments.has("messages") + arguments.has("raw");
        if (given != 1)
            return Error::badRequest("exactly one of --prompt, --messages and --raw is needed");
        const std::string system = arguments.text("system").value_or("");
        PromptSource source;
        if (const auto raw = arguments.text("raw")) {
            if (!system.empty())
                return Error::badRequest("--system needs a chat: it cannot go with --raw");
            source.plainText = *raw;
            return source;
        }
        if (const auto path = arguments.text("messages")) {
            TRY_ASSIGN(source, readMessagesFile(*path));
        } else {
            source.messages = nlohmann::ordered_json::array(
                { { { "role", "user" }, { "content", *arguments.text("prompt") } } });
        }
        if (!system.empty())
            TRY(addSystemMessage(source, system));
        return source;
    }

    template <typename Number>
    Result<void> readNumber(const Arguments& arguments, const char* name, Number& target)
    {
        if constexpr (std::is_floating_point_v<Number>) {
            // The sampler's own check names the narrower range.
            TRY_ASSIGN(const std::optional<double> value, arguments.number(name, -1e6, 1e6));
            target = value ? Number(*value) : target;
        } else {
            TRY_ASSIGN(
                const std::optional<int64_t> value, arguments.integer(name, 0, kLargestCount));
            target = value ? Number(*value) : target;
        }
        return {};
    }

    /// "PERIOD,COUNT".
    Result<engine::RepetitionLimits> repetitionLimitsFrom(const std::string& text)
    {
        engine::RepetitionLimits limits;
        const char* const end = text.data() + text.size();
        const auto period = std::from_chars(text.data(), end, limits.longestPeriod);
        const bool hasComma = period.ec == std::errc() && period.ptr != end && *period.ptr == ',';
        const auto count
            = hasComma ? std::from_chars(period.ptr + 1, end, limits.repeatCount) : period;
        if (!hasComma || count.ec != std::errc() || count.ptr != end)
            return Error::badRequest(
                "--repetition-guard needs PERIOD,COUNT, like 16,8; it was given \"" + text + "\"");
        TRY(engine::checkRepetitionLimits(limits));
        return limits;
    }

    Result<void> readCaps(const Arguments& arguments, engine::GenerationRequest& request)
    {
        TRY(readNumber(arguments, "max-tokens", request.lengthCap));
        TRY_ASSIGN(const std::optional<int64_t> timeCap,
            arguments.integer("time-cap", 0, std::numeric_limits<int>::max()));
        if (timeCap)
            request.timeCapMs = int(*timeCap);
        if (const auto guard = arguments.text("repetition-guard")) {
            TRY_ASSIGN(request.repetitionGuard, repetitionLimitsFrom(*guard));
        }
        return {};
    }

    Result<engine::SamplerSettings> samplingFrom(const Arguments& arguments)
    {
        engine::SamplerSettings sampling;
        TRY(readNumber(arguments, "temperature", sampling.temperature));
        TRY(readNumber(arguments, "top-k", sampling.topK));
        TRY(readNumber(arguments, "top-p", sampling.topP));
        TRY(readNumber(arguments, "min-p", sampling.minP));
        TRY(readNumber(arguments, "repeat-penalty", sampling.repeatPenalty));
        TRY(readNumber(arguments, "repeat-window", sampling.repeatWindow));
        TRY(readNumber(arguments, "presence-penalty", sampling.presencePenalty));
        TRY(readNumber(arguments, "frequency-penalty", sampling.frequencyPenalty));
        TRY(engine::checkSamplerSettings(sampling));
        TRY_ASSIGN(const std::optional<uint64_t> seed, arguments.unsignedInteger("seed"));
        sampling.seed = seed ? *seed : std::random_device {}(); // 32 bits: short enough to copy
        return sampling;
    }
}

std::span<const OptionSpec> runOptionTable() { return kRunOptions; }

Result<RunOptions> runOptionsFrom(const Arguments& arguments)
{
    RunOptions options;
    if (!arguments.positionals().empty())
        return Error::badRequest(
            "\"" + arguments.positionals().front() + "\" belongs to no option");
    options.model.path = arguments.text("model").value_or("");
    if (options.model.path.empty())
        return Error::badRequest("--model FILE is needed");
    options.model.deviceUuid = arguments.text("device").value_or("");
    TRY_ASSIGN(
        const std::optional<int64_t> context, arguments.integer("context", 1, kLargestCount));
    options.model.contextLength = int(context.value_or(0));
    TRY_ASSIGN(options.prompt, promptFrom(arguments));
    TRY_ASSIGN(options.request.sampling, samplingFrom(arguments));
    TRY(readCaps(arguments, options.request));
    options.request.runId = 1;
    options.request.stopStrings = arguments.texts("stop");
    for (const std::string& stopString : options.request.stopStrings)
        if (stopString.empty())
            return Error::badRequest("--stop needs a text that is not empty");
    options.request.ignoreEndTokens = arguments.has("ignore-end");
    options.request.overlaps = !arguments.has("no-overlap");
    options.recordPath = arguments.text("record");
    options.tokensPath = arguments.text("tokens");
    if (options.tokensPath)
        TRY(TokenFile::checkName(*options.tokensPath));
    TRY_ASSIGN(options.requirements, runRequirementsFrom(arguments));
    options.writesJson = arguments.has("json");
    return options;
}

} // namespace app
