#include "engine/chat/jinja/filter_table.h"
#include "engine/chat/jinja/parser.h"
#include "engine/chat/jinja/test_table.h"

// What may follow a value: attributes, subscripts, calls, filters and tests.
namespace engine::jinja {

Result<ExpressionPtr> Parser::parsePostfix(ExpressionPtr base)
{
    while (true) {
        if (current().isOperator(".")) {
            TRY_ASSIGN(base, parseAttribute(std::move(base)));
        } else if (current().isOperator("[")) {
            TRY_ASSIGN(base, parseSubscript(std::move(base)));
        } else if (current().isOperator("(")) {
            TRY_ASSIGN(base, parseCall(std::move(base)));
        } else {
            return base;
        }
    }
}

Result<ExpressionPtr> Parser::parseFilters(ExpressionPtr base)
{
    while (true) {
        if (skipOperator("|")) {
            TRY_ASSIGN(base, parseFilter(std::move(base)));
        } else if (current().isName("is")) {
            TRY_ASSIGN(base, parseTest(std::move(base)));
        } else if (current().isOperator("(")) {
            TRY_ASSIGN(base, parseCall(std::move(base)));
        } else {
            return base;
        }
    }
}

Result<ExpressionPtr> Parser::parseAttribute(ExpressionPtr base)
{
    const int line = take().line;
    if (current().kind == TokenKind::Integer) { // "list.0"
        TRY_ASSIGN(ExpressionPtr index, parseNumber());
        return make(line, ItemRef { std::move(base), std::move(index) });
    }
    TRY_ASSIGN(std::string name, expectName());
    return make(line, AttributeRef { std::move(base), std::move(name) });
}

Result<ExpressionPtr> Parser::parseSubscript(ExpressionPtr base)
{
    const int line = take().line;
    ExpressionPtr parts[3];
    int colonCount = 0;
    while (!current().isOperator("]") && colonCount < 3) {
        if (skipOperator(":")) {
            ++colonCount;
        } else if (parts[colonCount]) {
            break; // two expressions without a colon between them
        } else {
            TRY_ASSIGN(parts[colonCount], parseTuple());
        }
    }
    if (colonCount > 2 || !current().isOperator("]"))
        return error("expected ']', found " + describeToken(current()));
    take();
    if (colonCount > 0)
        return make(line,
            SliceRef {
                std::move(base), std::move(parts[0]), std::move(parts[1]), std::move(parts[2]) });
    if (!parts[0])
        return errorAt(line, "expected an expression between '[' and ']'");
    return make(line, ItemRef { std::move(base), std::move(parts[0]) });
}

Result<CallArguments> Parser::parseArguments()
{
    TRY(expectOperator("("));
    CallArguments arguments;
    while (!current().isOperator(")")) {
        if (skipOperator("*")) {
            TRY_ASSIGN(arguments.unpackedList, parseExpression());
        } else if (skipOperator("**")) {
            TRY_ASSIGN(arguments.unpackedDict, parseExpression());
        } else if (current().kind == TokenKind::Name && following().isOperator("=")) {
            std::string name = take().text;
            take();
            TRY_ASSIGN(ExpressionPtr value, parseExpression());
            arguments.named.emplace_back(std::move(name), std::move(value));
        } else {
            if (!arguments.named.empty() || arguments.unpackedList || arguments.unpackedDict)
                return error("an argument without a name follows one with a name");
            TRY_ASSIGN(ExpressionPtr value, parseExpression());
            arguments.positional.push_back(std::move(value));
        }
        if (!skipOperator(","))
            break;
    }
    TRY(expectOperator(")"));
    return arguments;
}

Result<ExpressionPtr> Parser::parseCall(ExpressionPtr callee)
{
    const int line = current().line;
    TRY_ASSIGN(CallArguments arguments, parseArguments());
    return make(line, Call { std::move(callee), std::move(arguments) });
}

/// Parses a filter's name and arguments, behind its "|".
Result<ExpressionPtr> Parser::parseFilter(ExpressionPtr subject)
{
    const int line = current().line;
    TRY_ASSIGN(const std::string name, expectName());
    FilterCall call;
    call.subject = std::move(subject);
    call.filter = findEntry(filterTable(), name);
    if (!call.filter)
        return errorAt(line, "unknown filter '" + name + "'");
    if (current().isOperator("(")) {
        TRY_ASSIGN(call.arguments, parseArguments());
    }
    return make(line, std::move(call));
}

Result<ExpressionPtr> Parser::parseTest(ExpressionPtr subject)
{
    const int line = take().line;
    TestCall call;
    call.subject = std::move(subject);
    call.negated = skipName("not");
    TRY_ASSIGN(const std::string name, expectName());
    call.test = findEntry(testTable(), name);
    if (!call.test)
        return errorAt(line, "unknown test '" + name + "'");
    const Token& next = current();
    const bool startsArgument = next.kind == TokenKind::Name || next.kind == TokenKind::String
        || next.kind == TokenKind::Integer || next.kind == TokenKind::Float || next.isOperator("[")
        || next.isOperator("{");
    if (next.isOperator("(")) {
        TRY_ASSIGN(call.arguments, parseArguments());
    } else if (startsArgument && !next.isName("else") && !next.isName("or") && !next.isName("and")
        && !next.isName("if")) {
        if (next.isName("is"))
            return error("two tests cannot follow each other with 'is'");
        TRY_ASSIGN(ExpressionPtr argument, parsePrimary());
        TRY_ASSIGN(argument, parsePostfix(std::move(argument)));
        call.arguments.positional.push_back(std::move(argument));
    }
    return make(line, std::move(call));
}

} // namespace engine::jinja
