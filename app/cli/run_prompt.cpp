#include "app/cli/run_prompt.h"

#include "app/cli/json_input.h"

#include <ctime>
#include <fstream>
#include <sstream>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    Result<void> checkMessages(const std::string& path, const ordered_json& messages)
    {
        if (!messages.is_array() || messages.empty())
            return Error::badRequest(path + ": messages must be a list of at least one message");
        for (size_t i = 0; i < messages.size(); ++i) {
            const ordered_json& message = messages[i];
            if (!message.is_object() || !message.contains("role") || !message["role"].is_string())
                return Error::badRequest(path + ": message " + std::to_string(i + 1)
                    + " must be an object with a role and a content");
        }
        return {};
    }

    /// What a clock on the wall shows: templates write dates for people.
    std::chrono::sys_seconds localNow()
    {
        const std::time_t now = std::time(nullptr);
        std::tm local {};
        localtime_r(&now, &local);
        return std::chrono::sys_seconds(std::chrono::seconds(timegm(&local)));
    }

    std::string pieceOf(const engine::Vocabulary& vocabulary, std::optional<engine::TokenId> id)
    {
        return id ? vocabulary.piece(*id) : "";
    }
}

Result<PromptSource> readMessagesFile(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
        return Error::io(path + ": cannot be opened");
    std::ostringstream text;
    text << file.rdbuf();
    Result<ordered_json> parsed = parseJsonInput(text.str());
    if (!parsed)
        return Error::badRequest(path + ": " + parsed.error().message);
    ordered_json document = std::move(*parsed);
    PromptSource source;
    if (document.is_object()) {
        for (const auto& [key, value] : document.items())
            if (key != "messages" && key != "tools" && key != "variables")
                return Error::badRequest(
                    path + ": unknown key \"" + key + "\" (known: messages, tools, variables)");
        if (document.contains("variables"))
            source.variables = document["variables"];
        if (!source.variables.is_object())
            return Error::badRequest(path + ": variables must be an object");
        if (document.contains("tools"))
            source.variables["tools"] = document["tools"];
        source.messages = document.value("messages", ordered_json());
    } else {
        source.messages = std::move(document);
    }
    TRY(checkMessages(path, source.messages));
    return source;
}

Result<void> addSystemMessage(PromptSource& source, const std::string& text)
{
    for (const ordered_json& message : source.messages)
        if (message["role"] == "system" || message["role"] == "developer")
            return Error::badRequest("--system cannot be used: the messages have a system message");
    source.messages.insert(
        source.messages.begin(), ordered_json { { "role", "system" }, { "content", text } });
    return {};
}

RunOpening openingFor(const engine::ModelLoaded& model, const PromptSource& source,
    const RunPrompt& prompt, const engine::GenerationRequest& request)
{
    RunOpening opening;
    opening.model = model.description;
    opening.text = model.text.get();
    opening.request = request;
    opening.messages = source.messages;
    opening.promptText = prompt.text;
    opening.templateFamily = prompt.templateFamily;
    opening.templateSource = prompt.templateSource;
    opening.startedBy = "command_line";
    return opening;
}

Result<RunPrompt> formatRunPrompt(const engine::ModelText& text, const PromptSource& source)
{
    const engine::Tokenizer& tokenizer = *text.tokenizer;
    if (!source.isChat()) {
        const engine::TextSpan span { source.plainText, engine::TextOrigin::Person };
        return RunPrompt { source.plainText, engine::promptIds(tokenizer, { &span, 1 }), {}, {} };
    }
    if (!text.offer.usable() || !text.ownTemplate)
        return Error::badTemplate(
            text.offer.problem + " Use --raw to let the model write on from plain text.");
    const engine::Vocabulary& vocabulary = tokenizer.vocabulary();
    const engine::RenderRequest request {
        .messages = source.messages,
        .variables = source.variables,
        .bosToken = pieceOf(vocabulary, vocabulary.bosId()),
        .eosToken = pieceOf(vocabulary, vocabulary.eosId()),
        .now = localNow(),
    };
    TRY_ASSIGN(const engine::RenderedPrompt rendered, text.ownTemplate->render(request));
    return RunPrompt { rendered.text(), engine::promptIds(tokenizer, rendered.spans), "own",
        text.ownTemplate->source() };
}

} // namespace app
