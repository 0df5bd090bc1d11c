#include "engine/chat/jinja/arithmetic.h"

#include "engine/chat/jinja/percent_format.h"

#include <cmath>

namespace engine::jinja {

namespace {
    const char* operatorText(ArithmeticOperator op)
    {
        constexpr const char* kTexts[] = { "+", "-", "*", "/", "//", "%", "**" };
        return kTexts[size_t(op)];
    }

    Error overflow() { return Error::badTemplate("an integer does not fit 64 bits"); }
    Error divisionByZero() { return Error::badTemplate("division by zero"); }

    Result<Value> power(int64_t base, int64_t exponent)
    {
        if (exponent < 0) {
            if (base == 0)
                return divisionByZero();
            return Value(std::pow(double(base), double(exponent)));
        }
        int64_t result = 1;
        for (; exponent > 0; exponent >>= 1) {
            if ((exponent & 1) && __builtin_mul_overflow(result, base, &result))
                return overflow();
            if (exponent > 1 && __builtin_mul_overflow(base, base, &base))
                return overflow();
        }
        return Value(result);
    }

    /// Quotient and remainder as Python rounds them: towards minus infinity.
    Result<Value> floorDivision(int64_t a, int64_t b, bool wantsRemainder)
    {
        if (b == 0)
            return divisionByZero();
        if (b == -1) { // the smallest integer has no positive counterpart
            int64_t quotient = 0;
            if (__builtin_sub_overflow(int64_t(0), a, &quotient))
                return overflow();
            return Value(wantsRemainder ? int64_t(0) : quotient);
        }
        const bool adjusts = a % b != 0 && (a < 0) != (b < 0);
        if (wantsRemainder)
            return Value(a % b + (adjusts ? b : 0));
        return Value(a / b - (adjusts ? 1 : 0));
    }

    Result<Value> wholeArithmetic(ArithmeticOperator op, int64_t a, int64_t b)
    {
        int64_t result = 0;
        bool overflows = false;
        switch (op) {
        case ArithmeticOperator::Add:
            overflows = __builtin_add_overflow(a, b, &result);
            break;
        case ArithmeticOperator::Subtract:
            overflows = __builtin_sub_overflow(a, b, &result);
            break;
        case ArithmeticOperator::Multiply:
            overflows = __builtin_mul_overflow(a, b, &result);
            break;
        case ArithmeticOperator::Divide:
            if (b == 0)
                return divisionByZero();
            return Value(double(a) / double(b));
        case ArithmeticOperator::FloorDivide:
            return floorDivision(a, b, false);
        case ArithmeticOperator::Modulo:
            return floorDivision(a, b, true);
        case ArithmeticOperator::Power:
            return power(a, b);
        }
        if (overflows)
            return overflow();
        return Value(result);
    }

    Result<Value> floatArithmetic(ArithmeticOperator op, double a, double b)
    {
        const bool divides = op == ArithmeticOperator::Divide
            || op == ArithmeticOperator::FloorDivide || op == ArithmeticOperator::Modulo;
        if (divides && b == 0)
            return divisionByZero();
        switch (op) {
        case ArithmeticOperator::Add:
            return Value(a + b);
        case ArithmeticOperator::Subtract:
            return Value(a - b);
        case ArithmeticOperator::Multiply:
            return Value(a * b);
        case ArithmeticOperator::Divide:
            return Value(a / b);
        case ArithmeticOperator::FloorDivide:
            return Value(std::floor(a / b));
        case ArithmeticOperator::Modulo: {
            const double rest = std::fmod(a, b);
            return Value(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
        }
        case ArithmeticOperator::Power:
            return Value(std::pow(a, b));
        }
        return overflow();
    }

    Result<Value> joined(Meter& meter, const List& a, const List& b)
    {
        std::vector<Value> items = a.items;
        items.insert(items.end(), b.items.begin(), b.items.end());
        return makeList(meter, std::move(items), a.kind);
    }

    Result<Value> repeatedList(Meter& meter, const List& list, int64_t count)
    {
        std::vector<Value> items;
        for (int64_t i = 0; i < count && !list.items.empty(); ++i) {
            TRY(meter.step(1 + list.items.size() * 4)); // counts before the memory is charged
            items.insert(items.end(), list.items.begin(), list.items.end());
        }
        return makeList(meter, std::move(items), list.kind);
    }
}

Result<Value> repeated(Meter& meter, const Text& text, int64_t count)
{
    if (!text.empty() && count > int64_t(kMaxStringBytes / text.size()))
        return Error::badTemplate(
            "a string longer than " + std::to_string(kMaxStringBytes / (1024 * 1024)) + " MiB");
    TextBuilder builder;
    Text block = text; // doubled for each binary digit of the count
    for (; count > 0; count >>= 1) {
        if (count & 1)
            builder.append(block);
        if (count > 1) {
            TextBuilder doubled;
            doubled.append(block);
            doubled.append(block);
            block = doubled.take();
        }
    }
    return makeText(meter, std::move(builder));
}

Result<Value> applyArithmetic(Meter& meter, ArithmeticOperator op, const Value& a, const Value& b)
{
    if (op == ArithmeticOperator::Modulo && a.asText())
        return percentFormat(meter, *a.asText(), b);
    for (const Value* value : { &a, &b })
        if (const Undefined* undefined = value->asUndefined())
            return Error::badTemplate(undefined->reason);
    if (const auto wholeA = a.wholeNumber(), wholeB = b.wholeNumber(); wholeA && wholeB)
        return wholeArithmetic(op, *wholeA, *wholeB);
    if (const auto numberA = a.number(), numberB = b.number(); numberA && numberB)
        return floatArithmetic(op, *numberA, *numberB);
    const Text *textA = a.asText(), *textB = b.asText();
    const List *listA = a.asList(), *listB = b.asList();
    if (op == ArithmeticOperator::Add) {
        if (textA && textB) {
            TextBuilder builder;
            builder.append(*textA);
            builder.append(*textB);
            return makeText(meter, std::move(builder));
        }
        const auto plain = [](const List* list) {
            return list && (list->kind == ListKind::List || list->kind == ListKind::Tuple);
        };
        if (plain(listA) && plain(listB) && listA->kind == listB->kind)
            return joined(meter, *listA, *listB);
    }
    if (op == ArithmeticOperator::Multiply) {
        const Value& sequence = a.wholeNumber() ? b : a;
        if (const auto count = (a.wholeNumber() ? a : b).wholeNumber()) {
            if (const Text* text = sequence.asText())
                return repeated(meter, *text, *count);
            if (const List* list = sequence.asList(); list && list->kind <= ListKind::Tuple)
                return repeatedList(meter, *list, *count);
        }
    }
    return Error::badTemplate("unsupported operand types for " + std::string(operatorText(op))
        + ": '" + a.typeName() + "' and '" + b.typeName() + "'");
}

Result<Value> negated(const Value& value)
{
    if (const auto whole = value.wholeNumber())
        return wholeArithmetic(ArithmeticOperator::Subtract, 0, *whole);
    if (const double* number = value.asFloat())
        return Value(-*number);
    if (const Undefined* undefined = value.asUndefined())
        return Error::badTemplate(undefined->reason);
    return Error::badTemplate(
        "bad operand type for unary -: '" + std::string(value.typeName()) + "'");
}

Result<Value> unchangedNumber(const Value& value)
{
    if (const auto whole = value.wholeNumber())
        return Value(*whole);
    if (value.asFloat())
        return value;
    if (const Undefined* undefined = value.asUndefined())
        return Error::badTemplate(undefined->reason);
    return Error::badTemplate(
        "bad operand type for unary +: '" + std::string(value.typeName()) + "'");
}

} // namespace engine::jinja
