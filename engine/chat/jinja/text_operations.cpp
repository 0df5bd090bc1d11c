#include "engine/chat/jinja/text_operations.h"

#include "engine/chat/jinja/python_text.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    bool strips(std::string_view character, const Text* chars)
    {
        if (chars)
            return chars->bytes().find(character) != std::string::npos;
        return isSpace(codePointAt(character, 0).value);
    }

    Result<std::vector<Value>> splitAtSpace(Meter& meter, const Text& text, int64_t maxSplits)
    {
        const std::string_view bytes = text.bytes();
        std::vector<Value> parts;
        const auto skip = [&](size_t offset, bool spaces) {
            while (offset < bytes.size()) {
                const CodePoint c = codePointAt(bytes, offset);
                if (isSpace(c.value) != spaces)
                    break;
                offset += c.bytes;
            }
            return offset;
        };
        for (size_t begin = skip(0, true); begin < bytes.size();) {
            const bool last = maxSplits >= 0 && int64_t(parts.size()) == maxSplits;
            const size_t end = last ? trimSpaceRight(bytes).size() : skip(begin, false);
            TRY(meter.step());
            parts.push_back(makeText(meter, part(text, begin, last ? bytes.size() : end)));
            begin = last ? bytes.size() : skip(end, true);
        }
        return parts;
    }

    Result<std::vector<Value>> splitAtSpaceFromRight(
        Meter& meter, const Text& text, int64_t maxSplits)
    {
        std::vector<Value> parts;
        const std::string_view bytes = text.bytes();
        size_t end = trimSpaceRight(bytes).size();
        while (end > 0) {
            const bool last = maxSplits >= 0 && int64_t(parts.size()) == maxSplits;
            size_t begin = end;
            while (begin > 0 && !last) {
                const size_t previous = previousOffset(bytes, begin);
                if (isSpace(codePointAt(bytes, previous).value))
                    break;
                begin = previous;
            }
            TRY(meter.step());
            parts.push_back(makeText(meter, part(text, last ? 0 : begin, end)));
            end = last ? 0 : trimSpaceRight(bytes.substr(0, begin)).size();
        }
        std::reverse(parts.begin(), parts.end());
        return parts;
    }

    Result<std::vector<Value>> splitAt(Meter& meter, const Text& text, const SplitOptions& options)
    {
        const std::string_view bytes = text.bytes();
        const std::string_view separator = options.separator->bytes();
        std::vector<Value> parts;
        size_t begin = 0;
        size_t end = bytes.size();
        while (options.maxSplits < 0 || int64_t(parts.size()) < options.maxSplits) {
            TRY(meter.step());
            const size_t found = options.fromRight
                ? (end >= separator.size() ? bytes.rfind(separator, end - separator.size())
                                           : std::string_view::npos)
                : bytes.find(separator, begin);
            if (found == std::string_view::npos)
                break;
            if (options.fromRight) {
                parts.push_back(makeText(meter, part(text, found + separator.size(), end)));
                end = found;
            } else {
                parts.push_back(makeText(meter, part(text, begin, found)));
                begin = found + separator.size();
            }
        }
        parts.push_back(makeText(meter, part(text, begin, end)));
        if (options.fromRight)
            std::reverse(parts.begin(), parts.end());
        return parts;
    }
}

Text part(const Text& text, size_t begin, size_t end)
{
    TextBuilder builder;
    builder.append(text, begin, end);
    return builder.take();
}

Text trimmed(const Text& text, Side side, const Text* chars)
{
    const std::string_view bytes = text.bytes();
    size_t begin = 0;
    size_t end = bytes.size();
    while (side != Side::Right && begin < end) {
        const size_t size = codePointAt(bytes, begin).bytes;
        if (!strips(bytes.substr(begin, size), chars))
            break;
        begin += size;
    }
    while (side != Side::Left && end > begin) {
        const size_t previous = previousOffset(bytes, end);
        if (!strips(bytes.substr(previous, end - previous), chars))
            break;
        end = previous;
    }
    return part(text, begin, end);
}

Result<Value> replaced(Meter& meter, const Text& text, const Replacement& replacement)
{
    TRY(meter.stepBytes(text.size()));
    const std::string_view bytes = text.bytes();
    const std::string_view before = replacement.before.bytes();
    TextBuilder builder;
    size_t begin = 0;
    for (int64_t done = 0; replacement.count < 0 || done < replacement.count; ++done) {
        TRY(meter.step());
        if (builder.overflowed())
            break;
        if (before.empty()) { // once before each character, and once at the end
            builder.append(replacement.after);
            if (begin >= bytes.size())
                break;
            const size_t next = begin + codePointAt(bytes, begin).bytes;
            builder.append(text, begin, next);
            begin = next;
            continue;
        }
        const size_t found = bytes.find(before, begin);
        if (found == std::string_view::npos)
            break;
        builder.append(text, begin, found);
        builder.append(replacement.after);
        begin = found + before.size();
    }
    builder.append(text, begin, bytes.size());
    return makeText(meter, std::move(builder));
}

Result<std::vector<Value>> split(Meter& meter, const Text& text, const SplitOptions& options)
{
    TRY(meter.stepBytes(text.size()));
    if (options.separator && options.separator->empty())
        return Error::badTemplate("split(): the separator is empty");
    if (options.separator)
        return splitAt(meter, text, options);
    return options.fromRight ? splitAtSpaceFromRight(meter, text, options.maxSplits)
                             : splitAtSpace(meter, text, options.maxSplits);
}

Result<std::vector<Value>> splitLines(Meter& meter, const Text& text, bool keepsEnds)
{
    const std::string_view bytes = text.bytes();
    const auto endsLine = [](int32_t c) {
        return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028
            || c == 0x2029;
    };
    std::vector<Value> lines;
    for (size_t begin = 0; begin < bytes.size();) {
        size_t end = begin;
        while (end < bytes.size() && !endsLine(codePointAt(bytes, end).value))
            end += codePointAt(bytes, end).bytes;
        size_t next = end;
        if (end < bytes.size())
            next += bytes.substr(end, 2) == "\r\n" ? 2 : codePointAt(bytes, end).bytes;
        TRY(meter.stepBytes(next - begin));
        lines.push_back(makeText(meter, part(text, begin, keepsEnds ? next : end)));
        begin = next;
    }
    return lines;
}

Result<Value> joined(Meter& meter, const Text& separator, const std::vector<Value>& items)
{
    TextBuilder builder;
    for (size_t i = 0; i < items.size() && !builder.overflowed(); ++i) {
        TRY_ASSIGN(const Text text, pythonText(meter, items[i]));
        TRY(meter.stepBytes(separator.size() + text.size()));
        if (i > 0)
            builder.append(separator);
        builder.append(text);
    }
    return makeText(meter, std::move(builder));
}

Text withCase(const Text& text, LetterCase form)
{
    const std::string_view bytes = text.bytes();
    TextBuilder builder;
    bool startsWord = true;
    for (size_t offset = 0; offset < bytes.size();) {
        const CodePoint c = codePointAt(bytes, offset);
        const std::string_view character = bytes.substr(offset, c.bytes);
        std::string changed;
        if (form == LetterCase::Upper || (form == LetterCase::Swapped && isLower(c.value)))
            appendUpper(changed, character);
        else if ((form == LetterCase::Capitalized && offset == 0)
            || (form == LetterCase::Title && startsWord))
            appendTitle(changed, character);
        else
            appendLower(changed, character);
        builder.append(changed, text.originAt(offset));
        startsWord = !isAlpha(c.value);
        offset += c.bytes;
    }
    return builder.take();
}

Result<Value> padded(Meter& meter, const Text& text, const Padding& padding)
{
    const auto length = int64_t(countCodePoints(text.bytes()));
    const int64_t missing = std::max<int64_t>(padding.width - length, 0);
    if (missing > int64_t(kMaxStringBytes))
        return Error::badTemplate("a string longer than 4 MiB");
    TRY(meter.stepBytes(text.size() + size_t(missing)));
    int64_t left = 0;
    if (padding.alignment == Alignment::Right)
        left = missing;
    else if (padding.alignment
        == Alignment::Center) // as CPython: an odd blank goes left when the width is odd
        left = missing / 2 + (missing & padding.width & 1);
    TextBuilder builder;
    for (int64_t i = 0; i < left; ++i)
        builder.append(padding.fill, Origin::Template);
    builder.append(text);
    for (int64_t i = left; i < missing; ++i)
        builder.append(padding.fill, Origin::Template);
    return makeText(meter, std::move(builder));
}

} // namespace engine::jinja
