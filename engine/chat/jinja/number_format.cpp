#include "engine/chat/jinja/number_format.h"

#include "engine/chat/jinja/python_text.h"
#include "engine/chat/jinja/unicode.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace engine::jinja {

namespace {
    Error unsuited(const Value& value, const FormatSpec& spec)
    {
        return Error::badTemplate(
            "the format '" + std::string(1, spec.type) + "' does not suit a " + value.typeName());
    }

    std::string groupedByThousands(std::string digits)
    {
        const size_t end = std::min(digits.find('.'), digits.size());
        for (size_t at = end; at > 3; at -= 3)
            digits.insert(at - 3, ",");
        return digits;
    }

    std::string wholeDigits(uint64_t magnitude, const FormatSpec& spec)
    {
        const char type = spec.type;
        const int base = type == 'x' || type == 'X' ? 16 : type == 'o' ? 8 : type == 'b' ? 2 : 10;
        char buffer[72];
        const auto written = std::to_chars(buffer, buffer + sizeof buffer, magnitude, base);
        std::string digits(buffer, written.ptr);
        if (type == 'X')
            for (char& c : digits)
                c = c >= 'a' ? char(c - 'a' + 'A') : c;
        if (spec.precision && int64_t(digits.size()) < *spec.precision)
            digits.insert(0, size_t(*spec.precision) - digits.size(), '0');
        if (spec.alternate && base != 10)
            digits.insert(0, type == 'x' ? "0x" : type == 'X' ? "0X" : type == 'o' ? "0o" : "0b");
        return digits;
    }

    std::string floatDigits(double magnitude, const FormatSpec& spec)
    {
        if (spec.type == 0 && !spec.precision)
            return floatText(magnitude);
        char letter = spec.type == 0 ? 'g' : spec.type == '%' ? 'f' : spec.type;
        if (spec.type == '%')
            magnitude *= 100;
        const char pattern[] = { '%', '.', '*', letter, 0 };
        char buffer[512];
        std::snprintf(buffer, sizeof buffer, pattern, int(spec.precision.value_or(6)), magnitude);
        std::string digits = buffer;
        if (const size_t comma = digits.find(','); comma != std::string::npos)
            digits[comma] = '.'; // a locale may write its own decimal sign
        return spec.type == '%' ? digits + "%" : digits;
    }

    /// Fills a number; '=' puts the filling between the sign and the digits.
    std::string filledNumber(std::string sign, std::string digits, const FormatSpec& spec)
    {
        const auto length = int64_t(sign.size() + digits.size());
        const int64_t missing = std::max<int64_t>(spec.width - length, 0);
        std::string filling;
        for (int64_t i = 0; i < missing; ++i)
            filling += spec.fill;
        switch (spec.alignment) {
        case '<':
            return sign + digits + filling;
        case '=':
            return sign + filling + digits;
        case '^': {
            const size_t left = size_t(missing / 2) * spec.fill.size();
            return filling.substr(0, left) + sign + digits + filling.substr(left);
        }
        default:
            return filling + sign + digits;
        }
    }

    Result<Text> formattedNumber(const Value& value, const FormatSpec& spec)
    {
        const bool wantsFloat
            = std::string_view("eEfFgG%").find(spec.type) != std::string_view::npos && spec.type;
        const bool isWhole = value.wholeNumber() && !wantsFloat;
        if (isWhole ? spec.type
                    && std::string_view("dinuxXob").find(spec.type) == std::string_view::npos
                    : spec.type && !wantsFloat)
            return unsuited(value, spec);
        const double number = *value.number();
        const bool negative = isWhole ? *value.wholeNumber() < 0 : std::signbit(number);
        const uint64_t magnitude = !isWhole ? 0
            : negative                      ? uint64_t(0) - uint64_t(*value.wholeNumber())
                                            : uint64_t(*value.wholeNumber());
        std::string digits
            = isWhole ? wholeDigits(magnitude, spec) : floatDigits(std::fabs(number), spec);
        if (spec.thousands)
            digits = groupedByThousands(std::move(digits));
        const std::string sign = negative ? "-" : spec.sign == '-' ? "" : std::string(1, spec.sign);
        return Text(filledNumber(sign, std::move(digits), spec), Origin::Template);
    }
}

Result<Text> formatted(Meter& meter, const Value& value, const FormatSpec& spec)
{
    constexpr int64_t kMaxWidth = 100'000;
    constexpr int64_t kMaxPrecision = 400;
    if (spec.width > kMaxWidth)
        return Error::badTemplate("a format wider than " + std::to_string(kMaxWidth));
    TRY(meter.stepBytes(size_t(spec.width)));
    const bool asNumber = spec.type != 's' && spec.type != 'r' && value.isNumber();
    if (asNumber) {
        if (spec.precision && *spec.precision > kMaxPrecision)
            return Error::badTemplate("a precision above " + std::to_string(kMaxPrecision));
        return formattedNumber(value, spec);
    }
    if (spec.type && spec.type != 's' && spec.type != 'r')
        return unsuited(value, spec);
    TRY_ASSIGN(Text text, spec.type == 'r' ? pythonRepr(meter, value) : pythonText(meter, value));
    if (spec.precision)
        text = part(text, 0, offsetOfCodePoint(text.bytes(), size_t(*spec.precision)));
    const Alignment alignment = spec.alignment == '>' ? Alignment::Right
        : spec.alignment == '^'                       ? Alignment::Center
                                                      : Alignment::Left;
    TRY_ASSIGN(const Value filled, padded(meter, text, { spec.width, spec.fill, alignment }));
    return *filled.asText();
}

} // namespace engine::jinja
