#include "tests/app/cli/command_run.h"

#include "app/cli/bench_command.h"
#include "app/cli/verify_command.h"
#include "app/cli/worksheet_command.h"

#include <sstream>

namespace tests {

namespace {
    using Run = int (*)(const std::vector<std::string>&, const app::CommandSurroundings&);

    engine::Result<app::ProbedDevice> fixedProber(const std::string& wish)
    {
        if (wish == "nothing")
            return engine::Error::noDevice("no device is called nothing");
        return app::ProbedDevice { { .name = "measured by a script", .uuid = "77" }, fixedProbe() };
    }

    CommandOutcome outcomeOf(Run run, const std::vector<std::string>& words,
        ScriptedModelOptions options, std::function<bool()> interrupted)
    {
        std::ostringstream out;
        std::ostringstream err;
        if (!interrupted)
            interrupted = [] { return false; };
        CommandOutcome outcome;
        outcome.exitCode = run(words,
            { scriptedFactory(std::move(options)), out, err, std::move(interrupted), fixedProber });
        outcome.out = out.str();
        outcome.err = err.str();
        return outcome;
    }
}

std::vector<nlohmann::json> CommandOutcome::lines() const
{
    std::vector<nlohmann::json> lines;
    std::istringstream stream(out);
    for (std::string line; std::getline(stream, line);) {
        nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
        lines.push_back(json.is_discarded() ? nlohmann::json() : std::move(json));
    }
    return lines;
}

nlohmann::json CommandOutcome::lastLine() const
{
    const std::vector<nlohmann::json> all = lines();
    return all.empty() ? nlohmann::json() : all.back();
}

std::string CommandOutcome::streamedText() const
{
    std::string text;
    for (const nlohmann::json& line : lines())
        if (line.is_object() && (line["event"] == "token" || line["event"] == "text"))
            text += line["text"].get<std::string>();
    return text;
}

engine::DeviceProbe fixedProbe()
{
    return { .streamBytes = 1 << 27,
        .texelGigabytesPerS = 20,
        .storageGigabytesPerS = 5,
        .dispatchUs = 12,
        .submitAndWaitUs = 34,
        .gigaMultiplyAddsPerS = 80 };
}

CommandOutcome runRun(const std::vector<std::string>& words, ScriptedModelOptions options,
    std::function<bool()> interrupted)
{
    return outcomeOf(&app::runRunCommand, words, std::move(options), std::move(interrupted));
}

CommandOutcome runVerify(const std::vector<std::string>& words, ScriptedModelOptions options)
{
    return outcomeOf(&app::runVerifyCommand, words, std::move(options), {});
}

CommandOutcome runWorksheet(const std::vector<std::string>& words, ScriptedModelOptions options)
{
    return outcomeOf(&app::runWorksheetCommand, words, std::move(options), {});
}

CommandOutcome runBench(const std::vector<std::string>& words, ScriptedModelOptions options)
{
    return outcomeOf(&app::runBenchCommand, words, std::move(options), {});
}

} // namespace tests
