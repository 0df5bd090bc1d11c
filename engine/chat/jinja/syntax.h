#pragma once

#include "engine/chat/jinja/native.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

/// The syntax tree of a template. One struct per construct; the parser makes them, the interpreter
/// reads them. Chains of one precedence are flat lists, so that depth is what the author nested.
namespace engine::jinja {

struct Expression;
struct Statement;
using ExpressionPtr = std::unique_ptr<Expression>;
using Statements = std::vector<Statement>;

struct CallArguments {
    std::vector<ExpressionPtr> positional;
    std::vector<std::pair<std::string, ExpressionPtr>> named;
    ExpressionPtr unpackedList; ///< *rest
    ExpressionPtr unpackedDict; ///< **rest
};

struct Literal {
    Value value;
};
struct NameRef {
    std::string name;
};
struct ListLiteral {
    std::vector<ExpressionPtr> items;
    ListKind kind = ListKind::List;
};
struct DictLiteral {
    std::vector<std::pair<ExpressionPtr, ExpressionPtr>> entries;
};
struct AttributeRef {
    ExpressionPtr base;
    std::string name;
};
struct ItemRef {
    ExpressionPtr base;
    ExpressionPtr key;
};
struct SliceRef {
    ExpressionPtr base;
    ExpressionPtr start; ///< null when left out, as the next two
    ExpressionPtr stop;
    ExpressionPtr step;
};
struct Call {
    ExpressionPtr callee;
    CallArguments arguments;
};
struct FilterCall {
    ExpressionPtr
        subject; ///< null in a filter tag and behind a block set: its text comes from the body
    const NativeEntry* filter = nullptr;
    CallArguments arguments;
};
struct TestCall {
    ExpressionPtr subject;
    const NativeEntry* test = nullptr;
    CallArguments arguments;
    bool negated = false;
};
enum class UnaryOperator { Not, Minus, Plus };
struct Unary {
    UnaryOperator op = UnaryOperator::Not;
    ExpressionPtr operand;
};
enum class ArithmeticOperator { Add, Subtract, Multiply, Divide, FloorDivide, Modulo, Power };
struct Arithmetic {
    ExpressionPtr first;
    std::vector<std::pair<ArithmeticOperator, ExpressionPtr>> rest;
};
struct Concatenation {
    std::vector<ExpressionPtr> operands;
};
enum class ComparisonOperator {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    In,
    NotIn
};
struct Comparison {
    ExpressionPtr first;
    std::vector<std::pair<ComparisonOperator, ExpressionPtr>> rest;
};
struct Logic {
    bool isAnd = true;
    std::vector<ExpressionPtr> operands;
};
struct Conditional {
    ExpressionPtr condition;
    ExpressionPtr then;
    ExpressionPtr otherwise; ///< null when left out
};

using ExpressionNode = std::variant<Literal, NameRef, ListLiteral, DictLiteral, AttributeRef,
    ItemRef, SliceRef, Call, FilterCall, TestCall, Unary, Arithmetic, Concatenation, Comparison,
    Logic, Conditional>;

struct Expression {
    ExpressionNode node;
    int line = 1;
    int depth = 1; ///< of the tree below, this node included
};

/// What an assignment writes to: a name, an attribute of a namespace, or several of them.
struct Target {
    std::string name;
    std::string attribute; ///< empty for a plain name
    std::vector<Target> parts; ///< of a tuple
};

struct OutputText {
    Value text;
};
struct OutputExpression {
    ExpressionPtr expression;
};
struct ForLoop {
    Target target;
    ExpressionPtr iterable;
    ExpressionPtr condition; ///< null without `if`
    bool recursive = false;
    Statements body;
    Statements otherwise;
};
struct If {
    std::vector<std::pair<ExpressionPtr, Statements>> branches;
    Statements otherwise;
};
struct Assignment {
    Target target;
    ExpressionPtr value;
};
struct BlockAssignment {
    Target target;
    ExpressionPtr filter; ///< a FilterCall without subject at its root, or null
    Statements body;
};
struct MacroDefinition {
    std::string name;
    std::vector<std::pair<std::string, ExpressionPtr>> parameters; ///< with default, or null
    Statements body;
    bool readsVarargs = false;
    bool readsKwargs = false;
    bool readsCaller = false;
};
struct CallBlock {
    ExpressionPtr call; ///< a Call
    MacroDefinition caller;
};
struct FilterBlock {
    ExpressionPtr filter; ///< a FilterCall without subject at its root
    Statements body;
};
struct With {
    std::vector<std::pair<Target, ExpressionPtr>> assignments;
    Statements body;
};
/// {% generation %}: its body is evaluated in a scope of its own and passes through.
struct Generation {
    Statements body;
};
struct Break { };
struct Continue { };

using StatementNode = std::variant<OutputText, OutputExpression, ForLoop, If, Assignment,
    BlockAssignment, MacroDefinition, CallBlock, FilterBlock, With, Generation, Break, Continue>;

struct Statement {
    StatementNode node;
    int line = 1;
};

/// The depth of the deepest expression below this node.
int deepestChild(const ExpressionNode& node);

} // namespace engine::jinja
