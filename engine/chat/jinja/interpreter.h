#pragma once

#include "engine/chat/jinja/nesting.h"
#include "engine/chat/jinja/output_buffer.h"
#include "engine/chat/jinja/scope.h"
#include "engine/chat/jinja/syntax.h"

#include <chrono>
#include <memory>

namespace engine::jinja {

/// Evaluates one template once. Errors: TemplateRefused with the words of raise_exception;
/// BadTemplate "line 3: ..." for everything else that goes wrong.
class Interpreter {
public:
    /// The meter must outlive the interpreter. now: the clock that strftime_now sees.
    Interpreter(Meter& meter, std::chrono::sys_seconds now);
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;
    ~Interpreter();

    void define(const std::string& name, Value value) { m_root->set(name, std::move(value)); }
    Result<Text> run(const Statements& program);

private:
    using ScopePtr = std::shared_ptr<Scope>; // shared: see Scope
    enum class Flow { Normal, Break, Continue };

    Error located(Error error, int line);
    Result<void> enter();

    // statements (execute.cpp)
    Result<Flow> executeAll(const Statements& statements, const ScopePtr& scope, OutputBuffer& out);
    Result<Text> capture(const Statements& statements, const ScopePtr& scope);
    Result<Flow> execute(const OutputText& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const OutputExpression& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const ForLoop& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const If& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const Assignment& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const BlockAssignment& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const MacroDefinition& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const CallBlock& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const FilterBlock& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const With& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const Generation& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const Break& node, const ScopePtr& scope, OutputBuffer& out);
    Result<Flow> execute(const Continue& node, const ScopePtr& scope, OutputBuffer& out);
    Result<void> assign(const Target& target, Value value, const ScopePtr& scope);
    Result<void> runLoop(const ForLoop& node, std::vector<Value> items, const ScopePtr& scope,
        int nesting, OutputBuffer& out);
    Result<std::vector<Value>> chosenItems(
        const ForLoop& node, const Value& iterable, const ScopePtr& scope);

    // expressions (evaluate.cpp)
    Result<Value> evaluate(const Expression& expression, const ScopePtr& scope);
    Result<Value> evaluateOrNone(const ExpressionPtr& expression, const ScopePtr& scope);
    Result<Value> evaluateFilter(
        const Expression& filter, const Value& body, const ScopePtr& scope);
    Result<Value> evaluateNode(const Literal& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const NameRef& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const ListLiteral& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const DictLiteral& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const AttributeRef& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const ItemRef& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const SliceRef& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const Call& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const FilterCall& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const TestCall& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const Unary& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const Arithmetic& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const Concatenation& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const Comparison& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const Logic& node, const ScopePtr& scope);
    Result<Value> evaluateNode(const Conditional& node, const ScopePtr& scope);
    Result<bool> compare(ComparisonOperator op, const Value& a, const Value& b);

    // calls (call.cpp)
    Result<Arguments> evaluateArguments(const CallArguments& arguments, const ScopePtr& scope);
    Result<Value> callValue(const Value& callee, Arguments arguments, const Value* caller);
    Result<Value> callMacro(const Macro& macro, Arguments arguments, const Value* caller);
    Result<Value> callLoop(LoopState& loop, const Arguments& arguments);
    Result<Value> callFunction(Function function, const Arguments& arguments);
    Result<Value> callNamespace(const Arguments& arguments);
    Value makeMacro(const MacroDefinition& definition, const ScopePtr& scope);

    Meter& m_meter;
    std::chrono::sys_seconds m_now;
    ScopePtr m_root;
    std::vector<ScopePtr>
        m_keptScopes; ///< scopes of macros: emptied at the end, which breaks their cycles
    std::vector<std::unique_ptr<Namespace>> m_namespaces;
    const Value* m_filterBody = nullptr; ///< the text of the filter tag being evaluated
    int m_evaluationDepth = 0;
    int m_callDepth = 0;
    bool m_errorIsLocated = false;
};

} // namespace engine::jinja
