#pragma once

#include "app/runs/run_record.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace app {

/// What a command was given to answer: a chat, or plain text to write on.
struct PromptSource {
    nlohmann::ordered_json messages; ///< null: plain text
    nlohmann::ordered_json variables = nlohmann::ordered_json::object();
    std::string plainText;

    bool isChat() const { return !messages.is_null(); }
};

/// The formatted prompt, and by which template.
struct RunPrompt {
    std::string text;
    engine::TokenIds ids;
    std::optional<std::string> templateFamily; ///< none: plain text
    std::optional<std::string> templateSource;
};

/// A messages file: an array of messages, or an object with messages, tools and variables.
/// Errors: Io; BadRequest naming what is wrong in the file.
engine::Result<PromptSource> readMessagesFile(const std::string& path);

/// Puts a system message in front. Error BadRequest when there is one already.
engine::Result<void> addSystemMessage(PromptSource& source, const std::string& text);

/// What the record of such a run opens with. request: with the prompt's ids.
RunOpening openingFor(const engine::ModelLoaded& model, const PromptSource& source,
    const RunPrompt& prompt, const engine::GenerationRequest& request);

/// Renders and tokenises. Plain text gets BOS by the file's rule, and nothing in it becomes a
/// control token. Errors: BadTemplate when the file's template cannot be used; those of render.
engine::Result<RunPrompt> formatRunPrompt(
    const engine::ModelText& text, const PromptSource& source);

} // namespace app
