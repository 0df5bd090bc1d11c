#include "engine/chat/jinja/percent_format.h"

#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/number_format.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    /// Walks through one format and hands out the values in turn.
    class PercentFormatter {
    public:
        PercentFormatter(Meter& meter, const Text& format, const Value& values)
            : m_meter(meter)
            , m_format(format)
            , m_values(values)
        {
        }

        Result<Value> run();

    private:
        char at(size_t offset) const
        {
            return offset < m_format.size() ? m_format.bytes()[offset] : '\0';
        }
        Result<Value> nextValue();
        Result<int64_t> readNumber();
        Result<void> convert();

        Meter& m_meter;
        const Text& m_format;
        const Value& m_values;
        TextBuilder m_out;
        size_t m_offset = 0;
        size_t m_used = 0;
    };

    Result<Value> PercentFormatter::nextValue()
    {
        const List* tuple = m_values.asList();
        const bool isTuple = tuple && tuple->kind == ListKind::Tuple;
        if (m_used >= (isTuple ? tuple->items.size() : 1))
            return Error::badTemplate("not enough arguments for the format string");
        ++m_used;
        return isTuple ? tuple->items[m_used - 1] : m_values;
    }

    Result<int64_t> PercentFormatter::readNumber()
    {
        if (at(m_offset) == '*') {
            ++m_offset;
            TRY_ASSIGN(const Value value, nextValue());
            if (!value.wholeNumber() || *value.wholeNumber() < 0)
                return Error::badTemplate("'*' in a format needs an int of at least 0");
            return *value.wholeNumber();
        }
        int64_t number = 0;
        for (; at(m_offset) >= '0' && at(m_offset) <= '9'; ++m_offset)
            number = std::min<int64_t>(number * 10 + (at(m_offset) - '0'), int64_t(1) << 40);
        return number;
    }

    Result<void> PercentFormatter::convert()
    {
        const Origin origin = m_format.originAt(m_offset - 1);
        std::optional<Value> value;
        if (at(m_offset) == '(') {
            const size_t end = m_format.bytes().find(')', m_offset);
            if (end == std::string::npos || !m_values.asDict())
                return Error::badTemplate("'%(name)' in a format needs a dict");
            const std::string name = m_format.bytes().substr(m_offset + 1, end - m_offset - 1);
            const Value* found = findKey(*m_values.asDict(), name);
            if (!found)
                return Error::badTemplate("the format names '" + name + "', which is not given");
            value = *found;
            m_used = 1;
            m_offset = end + 1;
        }
        FormatSpec spec;
        spec.alignment = '>';
        for (;; ++m_offset) {
            const char flag = at(m_offset);
            if (flag == '-') {
                spec.alignment = '<';
                spec.fill = " ";
            } else if (flag == '0' && spec.alignment != '<') {
                spec.alignment = '=';
                spec.fill = "0";
            } else if (flag == '+' || (flag == ' ' && spec.sign != '+')) {
                spec.sign = flag;
            } else if (flag == '#') {
                spec.alternate = true;
            } else if (flag != '0' && flag != ' ') {
                break;
            }
        }
        TRY_ASSIGN(spec.width, readNumber());
        if (at(m_offset) == '.') {
            ++m_offset;
            TRY_ASSIGN(spec.precision, readNumber());
        }
        const char type = at(m_offset++);
        if (type == '%') {
            m_out.append("%", origin);
            return {};
        }
        if (!value) {
            TRY_ASSIGN(value, nextValue());
        }
        constexpr std::string_view kTypes = "sradiuxXoeEfFgGc";
        if (!type || kTypes.find(type) == std::string_view::npos)
            return Error::badTemplate(
                "unsupported format character '" + std::string(type ? 1 : 0, type) + "'");
        if (type == 'c' && value->asText() && countCodePoints(value->asText()->bytes()) == 1) {
            spec.type = 's';
        } else if (type == 'c' && value->wholeNumber()) {
            std::string character;
            appendUtf8(character, int32_t(std::clamp<int64_t>(*value->wholeNumber(), 0, 0x110000)));
            value = makeText(m_meter, character, Origin::Template);
            spec.type = 's';
        } else if (type == 'd' || type == 'i' || type == 'u') {
            spec.type = 'd';
            if (const double* number = value->asFloat())
                value = Value(int64_t(std::clamp(*number, -9e18, 9e18)));
        } else {
            spec.type = type == 'a' ? 'r' : type;
        }
        if (spec.type == 's' || spec.type == 'r')
            spec.fill = " ";
        TRY_ASSIGN(const Text text, formatted(m_meter, *value, spec));
        m_out.append(text);
        return {};
    }

    Result<Value> PercentFormatter::run()
    {
        while (m_offset < m_format.size() && !m_out.overflowed()) {
            const size_t percent = std::min(m_format.bytes().find('%', m_offset), m_format.size());
            m_out.append(m_format, m_offset, percent);
            m_offset = percent + 1;
            TRY(m_meter.step());
            if (percent < m_format.size())
                TRY(convert());
        }
        const List* tuple = m_values.asList();
        const bool isTuple = tuple && tuple->kind == ListKind::Tuple;
        const bool mayIgnore = m_values.asDict() || (tuple && !isTuple);
        if (!mayIgnore && m_used < (isTuple ? tuple->items.size() : 1))
            return Error::badTemplate("not all arguments were used by the format string");
        return makeText(m_meter, std::move(m_out));
    }
}

Result<Value> percentFormat(Meter& meter, const Text& format, const Value& values)
{
    TRY(meter.stepBytes(format.size()));
    return PercentFormatter(meter, format, values).run();
}

} // namespace engine::jinja
