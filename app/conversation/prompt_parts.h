#pragma once

#include "app/conversation/conversation.h"
#include "app/conversation/prompt_format.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace app {

/// A turn as a prompt repeats it.
struct PromptTurn {
    TurnRole role = TurnRole::Person;
    std::string text;
    bool isLeftOut = false; ///< an answer that failed before it said anything
};

/// What of a conversation a prompt is made of. Values: any thread may format them.
struct PromptParts {
    std::string systemText;
    std::optional<engine::TemplateFamily> family; ///< chosen by name
    PromptFormat format; ///< of this prompt alone
    ContextPolicy contextPolicy = ContextPolicy::StopAndSay;
    std::vector<PromptTurn> turns; ///< of the shown branch; a new message is the last
    std::vector<SourceText> sources;
    std::vector<std::optional<int>> sourceTokens; ///< of each source, where it is known
};

/// The first turns of the shown branch and then, unless it is empty, a new message.
PromptParts promptParts(
    const Conversation& conversation, size_t turnCount, const QString& newText = {});

/// The messages as a template wants them: neighbours of one role are joined by an empty line (a
/// failed answer without text must not dead-end a chat), answers are plain data. The source texts
/// stand before the first message of a person (sourceBlock), whatever turns are left out.
nlohmann::ordered_json templateMessages(const PromptParts& parts, size_t firstTurn = 0);

} // namespace app
