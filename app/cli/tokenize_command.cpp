#include "app/cli/tokenize_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_table.h"
#include "engine/gguf/gguf_file.h"
#include "engine/tokenizer/tokenizer.h"

#include <array>
#include <iostream>
#include <nlohmann/json.hpp>

namespace app {

namespace {
    constexpr std::array kOptions {
        OptionSpec { "model", "FILE", "a GGUF file; its vocabulary is enough (required)" },
        OptionSpec { "special", nullptr, "read control tokens written as text" },
    };
    constexpr const char* kUsage = "--model FILE [--special], a JSON array of strings on standard input";

    struct TokenizeOptions {
        std::string modelPath;
        bool parsesControl = false;
    };

    engine::Result<TokenizeOptions> optionsFrom(const Arguments& arguments)
    {
        if (!arguments.positionals().empty())
            return engine::Error::badRequest(
                "\"" + arguments.positionals().front() + "\" belongs to no option");
        if (!arguments.has("model"))
            return engine::Error::badRequest("--model FILE is needed");
        return TokenizeOptions { *arguments.text("model"), arguments.has("special") };
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

int runTokenizeCommand(const std::vector<std::string>& words)
{
    const auto arguments = Arguments::parse(kOptions, words);
    if (!arguments)
        return reportUsageError(std::cerr, "tokenize", arguments.error());
    if (arguments->has("help")) {
        std::cout << helpText("tokenize", kUsage, kOptions);
        return kExitOk;
    }
    const auto options = optionsFrom(*arguments);
    if (!options)
        return reportUsageError(std::cerr, "tokenize", options.error());
    const auto idLists = tokenize(*options, std::cin);
    if (!idLists) {
        std::cerr << "tokenglass tokenize: " << idLists.error().message << "\n";
        return kExitFailed;
    }
    std::cout << *idLists << "\n";
    return std::cout.flush() ? kExitOk : kExitFailed;
}

} // namespace app
