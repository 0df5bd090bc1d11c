#include "engine/chat/jinja/limits.h"
#include "engine/chat/jinja/parser.h"

#include <charconv>
#include <limits>
#include <optional>

namespace engine::jinja {

namespace {
    constexpr int kAdditionLevel = 0;
    constexpr int kMultiplicationLevel = 1;
    constexpr int kPowerLevel = 2;

    struct ArithmeticToken {
        const char* text;
        ArithmeticOperator op;
        int level;
    };
    constexpr ArithmeticToken kArithmeticTokens[] = {
        { "+", ArithmeticOperator::Add, kAdditionLevel },
        { "-", ArithmeticOperator::Subtract, kAdditionLevel },
        { "*", ArithmeticOperator::Multiply, kMultiplicationLevel },
        { "/", ArithmeticOperator::Divide, kMultiplicationLevel },
        { "//", ArithmeticOperator::FloorDivide, kMultiplicationLevel },
        { "%", ArithmeticOperator::Modulo, kMultiplicationLevel },
        { "**", ArithmeticOperator::Power, kPowerLevel },
    };

    std::optional<ArithmeticOperator> arithmeticOperator(const Token& token, int level)
    {
        for (const ArithmeticToken& candidate : kArithmeticTokens)
            if (candidate.level == level && token.isOperator(candidate.text))
                return candidate.op;
        return std::nullopt;
    }

    std::optional<ComparisonOperator> comparisonOperator(const Token& token, const Token& following)
    {
        constexpr std::pair<const char*, ComparisonOperator> kTokens[] = {
            { "==", ComparisonOperator::Equal },
            { "!=", ComparisonOperator::NotEqual },
            { "<", ComparisonOperator::Less },
            { "<=", ComparisonOperator::LessEqual },
            { ">", ComparisonOperator::Greater },
            { ">=", ComparisonOperator::GreaterEqual },
        };
        for (const auto& [text, op] : kTokens)
            if (token.isOperator(text))
                return op;
        if (token.isName("in"))
            return ComparisonOperator::In;
        if (token.isName("not") && following.isName("in"))
            return ComparisonOperator::NotIn;
        return std::nullopt;
    }
}

Result<ExpressionPtr> Parser::make(int line, ExpressionNode node)
{
    const int depth = 1 + deepestChild(node);
    if (depth > kMaxParseDepth)
        return errorAt(line, "expressions nested deeper than " + std::to_string(kMaxParseDepth));
    return std::make_unique<Expression>(Expression { std::move(node), line, depth });
}

void Parser::noteName(const std::string& name)
{
    for (MacroDefinition* macro : m_openMacros) {
        macro->readsVarargs |= name == "varargs";
        macro->readsKwargs |= name == "kwargs";
        macro->readsCaller |= name == "caller";
    }
}

Result<ExpressionPtr> Parser::parseExpression(InlineIf inlineIf)
{
    const Nesting nesting(m_expressionDepth);
    if (m_expressionDepth > kMaxParseDepth)
        return error("expressions nested deeper than " + std::to_string(kMaxParseDepth));
    TRY_ASSIGN(ExpressionPtr expression, parseLogic(false));
    while (inlineIf == InlineIf::Allowed && current().isName("if")) {
        const int line = take().line;
        TRY_ASSIGN(ExpressionPtr condition, parseLogic(false));
        ExpressionPtr otherwise;
        if (skipName("else")) {
            TRY_ASSIGN(otherwise, parseExpression());
        }
        TRY_ASSIGN(expression,
            make(line,
                Conditional { std::move(condition), std::move(expression), std::move(otherwise) }));
    }
    return expression;
}

Result<ExpressionPtr> Parser::parseTuple(InlineIf inlineIf, bool emptyAllowed)
{
    const int line = current().line;
    ListLiteral tuple { {}, ListKind::Tuple };
    const auto atEnd = [this] {
        return current().kind == TokenKind::VariableEnd || current().kind == TokenKind::BlockEnd
            || current().isOperator(")") || current().isName("recursive");
    };
    bool isTuple = false;
    while (!atEnd()) {
        TRY_ASSIGN(ExpressionPtr item, parseExpression(inlineIf));
        tuple.items.push_back(std::move(item));
        if (!skipOperator(","))
            break;
        isTuple = true;
    }
    if (!isTuple && tuple.items.size() == 1)
        return std::move(tuple.items.front());
    if (tuple.items.empty() && !emptyAllowed)
        return error("expected an expression, found " + describeToken(current()));
    return make(line, std::move(tuple));
}

Result<ExpressionPtr> Parser::parseLogic(bool isAnd)
{
    const int line = current().line;
    Logic logic { isAnd, {} };
    do {
        TRY_ASSIGN(ExpressionPtr operand, isAnd ? parseNot() : parseLogic(true));
        logic.operands.push_back(std::move(operand));
    } while (skipName(isAnd ? "and" : "or"));
    if (logic.operands.size() == 1)
        return std::move(logic.operands.front());
    return make(line, std::move(logic));
}

Result<ExpressionPtr> Parser::parseNot()
{
    if (!current().isName("not"))
        return parseComparison();
    const Nesting nesting(m_expressionDepth);
    if (m_expressionDepth > kMaxParseDepth)
        return error("expressions nested deeper than " + std::to_string(kMaxParseDepth));
    const int line = take().line;
    TRY_ASSIGN(ExpressionPtr operand, parseNot());
    return make(line, Unary { UnaryOperator::Not, std::move(operand) });
}

Result<ExpressionPtr> Parser::parseComparison()
{
    const int line = current().line;
    Comparison comparison;
    TRY_ASSIGN(comparison.first, parseArithmetic(kAdditionLevel));
    while (const auto op = comparisonOperator(current(), following())) {
        take();
        if (*op == ComparisonOperator::NotIn)
            take();
        TRY_ASSIGN(ExpressionPtr operand, parseArithmetic(kAdditionLevel));
        comparison.rest.emplace_back(*op, std::move(operand));
    }
    if (comparison.rest.empty())
        return std::move(comparison.first);
    return make(line, std::move(comparison));
}

Result<ExpressionPtr> Parser::parseArithmetic(int level)
{
    const auto parseOperand = [this, level]() -> Result<ExpressionPtr> {
        if (level == kAdditionLevel)
            return parseConcatenation();
        return level == kMultiplicationLevel ? parseArithmetic(kPowerLevel) : parseUnary();
    };
    const int line = current().line;
    Arithmetic chain;
    TRY_ASSIGN(chain.first, parseOperand());
    while (const auto op = arithmeticOperator(current(), level)) {
        take();
        TRY_ASSIGN(ExpressionPtr operand, parseOperand());
        chain.rest.emplace_back(*op, std::move(operand));
    }
    if (chain.rest.empty())
        return std::move(chain.first);
    return make(line, std::move(chain));
}

/// "~" binds tighter than "+" in Jinja.
Result<ExpressionPtr> Parser::parseConcatenation()
{
    const int line = current().line;
    Concatenation chain;
    do {
        TRY_ASSIGN(ExpressionPtr operand, parseArithmetic(kMultiplicationLevel));
        chain.operands.push_back(std::move(operand));
    } while (skipOperator("~"));
    if (chain.operands.size() == 1)
        return std::move(chain.operands.front());
    return make(line, std::move(chain));
}

Result<ExpressionPtr> Parser::parseUnary(bool withFilters)
{
    const Nesting nesting(m_expressionDepth);
    if (m_expressionDepth > 2 * kMaxParseDepth) // a level of its own beside each parseExpression
        return error("expressions nested deeper than " + std::to_string(kMaxParseDepth));
    ExpressionPtr expression;
    if (current().isOperator("-") || current().isOperator("+")) {
        const Token sign = take();
        TRY_ASSIGN(ExpressionPtr operand, parseUnary(false));
        TRY_ASSIGN(expression,
            make(sign.line,
                Unary { sign.text == "-" ? UnaryOperator::Minus : UnaryOperator::Plus,
                    std::move(operand) }));
    } else {
        TRY_ASSIGN(expression, parsePrimary());
    }
    TRY_ASSIGN(expression, parsePostfix(std::move(expression)));
    if (!withFilters)
        return expression;
    return parseFilters(std::move(expression));
}

Result<ExpressionPtr> Parser::parsePrimary()
{
    const Token token = current();
    if (token.kind == TokenKind::Integer || token.kind == TokenKind::Float)
        return parseNumber();
    if (token.isOperator("["))
        return parseListLiteral();
    if (token.isOperator("{"))
        return parseDictLiteral();
    take();
    if (token.kind == TokenKind::Name) {
        if (token.text == "true" || token.text == "True")
            return make(token.line, Literal { Value(true) });
        if (token.text == "false" || token.text == "False")
            return make(token.line, Literal { Value(false) });
        if (token.text == "none" || token.text == "None")
            return make(token.line, Literal {});
        noteName(token.text);
        return make(token.line, NameRef { token.text });
    }
    if (token.kind == TokenKind::String) {
        std::string joined = token.text; // neighbours join, as in Python
        while (current().kind == TokenKind::String)
            joined += take().text;
        return make(
            token.line, Literal { Value::constant(Text(std::move(joined), Origin::Template)) });
    }
    if (token.isOperator("(")) {
        TRY_ASSIGN(ExpressionPtr inner, parseTuple(InlineIf::Allowed, true));
        TRY(expectOperator(")"));
        return inner;
    }
    return errorAt(token.line, "expected an expression, found " + describeToken(token));
}

Result<ExpressionPtr> Parser::parseNumber()
{
    const Token token = take();
    const std::string& digits = token.text;
    if (token.kind == TokenKind::Float) {
        double value = 0;
        const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (read.ec == std::errc::result_out_of_range)
            value = digits.find("e-") == std::string::npos ? std::numeric_limits<double>::infinity()
                                                           : 0.0;
        return make(token.line, Literal { Value(value) });
    }
    const char prefix = digits.size() > 2 ? char(digits[1] | 0x20) : ' ';
    const int base = prefix == 'x' ? 16 : prefix == 'o' ? 8 : prefix == 'b' ? 2 : 10;
    int64_t value = 0;
    const char* end = digits.data() + digits.size();
    const auto read = std::from_chars(digits.data() + (base == 10 ? 0 : 2), end, value, base);
    if (read.ec != std::errc() || read.ptr != end)
        return errorAt(token.line, "the number " + digits + " cannot be read as a 64-bit integer");
    return make(token.line, Literal { Value(value) });
}

Result<ExpressionPtr> Parser::parseListLiteral()
{
    const int line = take().line;
    ListLiteral list;
    while (!current().isOperator("]")) {
        TRY_ASSIGN(ExpressionPtr item, parseExpression());
        list.items.push_back(std::move(item));
        if (!skipOperator(","))
            break;
    }
    TRY(expectOperator("]"));
    return make(line, std::move(list));
}

Result<ExpressionPtr> Parser::parseDictLiteral()
{
    const int line = take().line;
    DictLiteral dict;
    while (!current().isOperator("}")) {
        TRY_ASSIGN(ExpressionPtr key, parseExpression());
        TRY(expectOperator(":"));
        TRY_ASSIGN(ExpressionPtr value, parseExpression());
        dict.entries.emplace_back(std::move(key), std::move(value));
        if (!skipOperator(","))
            break;
    }
    TRY(expectOperator("}"));
    return make(line, std::move(dict));
}

} // namespace engine::jinja
