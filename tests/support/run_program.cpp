#include "tests/support/run_program.h"

#include <QProcess>

#include <algorithm>

namespace tests {

namespace {
    std::vector<int> ids(const nlohmann::json& ended, const char* key)
    {
        if (!ended.is_object() || !ended.contains(key))
            return {};
        return ended[key].get<std::vector<int>>();
    }

    std::string field(const nlohmann::json& object, const char* key)
    {
        return object.is_object() && object.contains(key) && object[key].is_string()
            ? object[key].get<std::string>()
            : "";
    }

    bool topHoldsToken(const nlohmann::json& token)
    {
        const auto& top = token["top"];
        return std::any_of(top.begin(), top.end(),
            [&](const nlohmann::json& entry) { return entry[0] == token["id"]; });
    }
}

ProgramRun runProgram(const QStringList& arguments, const QByteArray& input, int limitMs)
{
    QProcess process;
#ifdef __SANITIZE_ADDRESS__
    // The leak checker cannot name what a graphics driver kept once that is unloaded. Our own leaks
    // are found in the tests of the engine.
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("ASAN_OPTIONS", environment.value("ASAN_OPTIONS") + ":detect_leaks=0");
    process.setProcessEnvironment(environment);
#endif
    process.start(TOKENGLASS_PROGRAM, arguments);
    process.write(input);
    process.closeWriteChannel();
    if (!process.waitForFinished(limitMs)) {
        process.kill();
        process.waitForFinished();
    }
    ProgramRun run;
    if (process.exitStatus() == QProcess::NormalExit && process.error() == QProcess::UnknownError)
        run.exitCode = process.exitCode();
    run.output = process.readAllStandardOutput();
    run.errors = process.readAllStandardError();
    return run;
}

std::string GenerationRun::text() const { return field(ended, "text"); }

std::string GenerationRun::stopReason() const { return field(ended, "stop_reason"); }

std::string GenerationRun::verdict() const { return field(ended, "verdict"); }

std::vector<int> GenerationRun::tokenIds() const { return ids(ended, "token_ids"); }

std::vector<int> GenerationRun::promptTokenIds() const { return ids(ended, "prompt_token_ids"); }

std::string GenerationRun::contractFaults() const
{
    if (!ended.is_object())
        return "no terminal event came; " + summary();
    for (const char* key : { "stop_reason", "verdict", "text", "prompt_token_ids", "token_ids",
             "reused_tokens", "timing" })
        if (!ended.contains(key))
            return std::string("the terminal event has no ") + key;
    std::string joined;
    for (const std::string& delta : deltas)
        joined += delta;
    if (joined != text())
        return "the deltas joined are \"" + joined + "\", the terminal event says \"" + text()
            + "\"";
    const std::vector<int> expected = tokenIds();
    if (tokens.size() != expected.size())
        return std::to_string(tokens.size()) + " token events for "
            + std::to_string(expected.size()) + " token ids";
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const nlohmann::json& token = tokens[i];
        const std::string place = "token event " + std::to_string(i) + " ";
        if (token["index"] != i || token["id"] != expected[i])
            return place + "has index or id out of order: " + token.dump();
        if (token["partial"] != true)
            return place + "is not marked partial";
        if (token["logprob"].get<double>() > 0 || !topHoldsToken(token))
            return place
                + "has a log-probability above zero or is not in its own top list: " + token.dump();
    }
    return "";
}

std::string GenerationRun::summary() const
{
    return "exit code " + std::to_string(program.exitCode) + ", ended " + ended.dump()
        + ", stderr: " + program.errors.toStdString();
}

GenerationRun generate(const QStringList& arguments)
{
    GenerationRun run;
    run.program = runProgram(QStringList { "run", "--json" } + arguments);
    for (const QByteArray& line : run.program.output.split('\n')) {
        if (line.isEmpty())
            continue;
        nlohmann::json event = nlohmann::json::parse(line.toStdString(), nullptr, false);
        const std::string kind = field(event, "event");
        const bool known
            = kind == "prefill" || kind == "token" || kind == "text" || kind == "ended";
        if (!known || run.ended.is_object()) {
            run.ended = nullptr; // a line of no known kind, or one after the terminal event
            run.program.errors += "\nunexpected line: " + line;
            break;
        }
        if (kind == "prefill")
            run.prefills.push_back(event);
        if (kind == "token")
            run.tokens.push_back(event);
        if (kind == "token" || kind == "text")
            run.deltas.push_back(field(event, "text"));
        if (kind == "ended")
            run.ended = event;
    }
    return run;
}

} // namespace tests
