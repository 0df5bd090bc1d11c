#include "app/cli/score_command.h"

#include "app/cli/command_table.h"
#include "engine/reference/reference_model.h"

#include <iostream>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace app {

namespace {
    constexpr const char* kUsage
        = "usage: tokenglass score --model FILE --reference < tokens.json\n"
          "tokens.json: {\"token_ids\": [1, 2, ...]}\n"
          "--reference computes on the CPU, slowly and in float32\n";

    std::optional<ScoreOptions> parseArguments(const std::vector<std::string>& arguments)
    {
        ScoreOptions options;
        for (size_t i = 0; i < arguments.size(); ++i) {
            if (arguments[i] == "--reference")
                options.reference = true;
            else if (arguments[i] == "--model" && i + 1 < arguments.size())
                options.modelPath = arguments[++i];
            else
                return std::nullopt;
        }
        if (options.modelPath.empty() || !options.reference)
            return std::nullopt;
        return options;
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
        for (const nlohmann::json& id : request["token_ids"]) {
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

    Scorer scorerFor(const ScoreOptions&) { return scoreOnCpu; }

    engine::Result<engine::TokenScores> score(const ScoreOptions& options, std::istream& input)
    {
        TRY_ASSIGN(const engine::TokenIds tokens, readTokens(input));
        return scorerFor(options)(options, tokens);
    }
}

int runScoreCommand(const std::vector<std::string>& arguments)
{
    const std::optional<ScoreOptions> options = parseArguments(arguments);
    if (!options) {
        std::cerr << kUsage;
        return kExitUsage;
    }
    const auto scores = score(*options, std::cin);
    if (!scores) {
        std::cerr << "tokenglass score: " << scores.error().message << "\n";
        return kExitFailed;
    }
    std::cout << nlohmann::json({ { "argmax", scores->argmax },
        { "logprob_of_next", scores->logprobOfNext }, { "last_logits", scores->lastLogits } })
              << "\n";
    return std::cout.flush() ? kExitOk : kExitFailed;
}

} // namespace app
