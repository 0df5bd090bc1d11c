#include "engine/chat/jinja/filters.h"
#include "engine/chat/jinja/json_text.h"
#include "engine/chat/jinja/unicode.h"

#include <charconv>
#include <cmath>

namespace engine::jinja::filters {

namespace {
    /// The text as Python's int() and float() read it: blanks around it, a plus and '_' between
    /// digits are fine.
    std::string numberText(const Text& text)
    {
        std::string digits(trimSpace(text.bytes()));
        if (digits.size() > 1 && digits[0] == '+' && digits[1] != '-')
            digits.erase(0, 1);
        const auto isDigit
            = [&](size_t i) { return i < digits.size() && digits[i] >= '0' && digits[i] <= '9'; };
        for (size_t i = 1; i + 1 < digits.size(); ++i)
            if (digits[i] == '_' && isDigit(i - 1) && isDigit(i + 1))
                digits.erase(i, 1);
        return digits;
    }

    template <typename Number, typename... Base>
    std::optional<Number> parsed(std::string_view digits, Base... base)
    {
        Number number {};
        const char* end = digits.data() + digits.size();
        const auto read = std::from_chars(digits.data(), end, number, base...);
        if (read.ec != std::errc() || read.ptr != end)
            return std::nullopt;
        return number;
    }

    std::optional<Value> truncated(double number)
    {
        if (!(std::fabs(number) < 0x1p63))
            return std::nullopt;
        return Value(int64_t(number));
    }
}

Result<Value> absolute(Meter&, const Value& subject, const BoundArguments&)
{
    if (const auto whole = subject.wholeNumber()) {
        if (*whole == INT64_MIN)
            return Error::badTemplate("an integer does not fit 64 bits");
        return Value(*whole < 0 ? -*whole : *whole);
    }
    if (const double* number = subject.asFloat())
        return Value(std::fabs(*number));
    return Error::badTemplate("abs needs a number, not a " + std::string(subject.typeName()));
}

Result<Value> defaultValue(Meter&, const Value& subject, const BoundArguments& arguments)
{
    const bool replaces
        = subject.asUndefined() || (arguments.flagOr(1, false) && !subject.truthy());
    if (!replaces)
        return subject;
    return arguments.find(0) ? *arguments.find(0) : Value::constant(Text());
}

Result<Value> toFloat(Meter&, const Value& subject, const BoundArguments& arguments)
{
    if (const Undefined* undefined = subject.asUndefined())
        return Error::badTemplate(undefined->reason);
    if (const auto number = subject.number())
        return Value(*number);
    if (const Text* text = subject.asText())
        if (const auto number = parsed<double>(numberText(*text)))
            return Value(*number);
    return arguments.find(0) ? *arguments.find(0) : Value(0.0);
}

Result<Value> toInt(Meter&, const Value& subject, const BoundArguments& arguments)
{
    if (const Undefined* undefined = subject.asUndefined())
        return Error::badTemplate(undefined->reason);
    TRY_ASSIGN(const int64_t base, arguments.wholeNumberOr(1, 10));
    if (base < 2 || base > 36)
        return Error::badTemplate("int: the base must be from 2 to 36");
    const Value fallback = arguments.find(0) ? *arguments.find(0) : Value(int64_t(0));
    if (const auto whole = subject.wholeNumber())
        return Value(*whole);
    if (const double* number = subject.asFloat())
        return truncated(*number).value_or(fallback);
    if (const Text* text = subject.asText()) {
        const std::string number = numberText(*text);
        std::string_view digits = number;
        if (base == 16 && (digits.starts_with("0x") || digits.starts_with("0X")))
            digits.remove_prefix(2);
        if (const auto whole = parsed<int64_t>(digits, int(base)))
            return Value(*whole);
        if (const auto fraction = parsed<double>(digits))
            return truncated(*fraction).value_or(fallback);
    }
    return fallback;
}

Result<Value> round(Meter&, const Value& subject, const BoundArguments& arguments)
{
    const auto number = subject.number();
    if (!number)
        return Error::badTemplate("round needs a number, not a " + std::string(subject.typeName()));
    TRY_ASSIGN(const int64_t precision, arguments.wholeNumberOr(0, 0));
    std::string method = "common";
    if (arguments.find(1)) {
        TRY_ASSIGN(const Text* given, arguments.textAt(1));
        method = given->bytes();
    }
    if (precision < -300 || precision > 300)
        return Error::badTemplate("round: the precision must be from -300 to 300");
    if (method == "common") {
        if (subject.wholeNumber() && precision >= 0)
            return Value(*subject.wholeNumber());
        if (precision >= 0) { // decimal rounding of the exact value, as Python does
            char buffer[800];
            const auto written = std::to_chars(
                buffer, buffer + sizeof buffer, *number, std::chars_format::fixed, int(precision));
            return Value(parsed<double>(std::string_view(buffer, size_t(written.ptr - buffer)))
                             .value_or(*number));
        }
        const double scale = std::pow(10.0, double(-precision));
        const double rounded = std::nearbyint(*number / scale) * scale;
        return subject.wholeNumber() ? truncated(rounded).value_or(Value(rounded)) : Value(rounded);
    }
    if (method != "ceil" && method != "floor")
        return Error::badTemplate("round: the method must be common, ceil or floor");
    const double scale = std::pow(10.0, double(precision));
    const double scaled = *number * scale;
    return Value((method == "ceil" ? std::ceil(scaled) : std::floor(scaled)) / scale);
}

Result<Value> tojson(Meter& meter, const Value& subject, const BoundArguments& arguments)
{
    JsonTextOptions options;
    options.escapeNonAscii = arguments.flagOr(0, false);
    options.sortKeys = arguments.flagOr(3, false);
    if (const Value* indent = arguments.find(1); indent && !indent->isNone()) {
        if (const Text* text = indent->asText()) {
            options.indent = text->bytes();
        } else {
            TRY_ASSIGN(const int64_t width, arguments.wholeNumberOr(1, 0));
            if (width > 1000)
                return Error::badTemplate("tojson: an indent wider than 1000");
            options.indent = std::string(size_t(std::max<int64_t>(width, 0)), ' ');
        }
        options.itemSeparator = ",";
    }
    if (const Value* separators = arguments.find(2); separators && !separators->isNone()) {
        const List* list = separators->asList();
        if (!list || list->items.size() != 2 || !list->items[0].asText()
            || !list->items[1].asText())
            return Error::badTemplate("tojson: separators must be two strs");
        options.itemSeparator = list->items[0].asText()->bytes();
        options.keySeparator = list->items[1].asText()->bytes();
    }
    TRY_ASSIGN(Text text, jsonText(meter, subject, options));
    return makeText(meter, std::move(text));
}

} // namespace engine::jinja::filters
