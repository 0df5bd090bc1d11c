#include "engine/chat/jinja/str_format.h"

#include "engine/chat/jinja/access.h"
#include "engine/chat/jinja/number_format.h"
#include "engine/chat/jinja/python_text.h"
#include "engine/chat/jinja/unicode.h"

#include <charconv>

namespace engine::jinja {

namespace {
    bool isDigit(char c) { return c >= '0' && c <= '9'; }
    bool isAlignment(std::string_view text)
    {
        return text == "<" || text == ">" || text == "^" || text == "=";
    }

    std::optional<int64_t> wholeNumber(std::string_view digits)
    {
        int64_t number = 0;
        const char* end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, number);
        if (digits.empty() || !isDigit(digits[0]) || read.ec != std::errc() || read.ptr != end)
            return std::nullopt;
        return number;
    }

    std::string_view takeDigits(std::string_view& text)
    {
        size_t count = 0;
        while (count < text.size() && isDigit(text[count]))
            ++count;
        const std::string_view digits = text.substr(0, count);
        text.remove_prefix(count);
        return digits;
    }

    /// [[fill]align][sign][#][0][width][,][.precision][type]
    Result<FormatSpec> parseSpec(std::string_view text)
    {
        const auto take = [&text](char c) {
            const bool found = text.starts_with(c);
            text.remove_prefix(found);
            return found;
        };
        FormatSpec spec;
        const size_t fillBytes = text.empty() ? 0 : codePointAt(text, 0).bytes;
        if (fillBytes > 0 && isAlignment(text.substr(fillBytes, 1))) {
            spec.fill = std::string(text.substr(0, fillBytes));
            spec.alignment = text[fillBytes];
            text.remove_prefix(fillBytes + 1);
        } else if (isAlignment(text.substr(0, 1))) {
            spec.alignment = text[0];
            text.remove_prefix(1);
        }
        if (text.starts_with('+') || text.starts_with('-') || text.starts_with(' ')) {
            spec.sign = text[0];
            text.remove_prefix(1);
        }
        spec.alternate = take('#');
        if (take('0') && !spec.alignment) {
            spec.fill = "0";
            spec.alignment = '=';
        }
        spec.width = wholeNumber(takeDigits(text)).value_or(0);
        spec.thousands = take(',');
        if (take('.')) {
            spec.precision = wholeNumber(takeDigits(text));
            if (!spec.precision)
                return Error::badTemplate("format(): a precision is missing behind '.'");
        }
        if (text.size() > 1
            || (text.size() == 1
                && std::string_view("sdxXobeEfFgG%n").find(text[0]) == std::string_view::npos))
            return Error::badTemplate("format(): '" + std::string(text) + "' is not understood");
        spec.type = text.empty() ? char(0) : text[0];
        return spec;
    }

    /// Walks through one format string.
    class FieldFormatter {
    public:
        FieldFormatter(Meter& meter, const Text& format, const Arguments& arguments)
            : m_meter(meter)
            , m_format(format)
            , m_arguments(arguments)
        {
        }

        Result<Value> run();

    private:
        Result<Value> fieldValue(std::string_view field);
        Result<void> writeField(std::string_view field);

        Meter& m_meter;
        const Text& m_format;
        const Arguments& m_arguments;
        TextBuilder m_out;
        size_t m_nextPositional = 0;
    };

    Result<Value> FieldFormatter::fieldValue(std::string_view field)
    {
        const size_t nameEnd = std::min(field.find_first_of(".["), field.size());
        const std::string_view name = field.substr(0, nameEnd);
        field.remove_prefix(nameEnd);
        const auto index = name.empty() ? std::optional<int64_t>(int64_t(m_nextPositional++))
                                        : wholeNumber(name);
        if (index && size_t(*index) >= m_arguments.positional.size())
            return Error::badTemplate("format(): there is no argument " + std::to_string(*index));
        const Value* found
            = index ? &m_arguments.positional[size_t(*index)] : m_arguments.findNamed(name);
        if (!found)
            return Error::badTemplate("format(): there is no argument '" + std::string(name) + "'");
        Value value = *found;
        while (!field.empty()) {
            const bool isItem = field[0] == '[';
            const size_t end
                = isItem ? field.find(']') : std::min(field.find_first_of(".[", 1), field.size());
            if (end == std::string_view::npos)
                return Error::badTemplate("format(): ']' is missing in a field");
            const std::string key(field.substr(1, end - 1));
            const auto number = wholeNumber(key);
            TRY_ASSIGN(value,
                !isItem      ? attributeOf(m_meter, value, key)
                    : number ? itemOf(m_meter, value, Value(*number))
                             : itemOf(m_meter, value, makeText(m_meter, key, Origin::Template)));
            field.remove_prefix(end + (isItem ? 1 : 0));
        }
        return value;
    }

    Result<void> FieldFormatter::writeField(std::string_view field)
    {
        const size_t colon = std::min(field.find(':'), field.size());
        std::string_view name = field.substr(0, colon);
        TRY_ASSIGN(FormatSpec spec, parseSpec(field.substr(std::min(colon + 1, field.size()))));
        char conversion = 0;
        if (name.size() >= 2 && name[name.size() - 2] == '!') {
            conversion = name.back();
            name.remove_suffix(2);
        }
        TRY_ASSIGN(Value value, fieldValue(name));
        if (conversion) {
            TRY_ASSIGN(Text text,
                conversion == 's' ? pythonText(m_meter, value) : pythonRepr(m_meter, value));
            value = makeText(m_meter, std::move(text));
        }
        if (spec.type == 's' && !value.asText())
            return Error::badTemplate(
                "format(): 's' does not suit a " + std::string(value.typeName()));
        if (colon + 1 >= field.size()) // no spec: written as str() writes it
            spec.type = 's';
        TRY_ASSIGN(const Text text, formatted(m_meter, value, spec));
        m_out.append(text);
        return {};
    }

    Result<Value> FieldFormatter::run()
    {
        const std::string_view bytes = m_format.bytes();
        for (size_t offset = 0; offset < bytes.size() && !m_out.overflowed();) {
            TRY(m_meter.step());
            const size_t brace = std::min(bytes.find_first_of("{}", offset), bytes.size());
            m_out.append(m_format, offset, brace);
            if (brace == bytes.size())
                break;
            if (bytes.substr(brace + 1, 1)
                == bytes.substr(brace, 1)) { // "{{" and "}}" stand for one brace
                m_out.append(m_format, brace, brace + 1);
                offset = brace + 2;
                continue;
            }
            const size_t end = bytes.find_first_of("{}", brace + 1);
            if (bytes[brace] == '}' || end == std::string_view::npos || bytes[end] == '{')
                return Error::badTemplate("format(): unpaired or nested braces");
            TRY(writeField(bytes.substr(brace + 1, end - brace - 1)));
            offset = end + 1;
        }
        return makeText(m_meter, std::move(m_out));
    }
}

Result<Value> strFormat(Meter& meter, const Text& format, const Arguments& arguments)
{
    TRY(meter.stepBytes(format.size()));
    return FieldFormatter(meter, format, arguments).run();
}

} // namespace engine::jinja
