#include "engine/chat/jinja/filters.h"
#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/percent_format.h"
#include "engine/chat/jinja/python_text.h"
#include "engine/chat/jinja/text_operations.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::jinja::filters {

namespace {
    Result<Value> changedCase(Meter& meter, const Value& subject, LetterCase form)
    {
        TRY_ASSIGN(const Text text, pythonText(meter, subject));
        TRY(meter.stepBytes(text.size() * 8));
        return makeText(meter, withCase(text, form));
    }

    const char* htmlEscape(char c)
    {
        switch (c) {
        case '&':
            return "&amp;";
        case '<':
            return "&lt;";
        case '>':
            return "&gt;";
        case '\'':
            return "&#39;";
        case '"':
            return "&#34;";
        default:
            return nullptr;
        }
    }

    Result<Text> percentEncoded(Meter& meter, const Value& value, bool inQuery)
    {
        TRY_ASSIGN(const Text text, pythonText(meter, value));
        TRY(meter.stepBytes(text.size() * 4));
        constexpr char kDigits[] = "0123456789ABCDEF";
        TextBuilder builder;
        for (size_t i = 0; i < text.size(); ++i) {
            const char c = text.bytes()[i];
            const bool kept = (uint8_t(c) < 0x80 && isWord(c)) || c == '.' || c == '-' || c == '~'
                || (c == '/' && !inQuery);
            if (kept)
                builder.append(text, i, i + 1);
            else if (c == ' ' && inQuery)
                builder.append("+", text.originAt(i));
            else
                builder.append(
                    std::string { '%', kDigits[uint8_t(c) >> 4], kDigits[uint8_t(c) & 15] },
                    text.originAt(i));
        }
        return builder.take();
    }
}

Result<Value> capitalize(Meter& meter, const Value& subject, const BoundArguments&)
{
    return changedCase(meter, subject, LetterCase::Capitalized);
}

Result<Value> lower(Meter& meter, const Value& subject, const BoundArguments&)
{
    return changedCase(meter, subject, LetterCase::Lower);
}

Result<Value> upper(Meter& meter, const Value& subject, const BoundArguments&)
{
    return changedCase(meter, subject, LetterCase::Upper);
}

Result<Value> string(Meter& meter, const Value& subject, const BoundArguments&)
{
    if (subject.asText())
        return subject;
    TRY_ASSIGN(Text text, pythonText(meter, subject));
    return makeText(meter, std::move(text));
}

/// Jinja's own title: words begin behind blanks, hyphens and opening brackets, not behind
/// apostrophes.
Result<Value> title(Meter& meter, const Value& subject, const BoundArguments&)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    TRY(meter.stepBytes(text.size() * 8));
    TextBuilder builder;
    bool startsWord = true;
    for (size_t offset = 0; offset < text.size();) {
        const CodePoint c = codePointAt(text.bytes(), offset);
        const std::string_view character = std::string_view(text.bytes()).substr(offset, c.bytes);
        std::string changed;
        if (startsWord)
            appendUpper(changed, character);
        else
            appendLower(changed, character);
        builder.append(changed, text.originAt(offset));
        startsWord = isSpace(c.value)
            || std::string_view("-({[<").find(character) != std::string_view::npos;
        offset += c.bytes;
    }
    return makeText(meter, std::move(builder));
}

Result<Value> center(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    TRY_ASSIGN(const int64_t width, arguments.wholeNumberOr(0, 80));
    return padded(meter, text, { .width = width, .alignment = Alignment::Center });
}

Result<Value> escape(Meter& meter, const Value& subject, const BoundArguments&)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    TRY(meter.stepBytes(text.size() * 4));
    TextBuilder builder;
    for (size_t i = 0; i < text.size(); ++i) {
        if (const char* escaped = htmlEscape(text.bytes()[i]))
            builder.append(escaped, text.originAt(i));
        else
            builder.append(text, i, i + 1);
    }
    return makeText(meter, std::move(builder));
}

Result<Value> format(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    const Arguments& given = arguments.given();
    if (given.named.empty()) {
        TRY_ASSIGN(const Value tuple, makeList(meter, given.positional, ListKind::Tuple));
        return percentFormat(meter, text, tuple);
    }
    if (!given.positional.empty())
        return Error::badTemplate("format: arguments with and without names do not go together");
    Dict dict;
    for (const auto& [name, value] : given.named)
        TRY(putKey(meter, dict, makeText(meter, name, Origin::Template), value));
    TRY_ASSIGN(const Value named, makeDict(meter, std::move(dict.entries)));
    return percentFormat(meter, text, named);
}

Result<Value> indent(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    Text indention;
    if (arguments.find(0) && arguments.find(0)->asText()) {
        indention = *arguments.find(0)->asText();
    } else {
        TRY_ASSIGN(const int64_t width, arguments.wholeNumberOr(0, 4));
        if (width > int64_t(kMaxStringBytes))
            return Error::badTemplate("a string longer than 4 MiB");
        indention = Text(std::string(size_t(std::max<int64_t>(width, 0)), ' '), Origin::Template);
    }
    const bool indentsFirst = arguments.flagOr(1, false);
    const bool indentsBlank = arguments.flagOr(2, false);
    TextBuilder ended;
    ended.append(text);
    ended.append("\n", Origin::Template);
    TRY_ASSIGN(const std::vector<Value> lines, splitLines(meter, ended.take(), false));
    TextBuilder builder;
    for (size_t i = 0; i < lines.size() && !builder.overflowed(); ++i) {
        const Text& line = *lines[i].asText();
        TRY(meter.stepBytes(line.size() + indention.size()));
        if (i > 0)
            builder.append("\n", Origin::Template);
        if (i == 0 ? indentsFirst : indentsBlank || !line.empty())
            builder.append(indention);
        builder.append(line);
    }
    return makeText(meter, std::move(builder));
}

Result<Value> replace(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    TRY_ASSIGN(const Text before, pythonText(meter, arguments.at(0)));
    TRY_ASSIGN(const Text after, pythonText(meter, arguments.at(1)));
    const bool all = !arguments.find(2) || arguments.find(2)->isNone();
    TRY_ASSIGN(const int64_t count, all ? Result<int64_t>(-1) : arguments.wholeNumberOr(2, -1));
    return replaced(meter, text, { before, after, count });
}

Result<Value> trim(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    TRY_ASSIGN(const Text* chars, arguments.textOrNull(0));
    TRY(meter.stepBytes(text.size()));
    return makeText(meter, trimmed(text, Side::Both, chars));
}

Result<Value> truncate(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    TRY_ASSIGN(const int64_t length, arguments.wholeNumberOr(0, 255));
    const Text dots("...", Origin::Template);
    TRY_ASSIGN(const Text* givenEnd, arguments.textOrNull(2));
    const Text& end = givenEnd ? *givenEnd : dots;
    const bool standardLeeway = !arguments.find(3) || arguments.find(3)->isNone();
    TRY_ASSIGN(
        const int64_t leeway, standardLeeway ? Result<int64_t>(5) : arguments.wholeNumberOr(3, 5));
    const auto endLength = int64_t(countCodePoints(end.bytes()));
    if (length < endLength || leeway < 0)
        return Error::badTemplate(
            "truncate: the length must be at least that of the end, the leeway at least 0");
    TRY(meter.stepBytes(text.size()));
    const auto textLength = int64_t(countCodePoints(text.bytes()));
    if (leeway >= textLength || length >= textLength - leeway)
        return makeText(meter, text);
    size_t cut = offsetOfCodePoint(text.bytes(), size_t(length - endLength));
    if (!arguments.flagOr(1, false)) {
        const size_t blank = std::string_view(text.bytes()).substr(0, cut).rfind(' ');
        cut = blank == std::string_view::npos ? cut : blank;
    }
    TextBuilder builder;
    builder.append(text, 0, cut);
    builder.append(end);
    return makeText(meter, std::move(builder));
}

Result<Value> urlencode(Meter& meter, const Value& subject, const BoundArguments&)
{
    if (!subject.asDict()) {
        TRY_ASSIGN(Text text, percentEncoded(meter, subject, false));
        return makeText(meter, std::move(text));
    }
    TextBuilder builder;
    for (const auto& [key, value] : subject.asDict()->entries) {
        TRY_ASSIGN(const Text name, percentEncoded(meter, key, true));
        TRY_ASSIGN(const Text content, percentEncoded(meter, value, true));
        builder.append(builder.size() > 0 ? "&" : "", Origin::Template);
        builder.append(name);
        builder.append("=", Origin::Template);
        builder.append(content);
    }
    return makeText(meter, std::move(builder));
}

Result<Value> wordcount(Meter& meter, const Value& subject, const BoundArguments&)
{
    TRY_ASSIGN(const Text text, pythonText(meter, subject));
    TRY(meter.stepBytes(text.size() * 4));
    int64_t count = 0;
    bool inWord = false;
    for (size_t offset = 0; offset < text.size();) {
        const CodePoint c = codePointAt(text.bytes(), offset);
        count += !inWord && isWord(c.value);
        inWord = isWord(c.value);
        offset += c.bytes;
    }
    return Value(count);
}

} // namespace engine::jinja::filters
