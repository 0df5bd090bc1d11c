#include "app/conversation/prompt_parts.h"

namespace app {

namespace {
    void addMessage(nlohmann::ordered_json& messages, const char* role, const std::string& content)
    {
        if (!messages.empty() && messages.back()["role"] == role) {
            auto& joined = messages.back()["content"].get_ref<std::string&>();
            joined += "\n\n" + content;
            return;
        }
        messages.push_back({ { "role", role }, { "content", content } });
    }

    /// In a message of their own where no person has said anything.
    void addSources(nlohmann::ordered_json& messages, const std::vector<SourceText>& sources)
    {
        if (sources.empty())
            return;
        const std::string blocks = sourceBlocks(sources);
        for (nlohmann::ordered_json& message : messages) {
            if (message["role"] != "user")
                continue;
            message["content"].get_ref<std::string&>().insert(0, blocks);
            return;
        }
        const bool hasSystem = !messages.empty() && messages.front()["role"] == "system";
        messages.insert(messages.begin() + (hasSystem ? 1 : 0),
            nlohmann::ordered_json { { "role", "user" }, { "content", blocks } });
    }
}

PromptParts promptParts(const Conversation& conversation, size_t turnCount, const QString& newText)
{
    const ChatSettings& settings = conversation.settings();
    PromptParts parts;
    parts.systemText = settings.systemText.toStdString();
    parts.family = settings.family;
    parts.contextPolicy = settings.contextPolicy;
    for (size_t i = 0; i < turnCount; ++i) {
        const Turn& turn = *conversation.turns()[i];
        if (turn.role == TurnRole::Person) {
            parts.turns.push_back({ turn.role, turn.text.toStdString() });
            continue;
        }
        std::string said = turn.answer->text();
        const bool saidNothing = said.empty() && turn.answer->verdict() == engine::Verdict::Partial;
        parts.turns.push_back({ turn.role, std::move(said), saidNothing });
    }
    if (!newText.isEmpty())
        parts.turns.push_back({ TurnRole::Person, newText.toStdString() });
    parts.sources = conversation.sources();
    parts.sourceTokens.resize(parts.sources.size());
    return parts;
}

nlohmann::ordered_json templateMessages(const PromptParts& parts, size_t firstTurn)
{
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    if (!parts.systemText.empty())
        addMessage(messages, "system", parts.systemText);
    for (size_t i = firstTurn; i < parts.turns.size(); ++i) {
        const PromptTurn& turn = parts.turns[i];
        if (!turn.isLeftOut)
            addMessage(messages, turn.role == TurnRole::Person ? "user" : "assistant", turn.text);
    }
    addSources(messages, parts.sources);
    return messages;
}

} // namespace app
