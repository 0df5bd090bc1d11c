#include "app/conversation/prompt.h"

#include <QElapsedTimer>

#include <algorithm>

namespace app {

namespace {
    constexpr const char* kNoTemplate = "none (plain text)";

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
    std::vector<size_t> laterStarts(const PromptParts& parts)
    {
        std::vector<size_t> starts;
        for (size_t i = 1; i < parts.turns.size(); ++i)
            if (parts.turns[i].role == TurnRole::Person)
                starts.push_back(i);
        return starts;
    }

    /// Where the template has put the texts, which it may trim at the end or change altogether.
    std::vector<RecordedSource> findSources(
        const engine::RenderedPrompt& rendered, const PromptParts& parts)
    {
        std::vector<RecordedSource> found;
        for (size_t i = 0; i < parts.sources.size(); ++i)
            found.push_back({ parts.sources[i].name.toStdString(), parts.sources[i].sha256,
                parts.sourceTokens[i], {}, {} });
        std::string blocks = sourceBlocks(parts.sources);
        while (!blocks.empty() && blocks.back() == '\n')
            blocks.pop_back();
        if (blocks.empty())
            return found;
        size_t spanStart = 0;
        for (const engine::TextSpan& span : rendered.spans) {
            const size_t at = span.origin == engine::TextOrigin::Person ? span.text.find(blocks)
                                                                        : std::string::npos;
            if (at == std::string::npos) {
                spanStart += span.text.size();
                continue;
            }
            size_t blockStart = spanStart + at;
            for (size_t i = 0; i < found.size(); ++i) {
                const SourceText& source = parts.sources[i];
                found[i].promptStart = blockStart + textOffsetInBlock(source);
                found[i].promptEnd = *found[i].promptStart + size_t(source.text.size());
                blockStart += sourceBlock(source).size();
            }
            break;
        }
        return found;
    }

    PromptOrigin originOf(const nlohmann::ordered_json& message, const std::string& text)
    {
        const auto content = message.find("content");
        if (content == message.end() || !content->is_string()
            || content->get_ref<const std::string&>().find(text) == std::string::npos)
            return PromptOrigin::Unknown; // the template changed it
        const std::string role = message.value("role", "");
        return role == "system"  ? PromptOrigin::System
            : role == "user"     ? PromptOrigin::Typed
            : role == "assistant" ? PromptOrigin::Answer
                                  : PromptOrigin::Unknown;
    }

    /// Adds a person's message, in which the source texts are told apart where they are.
    void addTyped(
        std::vector<RecordedSpan>& spans, RecordedSpan typed, std::optional<size_t> blocks, size_t size)
    {
        const bool hasBlocks = blocks && typed.promptStart <= *blocks && *blocks + size <= typed.promptEnd;
        const auto add = [&](PromptOrigin origin, size_t start, size_t end) {
            if (start < end)
                spans.push_back({ origin, start, end, typed.message });
        };
        if (!hasBlocks)
            return add(typed.origin, typed.promptStart, typed.promptEnd);
        add(typed.origin, typed.promptStart, *blocks);
        add(PromptOrigin::Source, *blocks, *blocks + size);
        add(typed.origin, *blocks + size, typed.promptEnd);
    }

    /// Whose words the rendered text is: the renderer knows for each byte.
    std::vector<RecordedSpan> spansOf(const engine::RenderedPrompt& rendered,
        const nlohmann::ordered_json& messages, const PromptParts& parts,
        const std::vector<RecordedSource>& sources)
    {
        std::optional<size_t> blocks;
        if (!sources.empty() && sources.front().promptStart)
            blocks = *sources.front().promptStart - textOffsetInBlock(parts.sources.front());
        const std::string written = sourceBlocks(parts.sources);
        std::vector<RecordedSpan> spans;
        size_t start = 0;
        for (const engine::TextSpan& span : rendered.spans) {
            RecordedSpan added { PromptOrigin::Template, start, start + span.text.size(), span.message };
            start = added.promptEnd;
            if (span.origin == engine::TextOrigin::Person)
                added.origin = span.message < 0
                    ? PromptOrigin::Unknown
                    : originOf(messages[size_t(span.message)], span.text);
            if (added.origin == PromptOrigin::Typed)
                addTyped(spans, added, blocks, std::min(written.size(), added.promptEnd - blocks.value_or(0)));
            else
                spans.push_back(added);
        }
        return spans;
    }

    void countSources(const engine::ModelText& model, PromptParts& parts)
    {
        for (size_t i = 0; i < parts.sources.size(); ++i)
            if (!parts.sourceTokens[i])
                parts.sourceTokens[i] = countTokens(model, parts.sources[i]);
    }

    engine::Result<FormattedPrompt> render(const engine::ModelText& model,
        const engine::ChatTemplate& chatTemplate, const engine::RenderRequest& request,
        const PromptParts& parts)
    {
        QElapsedTimer timer;
        timer.start();
        const auto elapsedMs = [&timer] { return double(timer.nsecsElapsed()) / 1e6; };
        TRY_ASSIGN(engine::RenderedPrompt rendered, chatTemplate.render(request));
        FormattedPrompt prompt;
        prompt.times.templateMs = elapsedMs();
        prompt.ids = engine::promptIds(*model.tokenizer, rendered.spans);
        prompt.times.tokenizeMs = elapsedMs() - *prompt.times.templateMs;
        prompt.text = rendered.text();
        prompt.sources = findSources(rendered, parts);
        prompt.spans = spansOf(rendered, request.messages, parts, prompt.sources);
        prompt.messages = request.messages;
        prompt.templateSource = chatTemplate.source();
        return prompt;
    }

    engine::Result<FormattedPrompt> renderFamily(const engine::ModelText& model,
        engine::TemplateFamily family, const engine::RenderRequest& request, const PromptParts& parts)
    {
        const engine::TemplateFamilyInfo& info = familyInfo(family);
        TRY_ASSIGN(engine::ChatTemplate chosen, engine::ChatTemplate::parse(info.source));
        TRY_ASSIGN(FormattedPrompt prompt, render(model, chosen, request, parts));
        prompt.templateName = std::string(info.name) + " (chosen)";
        prompt.templateFamily = info.name;
        return prompt;
    }

    /// What was said, one after the other with an empty line between, as if typed into a page.
    FormattedPrompt joined(
        const engine::ModelText& model, const engine::RenderRequest& request, const PromptParts& parts)
    {
        QElapsedTimer timer;
        timer.start();
        engine::RenderedPrompt said;
        for (size_t i = 0; i < request.messages.size(); ++i) {
            if (i > 0)
                said.spans.push_back({ "\n\n", engine::TextOrigin::Template });
            said.spans.push_back({ request.messages[i].value("content", std::string()),
                engine::TextOrigin::Person, int(i) });
        }
        FormattedPrompt prompt;
        prompt.text = said.text();
        const engine::TextSpan whole { prompt.text, engine::TextOrigin::Person };
        prompt.ids = engine::promptIds(*model.tokenizer, std::span(&whole, 1));
        prompt.times.tokenizeMs = double(timer.nsecsElapsed()) / 1e6;
        prompt.templateName = kNoTemplate;
        prompt.sources = findSources(said, parts);
        prompt.spans = spansOf(said, request.messages, parts, prompt.sources);
        prompt.messages = request.messages;
        return prompt;
    }

    /// By the format that parts ask for.
    engine::Result<FormattedPrompt> formatMessages(
        const engine::ModelText& model, const engine::RenderRequest& request, const PromptParts& parts)
    {
        const bool isOwnUsable = model.offer.usable() && model.ownTemplate;
        switch (parts.format.kind) {
        case PromptFormatKind::None:
            return joined(model, request, parts);
        case PromptFormatKind::Family:
            return renderFamily(model, parts.format.family, request, parts);
        case PromptFormatKind::Own:
            if (!isOwnUsable)
                return engine::Error::badTemplate(model.offer.problem);
            break;
        case PromptFormatKind::AsChat:
            if (isOwnUsable)
                break;
            if (!parts.family)
                return engine::Error::badTemplate(model.offer.problem
                    + " Choose a chat format by name on the right, or open a plain-text page instead.");
            return renderFamily(model, *parts.family, request, parts);
        }
        TRY_ASSIGN(FormattedPrompt prompt, render(model, *model.ownTemplate, request, parts));
        prompt.templateName = "from the file";
        prompt.templateFamily = "own";
        return prompt;
    }
}

int countTokens(const engine::ModelText& model, const SourceText& source)
{
    return int(model.tokenizer->encodeText(source.text.toStdString()).size());
}

engine::Result<FormattedPrompt> formatChat(const engine::ModelText& model, const PromptParts& parts,
    size_t firstTurn, std::chrono::sys_seconds now)
{
    const engine::Vocabulary& vocabulary = model.tokenizer->vocabulary();
    engine::RenderRequest request;
    request.messages = templateMessages(parts, firstTurn);
    request.bosToken = pieceOf(vocabulary, vocabulary.bosId());
    request.eosToken = pieceOf(vocabulary, vocabulary.eosId());
    request.now = now;

    TRY_ASSIGN(FormattedPrompt prompt, formatMessages(model, request, parts));
    prompt.droppedTurnCount = firstTurn;
    return prompt;
}

engine::Result<FormattedPrompt> formatToFit(const engine::ModelText& model, PromptParts parts,
    const PromptRoom& room, std::chrono::sys_seconds now)
{
    countSources(model, parts);
    auto whole = formatChat(model, parts, 0, now);
    const size_t wished = std::max<size_t>(1, std::min(room.lengthCap, room.contextLength / 4));
    const auto fits = [&](const FormattedPrompt& prompt) {
        return prompt.ids.size() + room.draftTokenCount + wished <= room.contextLength;
    };
    if (parts.contextPolicy != ContextPolicy::DropOldestTurns || !whole || fits(*whole))
        return whole;
    const std::vector<size_t> starts = laterStarts(parts);
    if (starts.empty())
        return whole;
    // Leaving out more never makes a prompt longer: halving finds the first start that fits.
    size_t tooEarly = 0; // starts before it leave too little room
    size_t late = starts.size() - 1;
    while (tooEarly < late) {
        const size_t middle = (tooEarly + late) / 2;
        TRY_ASSIGN(const FormattedPrompt tried, formatChat(model, parts, starts[middle], now));
        if (fits(tried))
            late = middle;
        else
            tooEarly = middle + 1;
    }
    return formatChat(model, parts, starts[late], now);
}

FormattedPrompt formatPlainText(const engine::ModelText& model, const QString& text)
{
    FormattedPrompt prompt;
    prompt.text = text.toStdString();
    const engine::TextSpan span { prompt.text, engine::TextOrigin::Person };
    prompt.ids = engine::promptIds(*model.tokenizer, std::span(&span, 1));
    prompt.spans.emplace();
    if (!prompt.text.empty())
        prompt.spans->push_back({ PromptOrigin::Typed, 0, prompt.text.size() });
    prompt.templateName = kNoTemplate;
    return prompt;
}

void takeTemplate(FormattedPrompt& prompt, const engine::ModelText& model, const std::string& family)
{
    prompt.templateFamily.reset();
    prompt.templateSource.reset();
    if (family.empty())
        return;
    prompt.templateFamily = family;
    if (family == "own")
        prompt.templateSource = model.offer.ownSource;
    for (const engine::TemplateFamilyInfo& info : engine::templateFamilyTable())
        if (family == info.name)
            prompt.templateSource = info.source;
}

QString systemTextFromTemplate(const engine::ModelText& model, const ChatSettings& settings)
{
    if (!settings.systemText.isEmpty() || !model.offer.usable())
        return {};
    return QString::fromStdString(model.offer.defaultSystemText);
}

} // namespace app
