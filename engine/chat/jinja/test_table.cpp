#include "engine/chat/jinja/test_table.h"

#include "engine/chat/jinja/comparison.h"
#include "engine/chat/jinja/filter_table.h"
#include "engine/chat/jinja/method_table.h"

namespace engine::jinja {

namespace {
    template <bool (*holds)(const Value&)>
    Result<Value> ofType(Meter&, const Value& subject, const BoundArguments&)
    {
        return Value(holds(subject));
    }

    bool isDefined(const Value& value) { return !value.asUndefined(); }
    bool isUndefined(const Value& value) { return value.asUndefined(); }
    bool isNone(const Value& value) { return value.isNone(); }
    bool isBoolean(const Value& value) { return value.isBool(); }
    bool isTrue(const Value& value) { return value.isBool() && value.truthy(); }
    bool isFalse(const Value& value) { return value.isBool() && !value.truthy(); }
    bool isInteger(const Value& value) { return value.asInt(); }
    bool isFloat(const Value& value) { return value.asFloat(); }
    bool isNumber(const Value& value) { return value.isNumber(); }
    bool isString(const Value& value) { return value.asText(); }
    bool isMapping(const Value& value) { return value.asDict(); }
    bool isIterable(const Value& value)
    {
        return value.asText() || value.asList() || value.asDict() || value.asRange()
            || value.asIterator() || value.asUndefined() || value.asLoop();
    }
    /// Has a length and items: an undefined value answers both.
    bool isSequence(const Value& value)
    {
        const List* list = value.asList();
        return value.asText() || value.asDict() || value.asRange() || value.asUndefined()
            || (list && list->kind <= ListKind::Tuple);
    }
    bool isCallable(const Value& value)
    {
        // Calling an undefined value fails, but Python finds a __call__ on it.
        return value.asMacro() || value.asFunction() || value.asMethod() || value.asLoop()
            || value.asUndefined();
    }

    Result<Value> isEqual(Meter& meter, const Value& subject, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const bool equal, valuesEqual(meter, subject, arguments.at(0)));
        return Value(equal);
    }
    Result<Value> isUnequal(Meter& meter, const Value& subject, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const bool equal, valuesEqual(meter, subject, arguments.at(0)));
        return Value(!equal);
    }
    template <int sign, bool orEqual>
    Result<Value> isOrdered(Meter& meter, const Value& subject, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const int order, orderOf(meter, subject, arguments.at(0)));
        return Value(order == sign || (orEqual && order == 0));
    }
    Result<Value> isIn(Meter& meter, const Value& subject, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const bool found, contains(meter, arguments.at(0), subject));
        return Value(found);
    }
    Result<Value> isSameAs(Meter&, const Value& subject, const BoundArguments& arguments)
    {
        return Value(subject.sameAs(arguments.at(0)));
    }

    Result<int64_t> remainder(const Value& subject, int64_t divisor)
    {
        const auto number = subject.wholeNumber();
        if (!number)
            return Error::badTemplate(
                "expected an int, found a " + std::string(subject.typeName()));
        if (divisor == 0)
            return Error::badTemplate("division by zero");
        return divisor == -1 ? 0 : *number % divisor;
    }
    Result<Value> isOdd(Meter&, const Value& subject, const BoundArguments&)
    {
        TRY_ASSIGN(const int64_t rest, remainder(subject, 2));
        return Value(rest != 0);
    }
    Result<Value> isEven(Meter&, const Value& subject, const BoundArguments&)
    {
        TRY_ASSIGN(const int64_t rest, remainder(subject, 2));
        return Value(rest == 0);
    }
    Result<Value> isDivisibleBy(Meter&, const Value& subject, const BoundArguments& arguments)
    {
        TRY_ASSIGN(const int64_t divisor, arguments.wholeNumberOr(0, 0));
        TRY_ASSIGN(const int64_t rest, remainder(subject, divisor));
        return Value(rest == 0);
    }

    template <bool upper>
    Result<Value> hasCase(Meter& meter, const Value& subject, const BoundArguments&)
    {
        if (!subject.asText())
            return Value(false);
        return applyNative(meter, *findMethod(subject, upper ? "isupper" : "islower"), subject, {});
    }
    Result<Value> isFilter(Meter&, const Value& subject, const BoundArguments&)
    {
        return Value(subject.asText() && findEntry(filterTable(), subject.asText()->bytes()));
    }
    Result<Value> isTest(Meter&, const Value& subject, const BoundArguments&)
    {
        return Value(subject.asText() && findEntry(testTable(), subject.asText()->bytes()));
    }

    constexpr Signature kOther { { "other" }, 1 };
    constexpr NativeEntry kTests[] = {
        { "boolean", {}, ofType<isBoolean> },
        { "callable", {}, ofType<isCallable> },
        { "defined", {}, ofType<isDefined> },
        { "divisibleby", { { "num" }, 1 }, isDivisibleBy },
        { "eq", kOther, isEqual },
        { "equalto", kOther, isEqual },
        { "even", {}, isEven },
        { "false", {}, ofType<isFalse> },
        { "filter", {}, isFilter },
        { "float", {}, ofType<isFloat> },
        { "ge", kOther, isOrdered<1, true> },
        { "greaterthan", kOther, isOrdered<1, false> },
        { "gt", kOther, isOrdered<1, false> },
        { "in", { { "seq" }, 1 }, isIn },
        { "integer", {}, ofType<isInteger> },
        { "iterable", {}, ofType<isIterable> },
        { "le", kOther, isOrdered<-1, true> },
        { "lessthan", kOther, isOrdered<-1, false> },
        { "lower", {}, hasCase<false> },
        { "lt", kOther, isOrdered<-1, false> },
        { "mapping", {}, ofType<isMapping> },
        { "ne", kOther, isUnequal },
        { "none", {}, ofType<isNone> },
        { "number", {}, ofType<isNumber> },
        { "odd", {}, isOdd },
        { "sameas", kOther, isSameAs },
        { "sequence", {}, ofType<isSequence> },
        { "string", {}, ofType<isString> },
        { "test", {}, isTest },
        { "true", {}, ofType<isTrue> },
        { "undefined", {}, ofType<isUndefined> },
        { "upper", {}, hasCase<true> },
        // The names that select() and its kin take besides: "==" and so on.
        { "==", kOther, isEqual },
        { "!=", kOther, isUnequal },
        { "<", kOther, isOrdered<-1, false> },
        { "<=", kOther, isOrdered<-1, true> },
        { ">", kOther, isOrdered<1, false> },
        { ">=", kOther, isOrdered<1, true> },
    };
}

std::span<const NativeEntry> testTable() { return kTests; }

} // namespace engine::jinja
