#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/method_table.h"
#include "engine/chat/jinja/str_format.h"
#include "engine/chat/jinja/text_operations.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    const Text& textOf(const Value& self) { return *self.asText(); }

    template <LetterCase form>
    Result<Value> changeCase(Meter& meter, const Value& self, const BoundArguments&)
    {
        TRY(meter.stepBytes(textOf(self).size() * 8));
        return makeText(meter, withCase(textOf(self), form));
    }

    template <Side side>
    Result<Value> strip(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const Text* chars, arguments.textOrNull(0));
        TRY(meter.stepBytes(textOf(self).size()));
        return makeText(meter, trimmed(textOf(self), side, chars));
    }

    template <bool fromRight>
    Result<Value> splitMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        SplitOptions options;
        options.fromRight = fromRight;
        TRY_ASSIGN(options.separator, arguments.textOrNull(0));
        TRY_ASSIGN(options.maxSplits, arguments.wholeNumberOr(1, -1));
        TRY_ASSIGN(std::vector<Value> parts, split(meter, textOf(self), options));
        return makeList(meter, std::move(parts));
    }

    Result<Value> splitLinesMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(
            std::vector<Value> lines, splitLines(meter, textOf(self), arguments.flagOr(0, false)));
        return makeList(meter, std::move(lines));
    }

    template <bool fromRight>
    Result<Value> partition(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const Text* separator, arguments.textAt(0));
        if (separator->empty())
            return Error::badTemplate("partition(): the separator is empty");
        const Text& text = textOf(self);
        TRY(meter.stepBytes(text.size()));
        const size_t found = fromRight ? text.bytes().rfind(separator->bytes())
                                       : text.bytes().find(separator->bytes());
        const bool missing = found == std::string::npos;
        const size_t begin = missing ? (fromRight ? 0 : text.size()) : found;
        const size_t end = missing ? begin : found + separator->size();
        return makeList(meter,
            { makeText(meter, part(text, 0, begin)), makeText(meter, part(text, begin, end)),
                makeText(meter, part(text, end, text.size())) },
            ListKind::Tuple);
    }

    Result<Value> replaceMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const Text* before, arguments.textAt(0));
        TRY_ASSIGN(const Text* after, arguments.textAt(1));
        TRY_ASSIGN(const int64_t count, arguments.wholeNumberOr(2, -1));
        return replaced(meter, textOf(self), { *before, *after, count });
    }

    Result<Value> joinMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const std::vector<Value> items, elementsOf(meter, arguments.at(0)));
        for (const Value& item : items)
            if (!item.asText())
                return Error::badTemplate(
                    "join(): expected strs, found a " + std::string(item.typeName()));
        return joined(meter, textOf(self), items);
    }

    bool hasAffix(std::string_view text, std::string_view affix, bool atStart)
    {
        return atStart ? text.starts_with(affix) : text.ends_with(affix);
    }

    /// The bytes between two code point indices that may count from the end or be left out.
    Result<std::string_view> window(
        const Text& text, const BoundArguments& arguments, size_t firstIndex, size_t& offset)
    {
        const std::string_view bytes = text.bytes();
        const auto length = int64_t(countCodePoints(bytes));
        const auto bound = [&](size_t index, int64_t fallback) -> Result<int64_t> {
            if (!arguments.find(index) || arguments.find(index)->isNone())
                return fallback;
            TRY_ASSIGN(const int64_t value, arguments.wholeNumberOr(index, fallback));
            return std::clamp<int64_t>(value < 0 ? value + length : value, 0, length);
        };
        TRY_ASSIGN(const int64_t start, bound(firstIndex, 0));
        TRY_ASSIGN(const int64_t stop, bound(firstIndex + 1, length));
        offset = offsetOfCodePoint(bytes, size_t(start));
        const size_t end = offsetOfCodePoint(bytes, size_t(std::max(start, stop)));
        return bytes.substr(offset, end - offset);
    }

    template <bool atStart>
    Result<Value> hasAffixMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        size_t offset = 0;
        TRY(meter.stepBytes(textOf(self).size() / 4));
        TRY_ASSIGN(const std::string_view text, window(textOf(self), arguments, 1, offset));
        if (const List* choices = arguments.at(0).asList()) {
            for (const Value& choice : choices->items)
                if (choice.asText() && hasAffix(text, choice.asText()->bytes(), atStart))
                    return Value(true);
            return Value(false);
        }
        TRY_ASSIGN(const Text* affix, arguments.textAt(0));
        return Value(hasAffix(text, affix->bytes(), atStart));
    }

    template <bool atStart>
    Result<Value> removeAffix(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const Text* affix, arguments.textAt(0));
        const Text& text = textOf(self);
        if (!hasAffix(text.bytes(), affix->bytes(), atStart))
            return self;
        const size_t begin = atStart ? affix->size() : 0;
        return makeText(meter, part(text, begin, begin + text.size() - affix->size()));
    }

    template <bool fromRight, bool mustExist>
    Result<Value> findMethodOf(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const Text* sought, arguments.textAt(0));
        TRY(meter.stepBytes(textOf(self).size()));
        size_t offset = 0;
        TRY_ASSIGN(const std::string_view text, window(textOf(self), arguments, 1, offset));
        const size_t found = fromRight ? text.rfind(sought->bytes()) : text.find(sought->bytes());
        if (found != std::string_view::npos)
            return Value(int64_t(
                countCodePoints(std::string_view(textOf(self).bytes()).substr(0, offset + found))));
        if (mustExist)
            return Error::badTemplate("index(): substring not found");
        return Value(int64_t(-1));
    }

    Result<Value> countMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const Text* sought, arguments.textAt(0));
        TRY(meter.stepBytes(textOf(self).size()));
        size_t offset = 0;
        TRY_ASSIGN(const std::string_view text, window(textOf(self), arguments, 1, offset));
        if (sought->empty())
            return Value(int64_t(countCodePoints(text)) + 1);
        int64_t count = 0;
        for (size_t at = text.find(sought->bytes()); at != std::string_view::npos;
             at = text.find(sought->bytes(), at + sought->size()))
            ++count;
        return Value(count);
    }

    template <Alignment alignment>
    Result<Value> pad(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        Padding padding;
        padding.alignment = alignment;
        TRY_ASSIGN(padding.width, arguments.wholeNumberOr(0, 0));
        TRY_ASSIGN(const Text* fill, arguments.textOrNull(1));
        if (fill && countCodePoints(fill->bytes()) != 1)
            return Error::badTemplate("the fill character must be exactly one character");
        if (fill)
            padding.fill = fill->bytes();
        return padded(meter, textOf(self), padding);
    }

    Result<Value> zfill(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const int64_t width, arguments.wholeNumberOr(0, 0));
        const Text& text = textOf(self);
        const bool hasSign = text.bytes().starts_with('-') || text.bytes().starts_with('+');
        const Text digits = part(text, hasSign ? 1 : 0, text.size());
        TRY_ASSIGN(const Value filled,
            padded(meter, digits,
                { .width = width - (hasSign ? 1 : 0),
                    .fill = "0",
                    .alignment = Alignment::Right }));
        TextBuilder builder;
        builder.append(text, 0, hasSign ? 1 : 0);
        builder.append(textOf(filled));
        return makeText(meter, std::move(builder));
    }

    Result<Value> expandTabs(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const int64_t tabSize, arguments.wholeNumberOr(0, 8));
        if (tabSize > 1000)
            return Error::badTemplate("expandtabs(): a tab wider than 1000");
        const Text& text = textOf(self);
        TRY(meter.stepBytes(text.size() * 8));
        TextBuilder builder;
        int64_t column = 0;
        for (size_t offset = 0; offset < text.size();) {
            const CodePoint c = codePointAt(text.bytes(), offset);
            if (c.value == '\t') {
                const int64_t blanks = tabSize > 0 ? tabSize - column % tabSize : 0;
                builder.append(std::string(size_t(blanks), ' '), text.originAt(offset));
                column += blanks;
            } else {
                builder.append(text, offset, offset + c.bytes);
                column = c.value == '\n' || c.value == '\r' ? 0 : column + 1;
            }
            offset += c.bytes;
        }
        return makeText(meter, std::move(builder));
    }

    /// Whether the text is not empty and all its characters pass.
    template <bool (*passes)(int32_t)>
    Result<Value> allPass(Meter& meter, const Value& self, const BoundArguments&)
    {
        const std::string& bytes = textOf(self).bytes();
        TRY(meter.stepBytes(bytes.size() * 4));
        for (size_t offset = 0; offset < bytes.size(); offset += codePointAt(bytes, offset).bytes)
            if (!passes(codePointAt(bytes, offset).value))
                return Value(false);
        return Value(!bytes.empty());
    }

    bool isAlphanumeric(int32_t c) { return isAlpha(c) || isDecimal(c); }

    /// Whether there is a cased character and all cased ones are of this case.
    template <bool upper>
    Result<Value> hasOneCase(Meter& meter, const Value& self, const BoundArguments&)
    {
        const std::string& bytes = textOf(self).bytes();
        TRY(meter.stepBytes(bytes.size() * 4));
        bool found = false;
        for (size_t offset = 0; offset < bytes.size(); offset += codePointAt(bytes, offset).bytes) {
            const int32_t c = codePointAt(bytes, offset).value;
            if (upper ? isLower(c) : isUpper(c))
                return Value(false);
            found = found || (upper ? isUpper(c) : isLower(c));
        }
        return Value(found);
    }

    Result<Value> isAscii(Meter&, const Value& self, const BoundArguments&)
    {
        const std::string& bytes = textOf(self).bytes();
        return Value(
            std::all_of(bytes.begin(), bytes.end(), [](char c) { return uint8_t(c) < 0x80; }));
    }

    Result<Value> formatMethod(Meter& meter, const Value& self, const BoundArguments& arguments)
    {
        return strFormat(meter, textOf(self), arguments.given());
    }

    constexpr NativeEntry kTextMethods[] = {
        { "capitalize", {}, changeCase<LetterCase::Capitalized> },
        { "casefold", {}, changeCase<LetterCase::Lower> },
        { "center", { { "width", "fillchar" }, 1 }, pad<Alignment::Center> },
        { "count", { { "sub", "start", "end" }, 1 }, countMethod },
        { "endswith", { { "suffix", "start", "end" }, 1 }, hasAffixMethod<false> },
        { "expandtabs", { { "tabsize" } }, expandTabs },
        { "find", { { "sub", "start", "end" }, 1 }, findMethodOf<false, false> },
        { "format", { .variadic = true }, formatMethod },
        { "index", { { "sub", "start", "end" }, 1 }, findMethodOf<false, true> },
        { "isalnum", {}, allPass<isAlphanumeric> },
        { "isalpha", {}, allPass<isAlpha> },
        { "isascii", {}, isAscii },
        { "isdecimal", {}, allPass<isDecimal> },
        { "isdigit", {}, allPass<isDecimal> },
        { "islower", {}, hasOneCase<false> },
        { "isnumeric", {}, allPass<isDecimal> },
        { "isspace", {}, allPass<isSpace> },
        { "isupper", {}, hasOneCase<true> },
        { "join", { { "iterable" }, 1 }, joinMethod },
        { "ljust", { { "width", "fillchar" }, 1 }, pad<Alignment::Left> },
        { "lower", {}, changeCase<LetterCase::Lower> },
        { "lstrip", { { "chars" } }, strip<Side::Left> },
        { "partition", { { "sep" }, 1 }, partition<false> },
        { "removeprefix", { { "prefix" }, 1 }, removeAffix<true> },
        { "removesuffix", { { "suffix" }, 1 }, removeAffix<false> },
        { "replace", { { "old", "new", "count" }, 2 }, replaceMethod },
        { "rfind", { { "sub", "start", "end" }, 1 }, findMethodOf<true, false> },
        { "rindex", { { "sub", "start", "end" }, 1 }, findMethodOf<true, true> },
        { "rjust", { { "width", "fillchar" }, 1 }, pad<Alignment::Right> },
        { "rpartition", { { "sep" }, 1 }, partition<true> },
        { "rsplit", { { "sep", "maxsplit" } }, splitMethod<true> },
        { "rstrip", { { "chars" } }, strip<Side::Right> },
        { "split", { { "sep", "maxsplit" } }, splitMethod<false> },
        { "splitlines", { { "keepends" } }, splitLinesMethod },
        { "startswith", { { "prefix", "start", "end" }, 1 }, hasAffixMethod<true> },
        { "strip", { { "chars" } }, strip<Side::Both> },
        { "swapcase", {}, changeCase<LetterCase::Swapped> },
        { "title", {}, changeCase<LetterCase::Title> },
        { "upper", {}, changeCase<LetterCase::Upper> },
        { "zfill", { { "width" }, 1 }, zfill },
    };
}

std::span<const NativeEntry> textMethods() { return kTextMethods; }

} // namespace engine::jinja
