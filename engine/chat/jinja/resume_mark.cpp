#include "engine/chat/jinja/resume_mark.h"

#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/text_operations.h"
#include "engine/chat/jinja/unicode.h"

namespace engine::jinja {

namespace {
    // The blank at its end shows whether the template trims what it writes.
    constexpr std::string_view kMark = "TOKENGLASS_RESUME_MARK ";

    Error noTextToContinue()
    {
        return Error::badRequest("the last message has no text to continue");
    }

    Value marked(Meter& meter, const Text& text)
    {
        TextBuilder builder(kMaxStringBytes + kMark.size());
        builder.append(text);
        builder.append(kMark, Origin::ResumeMark);
        return makeText(meter, builder.take());
    }

    /// The dictionary with another value for one of its keys.
    Result<Value> withValue(Meter& meter, const Dict& dict, std::string_view key, Value value)
    {
        auto entries = dict.entries;
        for (auto& [existing, content] : entries)
            if (existing.asText() && existing.asText()->bytes() == key)
                content = std::move(value);
        return makeDict(meter, std::move(entries));
    }

    /// Content in parts: the mark goes behind the last part that holds text.
    Result<Value> withMarkedPart(Meter& meter, const List& parts, Text& finalText)
    {
        std::vector<Value> changed = parts.items;
        for (size_t i = changed.size(); i-- > 0;) {
            const Dict* part = changed[i].asDict();
            const Value* text = part ? findKey(*part, "text") : nullptr;
            if (!text || !text->asText())
                continue;
            finalText = *text->asText();
            TRY_ASSIGN(changed[i], withValue(meter, *part, "text", marked(meter, finalText)));
            return makeList(meter, std::move(changed));
        }
        return noTextToContinue();
    }
}

Result<MarkedMessages> withResumeMark(Meter& meter, const Value& messages)
{
    const List* list = messages.asList();
    const Dict* last = list && !list->items.empty() ? list->items.back().asDict() : nullptr;
    const Value* content = last ? findKey(*last, "content") : nullptr;
    if (!content)
        return noTextToContinue();
    MarkedMessages result;
    Value changed;
    if (content->asText()) {
        result.finalText = *content->asText();
        changed = marked(meter, result.finalText);
    } else if (content->asList()) {
        TRY_ASSIGN(changed, withMarkedPart(meter, *content->asList(), result.finalText));
    } else {
        return noTextToContinue();
    }
    std::vector<Value> items = list->items;
    TRY_ASSIGN(items.back(), withValue(meter, *last, "content", std::move(changed)));
    TRY_ASSIGN(result.messages, makeList(meter, std::move(items)));
    return result;
}

Result<Text> cutAtResumeMark(const Text& prompt, const Text& finalText)
{
    const std::string_view bytes = prompt.bytes();
    const std::string_view word = trimSpace(kMark);
    const Error dropped = Error::badRequest("the last message cannot be continued: the chat "
                                            "template leaves it out or changes its text");
    if (bytes.find(trimSpace(finalText.bytes())) == std::string_view::npos)
        return dropped;
    size_t found = bytes.rfind(word);
    while (found != std::string_view::npos && prompt.originAt(found) != Origin::ResumeMark)
        found = found > 0 ? bytes.rfind(word, found - 1) : std::string_view::npos;
    if (found == std::string_view::npos)
        return dropped;
    const Text before = part(prompt, 0, found);
    const bool keepsBlanks = bytes.substr(found, kMark.size()) == kMark;
    return keepsBlanks ? before : trimmed(before, Side::Right, nullptr);
}

} // namespace engine::jinja
