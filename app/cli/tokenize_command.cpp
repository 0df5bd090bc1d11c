#include "app/cli/tokenize_command.h"

#include "app/cli/command_table.h"
#include "engine/gguf/gguf_file.h"
#include "engine/tokenizer/tokenizer.h"

#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>

namespace app {

namespace {
    constexpr const char* kUsage
        = "usage: tokenglass tokenize --model FILE [--special] < texts.json\n"
          "texts.json: a JSON array of strings\n";

    struct TokenizeOptions {
        std::string modelPath;
        bool parsesControl = false;
    };

    std::optional<TokenizeOptions> parseArguments(const std::vector<std::string>& arguments)
    {
        TokenizeOptions options;
        for (size_t i = 0; i < arguments.size(); ++i) {
            if (arguments[i] == "--special")
                options.parsesControl = true;
            else if (arguments[i] == "--model" && i + 1 < arguments.size())
                options.modelPath = arguments[++i];
            else
                return std::nullopt;
        }
        if (options.modelPath.empty())
            return std::nullopt;
        return options;
    }

    engine::Result<nlohmann::json> readTexts(std::istream& input)
    {
        nlohmann::json texts = nlohmann::json::parse(input, nullptr, /*allow_exceptions=*/false);
        if (!texts.is_array())
            return engine::Error::badRequest("standard input is no JSON array");
        for (size_t i = 0; i < texts.size(); ++i)
            if (!texts[i].is_string())
                return engine::Error::badRequest(
                    "standard input: entry " + std::to_string(i) + " is no string");
        return texts;
    }

    engine::Result<nlohmann::json> tokenize(const TokenizeOptions& options, std::istream& input)
    {
        TRY_ASSIGN(const engine::GgufFile file, engine::GgufFile::open(options.modelPath));
        TRY_ASSIGN(const auto tokenizer, engine::Tokenizer::create(file));
        TRY_ASSIGN(const nlohmann::json texts, readTexts(input));
        nlohmann::json idLists = nlohmann::json::array();
        for (const nlohmann::json& text : texts) {
            const auto& bytes = text.get_ref<const std::string&>();
            idLists.push_back(options.parsesControl ? tokenizer->encodeWithControl(bytes)
                                                    : tokenizer->encodeText(bytes));
        }
        return idLists;
    }
}

int runTokenizeCommand(const std::vector<std::string>& arguments)
{
    const auto options = parseArguments(arguments);
    if (!options) {
        std::cerr << kUsage;
        return kExitUsage;
    }
    const auto idLists = tokenize(*options, std::cin);
    if (!idLists) {
        std::cerr << "tokenglass tokenize: " << idLists.error().message << "\n";
        return kExitFailed;
    }
    std::cout << *idLists << "\n";
    return std::cout.flush() ? kExitOk : kExitFailed;
}

} // namespace app
