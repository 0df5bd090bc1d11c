#include "app/cli/score_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_table.h"
#include "app/cli/json_input.h"
#include "engine/reference/reference_model.h"
#include "engine/session/engine.h"

#include <iostream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace app {

namespace {
    constexpr OptionSpec kScoreOptions[] {
        { "model", "FILE", "the GGUF file of the model" },
        { "device", "D", "UUID of the Vulkan device, as `tokenglass devices` lists it" },
        { "reference", nullptr, "compute on the CPU, slowly and in float32" },
    };

    engine::Result<ScoreOptions> optionsFrom(const Arguments& arguments)
    {
        const auto model = arguments.text("model");
        if (!model)
            return engine::Error::badRequest("--model is needed");
        if (!arguments.positionals().empty())
            return engine::Error::badRequest("unexpected word " + arguments.positionals()[0]);
        return ScoreOptions { .modelPath = *model,
            .deviceUuid = arguments.text("device").value_or(""),
            .reference = arguments.has("reference") };
    }

    engine::Result<engine::TokenIds> readTokens(std::istream& input)
    {
        const nlohmann::json request
            = nlohmann::json::parse(input, nullptr, /*allow_exceptions=*/false);
        if (!request.is_object() || !request.contains("token_ids")
            || !request["token_ids"].is_array())
            return engine::Error::badRequest(
                "standard input is no JSON object with an array \"token_ids\"");
        engine::TokenIds tokens;
        for (const auto& id : request["token_ids"]) {
            const bool fits = id.is_number_integer() && id.get<int64_t>() >= 0
                && id.get<int64_t>() <= std::numeric_limits<engine::TokenId>::max();
            if (!fits)
                return engine::Error::badRequest(
                    "\"token_ids\" holds " + id.dump() + ", which is no token id");
            tokens.push_back(id.get<engine::TokenId>());
        }
        return tokens;
    }

    engine::Result<engine::TokenScores> scoreOnCpu(
        const ScoreOptions& options, const engine::TokenIds& tokens)
    {
        TRY_ASSIGN(const auto file, engine::GgufFile::open(options.modelPath));
        TRY_ASSIGN(const auto model, engine::ReferenceModel::create(file));
        return model.score(tokens);
    }

    engine::Result<engine::TokenScores> scoreOnDevice(
        const ScoreOptions& options, const engine::TokenIds& tokens)
    {
        TRY_ASSIGN(const auto opened,
            engine::Engine::open({ .path = options.modelPath, .deviceUuid = options.deviceUuid }, {}));
        engine::TokenScores scores;
        TRY(opened->session().scoreAll(tokens, engine::DeviceModel::kScoredRows,
            [&](size_t position, std::span<const float> logits) {
                scores.argmax.push_back(engine::argmaxOf(logits));
                if (position + 1 < tokens.size())
                    scores.logprobOfNext.push_back(engine::logprobOf(logits, tokens[position + 1]));
                else
                    scores.lastLogits.assign(logits.begin(), logits.end());
            }));
        return scores;
    }

    Scorer scorerFor(const ScoreOptions& options)
    {
        return options.reference ? Scorer(scoreOnCpu) : Scorer(scoreOnDevice);
    }

    engine::Result<engine::TokenScores> score(const ScoreOptions& options, std::istream& input)
    {
        TRY_ASSIGN(const engine::TokenIds tokens, readTokens(input));
        return scorerFor(options)(options, tokens);
    }
}

int runScoreCommand(const std::vector<std::string>& words)
{
    const auto arguments = Arguments::parse(kScoreOptions, words);
    if (!arguments)
        return reportUsageError(std::cerr, "score", arguments.error());
    if (arguments->has("help")) {
        std::cout << helpText("score",
            "--model FILE --reference, {\"token_ids\": [...]} on standard input", kScoreOptions);
        return kExitOk;
    }
    const auto options = optionsFrom(*arguments);
    if (!options)
        return reportUsageError(std::cerr, "score", options.error());
    const auto scores = score(*options, std::cin);
    if (!scores)
        return reportFailure(std::cerr, "score", scores.error());
    std::cout << nlohmann::json({ { "argmax", scores->argmax },
        { "logprob_of_next", scores->logprobOfNext }, { "last_logits", scores->lastLogits } })
              << "\n";
    return std::cout.flush() ? kExitOk : kExitFailed;
}

} // namespace app
