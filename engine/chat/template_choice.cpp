#include "engine/chat/template_choice.h"

#include "engine/chat/default_system_text.h"
#include "engine/chat/template_markers.h"

namespace engine {

namespace {
    constexpr const char* kTemplateKey = "tokenizer.chat_template";

    bool isControlToken(const Vocabulary& vocabulary, const std::string& marker)
    {
        const auto id = vocabulary.find(marker);
        if (!id)
            return false;
        const TokenKind kind = vocabulary.kind(*id);
        return kind == TokenKind::Control || kind == TokenKind::UserDefined;
    }

    /// Whether "[INST]" and its like are tokens here rather than plain text (Llama 2 and the first
    /// Mistral models write them as text).
    bool hasBracketTokens(const Vocabulary& vocabulary)
    {
        for (const char* marker : { "[INST]", "[/INST]", "[TOOL_CALLS]", "[SYSTEM_PROMPT]" })
            if (isControlToken(vocabulary, marker))
                return true;
        return false;
    }

    /// The markers of this prompt that the vocabulary has no control token for.
    std::string missingMarkers(const RenderedPrompt& prompt, const Vocabulary& vocabulary)
    {
        const bool bracketsAreTokens = hasBracketTokens(vocabulary);
        std::string missing;
        for (const std::string& marker : roleMarkers(prompt)) {
            if (isControlToken(vocabulary, marker)
                || (isBracketMarker(marker) && !bracketsAreTokens))
                continue;
            missing += (missing.empty() ? "" : ", ") + marker;
        }
        return missing;
    }

    RenderRequest trialRequest(const Vocabulary& vocabulary)
    {
        RenderRequest request;
        if (const auto bos = vocabulary.bosId())
            request.bosToken = vocabulary.piece(*bos);
        if (const auto eos = vocabulary.eosId())
            request.eosToken = vocabulary.piece(*eos);
        request.now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
        request.messages = nlohmann::ordered_json::array({
            { { "role", "user" }, { "content", "Hello" } },
            { { "role", "assistant" }, { "content", "Hello, what can I do?" } },
            { { "role", "user" }, { "content", "Nothing" } },
        });
        return request;
    }
}

TemplateOffer offeredTemplate(const Metadata& metadata, const Tokenizer& tokenizer)
{
    TemplateOffer offer;
    if (!metadata.contains(kTemplateKey)) {
        offer.problem = "The file has no chat template.";
        return offer;
    }
    auto source = metadata.getString(kTemplateKey);
    if (!source) {
        offer.problem = source.error().message;
        return offer;
    }
    auto chatTemplate = ChatTemplate::parse(*source);
    if (!chatTemplate) {
        offer.problem
            = "The chat template of the file cannot be used: " + chatTemplate.error().message;
        return offer;
    }
    offer.ownSource = std::move(*source);

    const RenderRequest request = trialRequest(tokenizer.vocabulary());
    const auto prompt = chatTemplate->render(request);
    if (!prompt) {
        offer.problem
            = "The chat template of the file fails on a short chat: " + prompt.error().message;
        return offer;
    }
    const std::string missing = missingMarkers(*prompt, tokenizer.vocabulary());
    if (!missing.empty())
        offer.problem = "The chat template writes " + missing
            + ", but the vocabulary has no control token of that text.";
    offer.defaultSystemText = defaultSystemText(*chatTemplate, request);
    return offer;
}

TemplateOffer offeredTemplate(const GgufFile& file, const Tokenizer& tokenizer)
{
    return offeredTemplate(file.metadata(), tokenizer);
}

} // namespace engine
