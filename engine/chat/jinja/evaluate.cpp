#include "engine/chat/jinja/access.h"
#include "engine/chat/jinja/arithmetic.h"
#include "engine/chat/jinja/comparison.h"
#include "engine/chat/jinja/interpreter.h"
#include "engine/chat/jinja/iteration.h"
#include "engine/chat/jinja/python_text.h"

namespace engine::jinja {

Result<Value> Interpreter::evaluate(const Expression& expression, const ScopePtr& scope)
{
    const Nesting nesting(m_evaluationDepth);
    if (auto entered = enter(); !entered)
        return located(std::move(entered.error()), expression.line);
    auto value
        = std::visit([&](const auto& node) { return evaluateNode(node, scope); }, expression.node);
    if (!value)
        return located(std::move(value.error()), expression.line);
    return value;
}

Result<Value> Interpreter::evaluateOrNone(const ExpressionPtr& expression, const ScopePtr& scope)
{
    if (!expression)
        return Value();
    return evaluate(*expression, scope);
}

/// Evaluates the filters of a filter tag on the text of its body.
Result<Value> Interpreter::evaluateFilter(
    const Expression& filter, const Value& body, const ScopePtr& scope)
{
    const Value* outer = std::exchange(m_filterBody, &body);
    auto value = evaluate(filter, scope);
    m_filterBody = outer;
    return value;
}

Result<Value> Interpreter::evaluateNode(const Literal& node, const ScopePtr&) { return node.value; }

Result<Value> Interpreter::evaluateNode(const NameRef& node, const ScopePtr& scope)
{
    if (const Value* value = scope->find(node.name))
        return *value;
    return makeUndefined(m_meter, "'" + node.name + "' is undefined");
}

Result<Value> Interpreter::evaluateNode(const ListLiteral& node, const ScopePtr& scope)
{
    std::vector<Value> items;
    for (const ExpressionPtr& expression : node.items) {
        TRY_ASSIGN(Value item, evaluate(*expression, scope));
        items.push_back(std::move(item));
    }
    return makeList(m_meter, std::move(items), node.kind);
}

Result<Value> Interpreter::evaluateNode(const DictLiteral& node, const ScopePtr& scope)
{
    Dict dict;
    for (const auto& [keyExpression, valueExpression] : node.entries) {
        TRY_ASSIGN(Value key, evaluate(*keyExpression, scope));
        TRY_ASSIGN(Value value, evaluate(*valueExpression, scope));
        TRY(putKey(m_meter, dict, std::move(key), std::move(value)));
    }
    return makeDict(m_meter, std::move(dict.entries));
}

Result<Value> Interpreter::evaluateNode(const AttributeRef& node, const ScopePtr& scope)
{
    TRY_ASSIGN(const Value base, evaluate(*node.base, scope));
    return attributeOf(m_meter, base, node.name);
}

Result<Value> Interpreter::evaluateNode(const ItemRef& node, const ScopePtr& scope)
{
    TRY_ASSIGN(const Value base, evaluate(*node.base, scope));
    TRY_ASSIGN(const Value key, evaluate(*node.key, scope));
    return itemOf(m_meter, base, key);
}

Result<Value> Interpreter::evaluateNode(const SliceRef& node, const ScopePtr& scope)
{
    TRY_ASSIGN(const Value base, evaluate(*node.base, scope));
    SliceBounds bounds;
    TRY_ASSIGN(bounds.start, evaluateOrNone(node.start, scope));
    TRY_ASSIGN(bounds.stop, evaluateOrNone(node.stop, scope));
    TRY_ASSIGN(bounds.step, evaluateOrNone(node.step, scope));
    return sliceOf(m_meter, base, bounds);
}

Result<Value> Interpreter::evaluateNode(const Call& node, const ScopePtr& scope)
{
    TRY_ASSIGN(const Value callee, evaluate(*node.callee, scope));
    TRY_ASSIGN(Arguments arguments, evaluateArguments(node.arguments, scope));
    return callValue(callee, std::move(arguments), nullptr);
}

Result<Value> Interpreter::evaluateNode(const FilterCall& node, const ScopePtr& scope)
{
    Value subject;
    if (node.subject) {
        TRY_ASSIGN(subject, evaluate(*node.subject, scope));
    } else {
        subject = *m_filterBody;
    }
    TRY_ASSIGN(const Arguments arguments, evaluateArguments(node.arguments, scope));
    return applyNative(m_meter, *node.filter, subject, arguments);
}

Result<Value> Interpreter::evaluateNode(const TestCall& node, const ScopePtr& scope)
{
    TRY_ASSIGN(const Value subject, evaluate(*node.subject, scope));
    TRY_ASSIGN(const Arguments arguments, evaluateArguments(node.arguments, scope));
    TRY_ASSIGN(const Value result, applyNative(m_meter, *node.test, subject, arguments));
    return node.negated ? Value(!result.truthy()) : result;
}

Result<Value> Interpreter::evaluateNode(const Unary& node, const ScopePtr& scope)
{
    TRY_ASSIGN(const Value operand, evaluate(*node.operand, scope));
    if (node.op == UnaryOperator::Not)
        return Value(!operand.truthy());
    return node.op == UnaryOperator::Minus ? negated(operand) : unchangedNumber(operand);
}

Result<Value> Interpreter::evaluateNode(const Arithmetic& node, const ScopePtr& scope)
{
    TRY_ASSIGN(Value value, evaluate(*node.first, scope));
    for (const auto& [op, expression] : node.rest) {
        TRY_ASSIGN(const Value operand, evaluate(*expression, scope));
        TRY_ASSIGN(value, applyArithmetic(m_meter, op, value, operand));
    }
    return value;
}

Result<Value> Interpreter::evaluateNode(const Concatenation& node, const ScopePtr& scope)
{
    TextBuilder builder;
    for (const ExpressionPtr& expression : node.operands) {
        TRY_ASSIGN(const Value value, evaluate(*expression, scope));
        TRY_ASSIGN(const Text text, pythonText(m_meter, value));
        TRY(m_meter.stepBytes(text.size()));
        builder.append(text);
    }
    return makeText(m_meter, std::move(builder));
}

Result<bool> Interpreter::compare(ComparisonOperator op, const Value& a, const Value& b)
{
    if (op == ComparisonOperator::Equal || op == ComparisonOperator::NotEqual) {
        TRY_ASSIGN(const bool equal, valuesEqual(m_meter, a, b));
        return equal == (op == ComparisonOperator::Equal);
    }
    if (op == ComparisonOperator::In || op == ComparisonOperator::NotIn) {
        TRY_ASSIGN(const bool found, contains(m_meter, b, a));
        return found == (op == ComparisonOperator::In);
    }
    TRY_ASSIGN(const int order, orderOf(m_meter, a, b));
    switch (op) {
    case ComparisonOperator::Less:
        return order < 0;
    case ComparisonOperator::LessEqual:
        return order <= 0;
    case ComparisonOperator::Greater:
        return order > 0;
    default:
        return order >= 0;
    }
}

Result<Value> Interpreter::evaluateNode(const Comparison& node, const ScopePtr& scope)
{
    TRY_ASSIGN(Value left, evaluate(*node.first, scope));
    for (const auto& [op, expression] : node.rest) {
        TRY_ASSIGN(Value right, evaluate(*expression, scope));
        TRY_ASSIGN(const bool holds, compare(op, left, right));
        if (!holds)
            return Value(false);
        left = std::move(right);
    }
    return Value(true);
}

Result<Value> Interpreter::evaluateNode(const Logic& node, const ScopePtr& scope)
{
    Value value;
    for (const ExpressionPtr& expression : node.operands) {
        TRY_ASSIGN(value, evaluate(*expression, scope));
        if (value.truthy() != node.isAnd)
            break;
    }
    return value;
}

Result<Value> Interpreter::evaluateNode(const Conditional& node, const ScopePtr& scope)
{
    TRY_ASSIGN(const Value condition, evaluate(*node.condition, scope));
    if (condition.truthy())
        return evaluate(*node.then, scope);
    if (node.otherwise)
        return evaluate(*node.otherwise, scope);
    return makeUndefined(m_meter, "the inline if had no else and its condition was false");
}

} // namespace engine::jinja
