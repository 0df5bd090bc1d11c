#include "app/conversation/prompt.h"

#include <algorithm>

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

    std::string pieceOf(const engine::Vocabulary& vocabulary, std::optional<engine::TokenId> id)
    {
        return id ? vocabulary.piece(*id) : std::string();
    }

    const engine::TemplateFamilyInfo& familyInfo(engine::TemplateFamily family)
    {
        const auto table = engine::templateFamilyTable();
        return *std::find_if(
            table.begin(), table.end(), [family](const auto& row) { return row.family == family; });
    }

    /// Where a shortened prompt may begin: at each message of a person but the first turn.
    std::vector<size_t> laterStarts(const Conversation& conversation, const PromptExtent& extent)
    {
        std::vector<size_t> starts;
        for (size_t i = extent.firstTurn + 1; i < extent.turnCount; ++i)
            if (conversation.turns()[i]->role == TurnRole::Person)
                starts.push_back(i);
        if (!extent.newText.isEmpty() && extent.turnCount > extent.firstTurn)
            starts.push_back(extent.turnCount);
        return starts;
    }

    engine::Result<FormattedPrompt> render(const engine::ModelText& model,
        const engine::ChatTemplate& chatTemplate, const engine::RenderRequest& request)
    {
        TRY_ASSIGN(engine::RenderedPrompt rendered, chatTemplate.render(request));
        FormattedPrompt prompt;
        prompt.ids = engine::promptIds(*model.tokenizer, rendered.spans);
        prompt.text = rendered.text();
        prompt.messages = request.messages;
        prompt.templateSource = chatTemplate.source();
        return prompt;
    }
}

nlohmann::ordered_json templateMessages(
    const Conversation& conversation, const PromptExtent& extent)
{
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    if (!conversation.settings().systemText.isEmpty())
        addMessage(messages, "system", conversation.settings().systemText.toStdString());
    for (size_t i = extent.firstTurn; i < extent.turnCount; ++i) {
        const Turn& turn = *conversation.turns()[i];
        if (turn.role == TurnRole::Person) {
            addMessage(messages, "user", turn.text.toStdString());
            continue;
        }
        const bool saidNothing
            = turn.answer->text().empty() && turn.answer->verdict() == engine::Verdict::Partial;
        if (!saidNothing)
            addMessage(messages, "assistant", turn.answer->text());
    }
    if (!extent.newText.isEmpty())
        addMessage(messages, "user", extent.newText.toStdString());
    return messages;
}

engine::Result<FormattedPrompt> formatChat(const engine::ModelText& model,
    const Conversation& conversation, const PromptExtent& extent, std::chrono::sys_seconds now)
{
    const engine::Vocabulary& vocabulary = model.tokenizer->vocabulary();
    engine::RenderRequest request;
    request.messages = templateMessages(conversation, extent);
    request.bosToken = pieceOf(vocabulary, vocabulary.bosId());
    request.eosToken = pieceOf(vocabulary, vocabulary.eosId());
    request.now = now;

    const auto family = conversation.settings().family;
    if (model.offer.usable() && model.ownTemplate) {
        TRY_ASSIGN(FormattedPrompt prompt, render(model, *model.ownTemplate, request));
        prompt.templateName = "from the file";
        prompt.templateFamily = "own";
        prompt.droppedTurnCount = extent.firstTurn;
        return prompt;
    }
    if (!family)
        return engine::Error::badTemplate(model.offer.problem
            + " Choose a chat format by name on the right, or open a plain-text page instead.");
    const engine::TemplateFamilyInfo& info = familyInfo(*family);
    TRY_ASSIGN(engine::ChatTemplate chosen, engine::ChatTemplate::parse(info.source));
    TRY_ASSIGN(FormattedPrompt prompt, render(model, chosen, request));
    prompt.templateName = std::string(info.name) + " (chosen)";
    prompt.templateFamily = info.name;
    prompt.droppedTurnCount = extent.firstTurn;
    return prompt;
}

engine::Result<FormattedPrompt> formatToFit(const engine::ModelText& model,
    const Conversation& conversation, const PromptExtent& extent, const PromptRoom& room,
    std::chrono::sys_seconds now)
{
    auto whole = formatChat(model, conversation, extent, now);
    const size_t wished = std::max<size_t>(1, std::min(room.lengthCap, room.contextLength / 4));
    const auto fits = [&](const FormattedPrompt& prompt) {
        return prompt.ids.size() + room.draftTokenCount + wished <= room.contextLength;
    };
    if (conversation.settings().contextPolicy != ContextPolicy::DropOldestTurns || !whole
        || fits(*whole))
        return whole;
    const std::vector<size_t> starts = laterStarts(conversation, extent);
    if (starts.empty())
        return whole;
    // Leaving out more never makes a prompt longer: halving finds the first start that fits.
    size_t tooEarly = 0; // starts before it leave too little room
    size_t late = starts.size() - 1;
    PromptExtent shorter = extent;
    while (tooEarly < late) {
        const size_t middle = (tooEarly + late) / 2;
        shorter.firstTurn = starts[middle];
        TRY_ASSIGN(const FormattedPrompt tried, formatChat(model, conversation, shorter, now));
        if (fits(tried))
            late = middle;
        else
            tooEarly = middle + 1;
    }
    shorter.firstTurn = starts[late];
    return formatChat(model, conversation, shorter, now);
}

FormattedPrompt formatPlainText(const engine::ModelText& model, const QString& text)
{
    FormattedPrompt prompt;
    prompt.text = text.toStdString();
    const engine::TextSpan span { prompt.text, engine::TextOrigin::Person };
    prompt.ids = engine::promptIds(*model.tokenizer, std::span(&span, 1));
    prompt.templateName = "none (plain text)";
    return prompt;
}

QString systemTextFromTemplate(const engine::ModelText& model, const ChatSettings& settings)
{
    if (!settings.systemText.isEmpty() || !model.offer.usable())
        return {};
    return QString::fromStdString(model.offer.defaultSystemText);
}

} // namespace app
