#include "engine/chat/jinja/python_text.h"

#include "engine/chat/jinja/unicode.h"

#include <charconv>
#include <cmath>

namespace engine::jinja {

namespace {
    std::string hexDigits(uint32_t value, size_t width)
    {
        constexpr char kDigits[] = "0123456789abcdef";
        std::string digits(width, '0');
        for (size_t i = width; i-- > 0; value >>= 4)
            digits[i] = kDigits[value & 15];
        return digits;
    }

    void appendQuoted(TextBuilder& out, const Text& text)
    {
        const std::string_view bytes = text.bytes();
        const bool doubleQuotes = bytes.find('\'') != std::string_view::npos
            && bytes.find('"') == std::string_view::npos;
        const char quote = doubleQuotes ? '"' : '\'';
        out.append(std::string_view(&quote, 1), Origin::Template);
        for (size_t offset = 0; offset < bytes.size() && !out.overflowed();) {
            const CodePoint c = codePointAt(bytes, offset);
            const Origin origin = text.originAt(offset);
            if (c.value == quote || c.value == '\\')
                out.append(std::string { '\\', char(c.value) }, origin);
            else if (c.value == '\n')
                out.append("\\n", origin);
            else if (c.value == '\r')
                out.append("\\r", origin);
            else if (c.value == '\t')
                out.append("\\t", origin);
            else if (c.value < 0)
                out.append("\\x" + hexDigits(uint8_t(bytes[offset]), 2), origin);
            else if (isPrintable(c.value))
                out.append(bytes.substr(offset, c.bytes), origin);
            else if (c.value < 0x100)
                out.append("\\x" + hexDigits(uint32_t(c.value), 2), origin);
            else if (c.value < 0x10000)
                out.append("\\u" + hexDigits(uint32_t(c.value), 4), origin);
            else
                out.append("\\U" + hexDigits(uint32_t(c.value), 8), origin);
            offset += c.bytes;
        }
        out.append(std::string_view(&quote, 1), Origin::Template);
    }

    Result<void> appendRepr(Meter& meter, TextBuilder& out, const Value& value);

    Result<void> appendItems(Meter& meter, TextBuilder& out, const std::vector<Value>& items)
    {
        for (size_t i = 0; i < items.size(); ++i) {
            if (i > 0)
                out.append(", ", Origin::Template);
            TRY(appendRepr(meter, out, items[i]));
        }
        return {};
    }

    Result<void> appendList(Meter& meter, TextBuilder& out, const List& list)
    {
        constexpr const char* kOpen[]
            = { "[", "(", "dict_keys([", "dict_values([", "dict_items([" };
        constexpr const char* kClose[] = { "]", ")", "])", "])", "])" };
        out.append(kOpen[size_t(list.kind)], Origin::Template);
        TRY(appendItems(meter, out, list.items));
        if (list.kind == ListKind::Tuple && list.items.size() == 1)
            out.append(",", Origin::Template);
        out.append(kClose[size_t(list.kind)], Origin::Template);
        return {};
    }

    Result<void> appendDict(Meter& meter, TextBuilder& out, const Dict& dict)
    {
        out.append("{", Origin::Template);
        const char* separator = "";
        for (const auto& [key, value] : dict.entries) {
            out.append(separator, Origin::Template);
            separator = ", ";
            TRY(appendRepr(meter, out, key));
            out.append(": ", Origin::Template);
            TRY(appendRepr(meter, out, value));
        }
        out.append("}", Origin::Template);
        return {};
    }

    std::string rangeText(const Range& range)
    {
        std::string text
            = "range(" + std::to_string(range.start) + ", " + std::to_string(range.stop);
        if (range.step != 1)
            text += ", " + std::to_string(range.step);
        return text + ")";
    }

    Result<void> appendRepr(Meter& meter, TextBuilder& out, const Value& value)
    {
        TRY(meter.step());
        if (const Text* text = value.asText()) {
            TRY(meter.stepBytes(text->size() * 8));
            appendQuoted(out, *text);
        } else if (value.isNone()) {
            out.append("None", Origin::Template);
        } else if (const bool* flag = value.asBool()) {
            out.append(*flag ? "True" : "False", Origin::Template);
        } else if (const int64_t* whole = value.asInt()) {
            out.append(std::to_string(*whole), Origin::Template);
        } else if (const double* number = value.asFloat()) {
            out.append(floatText(*number), Origin::Template);
        } else if (value.asUndefined()) {
            out.append("Undefined", Origin::Template);
        } else if (const List* list = value.asList()) {
            return appendList(meter, out, *list);
        } else if (const Dict* dict = value.asDict()) {
            return appendDict(meter, out, *dict);
        } else if (const Range* range = value.asRange()) {
            out.append(rangeText(*range), Origin::Template);
        } else {
            return Error::badTemplate(
                "a " + std::string(value.typeName()) + " cannot be written as text");
        }
        return {};
    }
}

std::string floatText(double value)
{
    if (std::isnan(value))
        return "nan";
    if (std::isinf(value))
        return value < 0 ? "-inf" : "inf";
    char buffer[64];
    const auto written
        = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific);
    const std::string_view scientific(buffer, size_t(written.ptr - buffer));
    const size_t mark = scientific.find('e');
    int exponent = 0;
    const char* digits = scientific.data() + mark + 1 + (scientific[mark + 1] == '+');
    std::from_chars(digits, written.ptr, exponent);
    if (exponent < -4 || exponent >= 16) // the digits as they are: "1e-07", "1.5e+16"
        return std::string(scientific);
    const auto fixed
        = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed);
    std::string text(buffer, fixed.ptr);
    if (text.find('.') == std::string::npos)
        text += ".0";
    return text;
}

Result<Text> pythonRepr(Meter& meter, const Value& value)
{
    TextBuilder out;
    TRY(appendRepr(meter, out, value));
    if (out.overflowed())
        return Error::badTemplate("a string longer than 4 MiB");
    return out.take();
}

Result<Text> pythonText(Meter& meter, const Value& value)
{
    if (const Text* text = value.asText())
        return *text;
    if (value.asUndefined())
        return Text();
    return pythonRepr(meter, value);
}

} // namespace engine::jinja
