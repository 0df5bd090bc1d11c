#include "engine/chat/jinja/interpreter.h"
#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/loop_state.h"
#include "engine/chat/jinja/python_text.h"

namespace engine::jinja {

Interpreter::Interpreter(Meter& meter, std::chrono::sys_seconds now)
    : m_meter(meter)
    , m_now(now)
{
    const auto globals = std::make_shared<Scope>(nullptr);
    globals->set("range", Value(Function::Range));
    globals->set("dict", Value(Function::Dict));
    globals->set("namespace", Value(Function::Namespace));
    globals->set("raise_exception", Value(Function::RaiseException));
    globals->set("strftime_now", Value(Function::StrftimeNow));
    m_root = std::make_shared<Scope>(globals);
}

Interpreter::~Interpreter()
{
    for (const ScopePtr& scope : m_keptScopes)
        scope->clear();
}

Result<Text> Interpreter::run(const Statements& program) { return capture(program, m_root); }

Error Interpreter::located(Error error, int line)
{
    if (error.code == ErrorCode::BadTemplate && !m_errorIsLocated)
        error.message = "line " + std::to_string(line) + ": " + error.message;
    m_errorIsLocated = true;
    return error;
}

/// Checks the limits that hold wherever evaluation goes one level deeper.
Result<void> Interpreter::enter()
{
    if (m_evaluationDepth > kMaxEvaluationDepth)
        return Error::badTemplate(
            "evaluation nested deeper than " + std::to_string(kMaxEvaluationDepth));
    return m_meter.step();
}

Result<Interpreter::Flow> Interpreter::executeAll(
    const Statements& statements, const ScopePtr& scope, OutputBuffer& out)
{
    const Nesting nesting(m_evaluationDepth);
    for (const Statement& statement : statements) {
        if (auto entered = enter(); !entered)
            return located(std::move(entered.error()), statement.line);
        auto flow = std::visit(
            [&](const auto& node) { return execute(node, scope, out); }, statement.node);
        if (!flow)
            return located(std::move(flow.error()), statement.line);
        if (*flow != Flow::Normal)
            return flow;
    }
    return Flow::Normal;
}

Result<Text> Interpreter::capture(const Statements& statements, const ScopePtr& scope)
{
    OutputBuffer out(m_meter);
    TRY(executeAll(statements, scope, out));
    return out.take();
}

Result<Interpreter::Flow> Interpreter::execute(
    const OutputText& node, const ScopePtr&, OutputBuffer& out)
{
    TRY(out.write(*node.text.asText()));
    return Flow::Normal;
}

Result<Interpreter::Flow> Interpreter::execute(
    const OutputExpression& node, const ScopePtr& scope, OutputBuffer& out)
{
    TRY_ASSIGN(const Value value, evaluate(*node.expression, scope));
    if (const Text* text = value.asText()) {
        TRY(out.write(*text));
        return Flow::Normal;
    }
    TRY_ASSIGN(const Text text, pythonText(m_meter, value));
    TRY(out.write(text));
    return Flow::Normal;
}

Result<Interpreter::Flow> Interpreter::execute(
    const If& node, const ScopePtr& scope, OutputBuffer& out)
{
    for (const auto& [condition, body] : node.branches) {
        TRY_ASSIGN(const Value value, evaluate(*condition, scope));
        if (value.truthy())
            return executeAll(body, scope, out);
    }
    return executeAll(node.otherwise, scope, out);
}

/// The items a for tag visits: those that its condition lets through.
Result<std::vector<Value>> Interpreter::chosenItems(
    const ForLoop& node, const Value& iterable, const ScopePtr& scope)
{
    TRY_ASSIGN(std::vector<Value> items, elementsOf(m_meter, iterable));
    if (!node.condition)
        return items;
    std::vector<Value> chosen;
    for (Value& item : items) {
        const auto inner = std::make_shared<Scope>(scope);
        TRY(assign(node.target, item, inner));
        TRY_ASSIGN(const Value condition, evaluate(*node.condition, inner));
        if (condition.truthy())
            chosen.push_back(std::move(item));
    }
    return chosen;
}

Result<Interpreter::Flow> Interpreter::execute(
    const ForLoop& node, const ScopePtr& scope, OutputBuffer& out)
{
    TRY_ASSIGN(const Value iterable, evaluate(*node.iterable, scope));
    TRY_ASSIGN(std::vector<Value> items, chosenItems(node, iterable, scope));
    TRY(runLoop(node, std::move(items), scope, 0, out));
    return Flow::Normal;
}

Result<void> Interpreter::runLoop(const ForLoop& node, std::vector<Value> items,
    const ScopePtr& scope, int nesting, OutputBuffer& out)
{
    if (items.empty()) {
        TRY(executeAll(node.otherwise, std::make_shared<Scope>(scope), out));
        return {};
    }
    int deepest = 0;
    for (const Value& item : items)
        deepest = std::max(deepest, item.depth());
    MemoryCharge charge(m_meter, sizeof(LoopState) + items.size() * sizeof(Value));
    const auto state = std::make_shared<LoopState>(LoopState { std::move(items), 0, nesting,
        deepest + 1, node.recursive ? &node : nullptr, scope, std::nullopt, std::move(charge) });
    // A template may keep `loop` in a namespace: let go of all that could tie values into a chain.
    struct Finish {
        LoopState& state;
        ~Finish()
        {
            state.recursiveTag = nullptr;
            state.scope.reset();
            state.changedArguments.reset();
        }
    } const finish { *state };
    for (; state->index < state->items.size(); ++state->index) {
        TRY(m_meter.step());
        const auto inner = std::make_shared<Scope>(scope);
        inner->set("loop", Value(state));
        TRY(assign(node.target, state->items[state->index], inner));
        TRY_ASSIGN(const Flow flow, executeAll(node.body, inner, out));
        if (flow == Flow::Break)
            break;
    }
    return {};
}

Result<void> Interpreter::assign(const Target& target, Value value, const ScopePtr& scope)
{
    if (!target.parts.empty()) {
        TRY_ASSIGN(std::vector<Value> values, elementsOf(m_meter, value));
        if (values.size() != target.parts.size())
            return Error::badTemplate("cannot unpack " + std::to_string(values.size())
                + " values into " + std::to_string(target.parts.size()) + " names");
        for (size_t i = 0; i < values.size(); ++i)
            TRY(assign(target.parts[i], std::move(values[i]), scope));
        return {};
    }
    if (target.attribute.empty()) {
        scope->set(target.name, std::move(value));
        return {};
    }
    const Value* owner = scope->find(target.name);
    Namespace* space = owner ? owner->asNamespace() : nullptr;
    if (!space)
        return Error::badTemplate("cannot assign to '" + target.name + "." + target.attribute
            + "': '" + target.name + "' is no namespace");
    if (target.attribute.starts_with('_'))
        return Error::badTemplate(
            "'" + target.attribute + "': attributes of a namespace may not begin with '_'");
    for (auto& [name, content] : space->attributes)
        if (name == target.attribute) {
            content = std::move(value);
            return {};
        }
    space->attributes.emplace_back(target.attribute, std::move(value));
    return {};
}

Result<Interpreter::Flow> Interpreter::execute(
    const Assignment& node, const ScopePtr& scope, OutputBuffer&)
{
    TRY_ASSIGN(Value value, evaluate(*node.value, scope));
    TRY(assign(node.target, std::move(value), scope));
    return Flow::Normal;
}

Result<Interpreter::Flow> Interpreter::execute(
    const BlockAssignment& node, const ScopePtr& scope, OutputBuffer&)
{
    TRY_ASSIGN(Text text, capture(node.body, std::make_shared<Scope>(scope)));
    Value value = makeText(m_meter, std::move(text));
    if (node.filter) {
        TRY_ASSIGN(value, evaluateFilter(*node.filter, value, scope));
    }
    TRY(assign(node.target, std::move(value), scope));
    return Flow::Normal;
}

Result<Interpreter::Flow> Interpreter::execute(
    const MacroDefinition& node, const ScopePtr& scope, OutputBuffer&)
{
    scope->set(node.name, makeMacro(node, scope));
    return Flow::Normal;
}

Result<Interpreter::Flow> Interpreter::execute(
    const CallBlock& node, const ScopePtr& scope, OutputBuffer& out)
{
    const Value caller = makeMacro(node.caller, scope);
    const auto& call = std::get<Call>(node.call->node);
    TRY_ASSIGN(const Value callee, evaluate(*call.callee, scope));
    TRY_ASSIGN(Arguments arguments, evaluateArguments(call.arguments, scope));
    TRY_ASSIGN(const Value result, callValue(callee, std::move(arguments), &caller));
    TRY_ASSIGN(const Text text, pythonText(m_meter, result));
    TRY(out.write(text));
    return Flow::Normal;
}

Result<Interpreter::Flow> Interpreter::execute(
    const FilterBlock& node, const ScopePtr& scope, OutputBuffer& out)
{
    TRY_ASSIGN(Text body, capture(node.body, std::make_shared<Scope>(scope)));
    TRY_ASSIGN(const Value result,
        evaluateFilter(*node.filter, makeText(m_meter, std::move(body)), scope));
    TRY_ASSIGN(const Text text, pythonText(m_meter, result));
    TRY(out.write(text));
    return Flow::Normal;
}

Result<Interpreter::Flow> Interpreter::execute(
    const With& node, const ScopePtr& scope, OutputBuffer& out)
{
    const auto inner = std::make_shared<Scope>(scope);
    for (const auto& [target, expression] : node.assignments) {
        TRY_ASSIGN(Value value, evaluate(*expression, scope));
        TRY(assign(target, std::move(value), inner));
    }
    return executeAll(node.body, inner, out);
}

Result<Interpreter::Flow> Interpreter::execute(
    const Generation& node, const ScopePtr& scope, OutputBuffer& out)
{
    return executeAll(node.body, std::make_shared<Scope>(scope), out);
}

Result<Interpreter::Flow> Interpreter::execute(const Break&, const ScopePtr&, OutputBuffer&)
{
    return Flow::Break;
}

Result<Interpreter::Flow> Interpreter::execute(const Continue&, const ScopePtr&, OutputBuffer&)
{
    return Flow::Continue;
}

} // namespace engine::jinja
