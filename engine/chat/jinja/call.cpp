#include "engine/chat/jinja/clock_text.h"
#include "engine/chat/jinja/comparison.h"
#include "engine/chat/jinja/interpreter.h"
#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/loop_state.h"
#include "engine/chat/jinja/python_text.h"

namespace engine::jinja {

namespace {
    constexpr size_t kKeptScopeBytes = 256; // a scope and its macro, roughly
    constexpr size_t kAttributeBytes = sizeof(std::pair<std::string, Value>);

    Result<std::vector<std::pair<Value, Value>>> dictEntries(
        Meter& meter, const Arguments& arguments)
    {
        Dict dict;
        if (arguments.positional.size() > 1)
            return Error::badTemplate("dict() takes at most 1 argument without a name");
        if (!arguments.positional.empty()) {
            const Dict* source = arguments.positional[0].asDict();
            if (!source)
                return Error::badTemplate("dict() takes a dict, not a "
                    + std::string(arguments.positional[0].typeName()));
            TRY(meter.step(source->entries.size()));
            dict.entries = source->entries;
        }
        for (const auto& [name, value] : arguments.named)
            TRY(putKey(meter, dict, makeText(meter, name, Origin::Template), value));
        return std::move(dict.entries);
    }

    Result<Value> makeRange(const Arguments& arguments)
    {
        const auto& given = arguments.positional;
        if (given.empty() || given.size() > 3 || !arguments.named.empty())
            return Error::badTemplate("range() takes 1 to 3 numbers");
        for (const Value& value : given)
            if (!value.wholeNumber())
                return Error::badTemplate(
                    "range() takes ints, not a " + std::string(value.typeName()));
        Range range;
        range.start = given.size() > 1 ? *given[0].wholeNumber() : 0;
        range.stop = *given[given.size() > 1 ? 1 : 0].wholeNumber();
        range.step = given.size() > 2 ? *given[2].wholeNumber() : 1;
        constexpr int64_t kBound = int64_t(1)
            << 60; // the arithmetic of ranges stays within 64 bits
        for (const int64_t number : { range.start, range.stop, range.step })
            if (number > kBound || number < -kBound)
                return Error::badTemplate("range() with a number beyond 2**60");
        if (range.step == 0)
            return Error::badTemplate("range() cannot have step 0");
        if (range.length() > kMaxRangeLength)
            return Error::badTemplate(
                "range() of more than " + std::to_string(kMaxRangeLength) + " numbers");
        return Value(std::shared_ptr<const Range>(std::make_shared<Range>(range)));
    }
}

Result<Arguments> Interpreter::evaluateArguments(
    const CallArguments& arguments, const ScopePtr& scope)
{
    Arguments evaluated;
    for (const ExpressionPtr& expression : arguments.positional) {
        TRY_ASSIGN(Value value, evaluate(*expression, scope));
        evaluated.positional.push_back(std::move(value));
    }
    for (const auto& [name, expression] : arguments.named) {
        if (evaluated.findNamed(name))
            return Error::badTemplate("the argument '" + name + "' is given twice");
        TRY_ASSIGN(Value value, evaluate(*expression, scope));
        evaluated.named.emplace_back(name, std::move(value));
    }
    if (arguments.unpackedList) {
        TRY_ASSIGN(const Value list, evaluate(*arguments.unpackedList, scope));
        TRY_ASSIGN(std::vector<Value> values, elementsOf(m_meter, list));
        for (Value& value : values)
            evaluated.positional.push_back(std::move(value));
    }
    if (arguments.unpackedDict) {
        TRY_ASSIGN(const Value value, evaluate(*arguments.unpackedDict, scope));
        const Dict* dict = value.asDict();
        if (!dict)
            return Error::badTemplate("'**' needs a dict, not a " + std::string(value.typeName()));
        TRY(m_meter.step(dict->entries.size()));
        for (const auto& [key, content] : dict->entries) {
            if (!key.asText())
                return Error::badTemplate("'**' needs strs as keys");
            if (evaluated.findNamed(key.asText()->bytes()))
                return Error::badTemplate(
                    "the argument '" + key.asText()->bytes() + "' is given twice");
            evaluated.named.emplace_back(key.asText()->bytes(), content);
        }
    }
    return evaluated;
}

Value Interpreter::makeMacro(const MacroDefinition& definition, const ScopePtr& scope)
{
    m_keptScopes.push_back(scope);
    m_meter.hold(kKeptScopeBytes); // until the end of the rendering
    return Value(
        std::shared_ptr<const Macro>(std::make_shared<Macro>(Macro { &definition, scope })));
}

Result<Value> Interpreter::callValue(const Value& callee, Arguments arguments, const Value* caller)
{
    const Nesting nesting(m_callDepth);
    if (m_callDepth > kMaxCallDepth)
        return Error::badTemplate("calls nested deeper than " + std::to_string(kMaxCallDepth));
    if (const Undefined* undefined = callee.asUndefined())
        return Error::badTemplate(undefined->reason);
    if (const Macro* macro = callee.asMacro())
        return callMacro(*macro, std::move(arguments), caller);
    if (caller)
        return Error::badTemplate(
            "a call tag needs a macro, not a " + std::string(callee.typeName()));
    if (const Method* method = callee.asMethod())
        return applyNative(m_meter, *method->entry, *method->self, arguments);
    if (const Function* function = callee.asFunction())
        return callFunction(*function, arguments);
    if (LoopState* loop = callee.asLoop())
        return callLoop(*loop, arguments);
    return Error::badTemplate("'" + std::string(callee.typeName()) + "' object is not callable");
}

Result<Value> Interpreter::callMacro(const Macro& macro, Arguments arguments, const Value* caller)
{
    const MacroDefinition& definition = *macro.definition;
    const auto inner = std::make_shared<Scope>(macro.scope);
    const size_t count = definition.parameters.size();
    std::vector<bool> usedNames(arguments.named.size());
    for (size_t i = 0; i < count; ++i) {
        const auto& [name, fallback] = definition.parameters[i];
        std::optional<Value> value;
        if (i < arguments.positional.size())
            value = std::move(arguments.positional[i]);
        for (size_t j = 0; j < arguments.named.size(); ++j) {
            if (arguments.named[j].first != name)
                continue;
            if (value)
                return Error::badTemplate(
                    "macro '" + definition.name + "' got its argument '" + name + "' twice");
            value = std::move(arguments.named[j].second);
            usedNames[j] = true;
        }
        if (!value && fallback) {
            TRY_ASSIGN(value, evaluate(*fallback, inner));
        }
        inner->set(name,
            value ? *std::move(value)
                  : makeUndefined(m_meter, "parameter '" + name + "' was not provided"));
    }
    if (arguments.positional.size() > count && !definition.readsVarargs)
        return Error::badTemplate("macro '" + definition.name + "' takes not more than "
            + std::to_string(count) + " arguments");
    if (definition.readsVarargs) {
        std::vector<Value> rest;
        for (size_t i = count; i < arguments.positional.size(); ++i)
            rest.push_back(std::move(arguments.positional[i]));
        TRY_ASSIGN(Value varargs, makeList(m_meter, std::move(rest), ListKind::Tuple));
        inner->set("varargs", std::move(varargs));
    }
    std::vector<std::pair<Value, Value>> restNamed;
    for (size_t j = 0; j < arguments.named.size(); ++j) {
        if (usedNames[j])
            continue;
        auto& [name, value] = arguments.named[j];
        if (!definition.readsKwargs)
            return Error::badTemplate(
                "macro '" + definition.name + "' takes no argument '" + name + "'");
        restNamed.emplace_back(makeText(m_meter, name, Origin::Template), std::move(value));
    }
    if (definition.readsKwargs) {
        TRY_ASSIGN(Value kwargs, makeDict(m_meter, std::move(restNamed)));
        inner->set("kwargs", std::move(kwargs));
    }
    if (definition.readsCaller)
        inner->set("caller", caller ? *caller : makeUndefined(m_meter, "no caller defined"));
    else if (caller)
        return Error::badTemplate(
            "macro '" + definition.name + "' was called by a call tag but does not use 'caller'");
    TRY_ASSIGN(Text text, capture(definition.body, inner));
    return makeText(m_meter, std::move(text));
}

Result<Value> Interpreter::callLoop(LoopState& loop, const Arguments& arguments)
{
    if (!loop.recursiveTag)
        return Error::badTemplate("'loop' can be called only inside a for tag marked 'recursive'");
    if (arguments.positional.size() != 1 || !arguments.named.empty())
        return Error::badTemplate("loop() takes 1 argument");
    const ForLoop& tag = *loop.recursiveTag;
    const ScopePtr scope = loop.scope;
    TRY_ASSIGN(std::vector<Value> items, chosenItems(tag, arguments.positional[0], scope));
    OutputBuffer out(m_meter);
    TRY(runLoop(tag, std::move(items), scope, loop.nesting + 1, out));
    return makeText(m_meter, out.take());
}

Result<Value> Interpreter::callNamespace(const Arguments& arguments)
{
    TRY_ASSIGN(auto entries, dictEntries(m_meter, arguments));
    auto space = std::make_unique<Namespace>();
    for (auto& [key, value] : entries) {
        const Text* name = key.asText();
        if (!name || name->bytes().starts_with('_'))
            return Error::badTemplate(
                "attributes of a namespace need names that do not begin with '_'");
        space->attributes.emplace_back(name->bytes(), std::move(value));
    }
    m_meter.hold(sizeof(Namespace) + space->attributes.size() * kAttributeBytes); // until the end
    m_namespaces.push_back(std::move(space));
    return Value(m_namespaces.back().get());
}

Result<Value> Interpreter::callFunction(Function function, const Arguments& arguments)
{
    switch (function) {
    case Function::Range:
        return makeRange(arguments);
    case Function::Dict: {
        TRY_ASSIGN(auto entries, dictEntries(m_meter, arguments));
        return makeDict(m_meter, std::move(entries));
    }
    case Function::Namespace:
        return callNamespace(arguments);
    case Function::RaiseException: {
        const Value* message = arguments.positional.empty() ? arguments.findNamed("message")
                                                            : &arguments.positional[0];
        if (!message)
            return Error::badTemplate("raise_exception() lacks its message");
        TRY_ASSIGN(const Text text, pythonText(m_meter, *message));
        return Error::templateRefused(text.bytes());
    }
    case Function::StrftimeNow: {
        const Value* format = arguments.positional.empty() ? arguments.findNamed("format")
                                                           : &arguments.positional[0];
        if (!format || !format->asText())
            return Error::badTemplate("strftime_now() takes a format");
        TRY_ASSIGN(std::string text, clockText(format->asText()->bytes(), m_now));
        return makeText(m_meter, std::move(text), format->asText()->originAt(0));
    }
    }
    return Error::badTemplate("unknown function");
}

} // namespace engine::jinja
