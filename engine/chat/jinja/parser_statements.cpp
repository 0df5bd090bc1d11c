#include "engine/chat/jinja/lexer.h"
#include "engine/chat/jinja/limits.h"
#include "engine/chat/jinja/parser.h"

#include <algorithm>

namespace engine::jinja {

Result<Statements> parseTemplate(std::string_view source)
{
    if (source.size() > kMaxSourceBytes)
        return Error::badTemplate(
            "the template is longer than " + std::to_string(kMaxSourceBytes / 1024) + " KiB");
    TRY_ASSIGN(std::vector<Token> tokens, tokenize(source));
    return Parser(std::move(tokens)).parse();
}

Error Parser::errorAt(int line, const std::string& message)
{
    return Error::badTemplate("line " + std::to_string(line) + ": " + message);
}

Token Parser::take()
{
    Token token = m_tokens[m_next];
    if (m_next + 1 < m_tokens.size())
        ++m_next;
    return token;
}

bool Parser::skipName(const char* name)
{
    if (!current().isName(name))
        return false;
    take();
    return true;
}

bool Parser::skipOperator(const char* op)
{
    if (!current().isOperator(op))
        return false;
    take();
    return true;
}

Result<void> Parser::expectOperator(const char* op)
{
    if (skipOperator(op))
        return {};
    return error("expected '" + std::string(op) + "', found " + describeToken(current()));
}

Result<std::string> Parser::expectName()
{
    if (current().kind != TokenKind::Name)
        return error("expected a name, found " + describeToken(current()));
    return take().text;
}

Result<Statements> Parser::parse()
{
    TRY_ASSIGN(Statements statements, parseBody({}));
    return statements;
}

/// Parses up to one of the end tags and leaves its name as the current token; without end tags, up
/// to the end of the template.
Result<Statements> Parser::parseBody(std::initializer_list<const char*> endTags)
{
    const Nesting nesting(m_statementDepth);
    if (m_statementDepth > kMaxParseDepth)
        return error("tags nested deeper than " + std::to_string(kMaxParseDepth));
    Statements statements;
    while (true) {
        const Token token = take();
        if (token.kind == TokenKind::End) {
            if (endTags.size() == 0)
                return statements;
            return errorAt(token.line,
                "the template ends where '" + std::string(*(endTags.end() - 1)) + "' is expected");
        }
        if (token.kind == TokenKind::Text) {
            statements.push_back(
                { OutputText { Value::constant(Text(token.text, Origin::Template)) }, token.line });
        } else if (token.kind == TokenKind::VariableBegin) {
            TRY_ASSIGN(ExpressionPtr expression, parseTuple());
            if (current().kind != TokenKind::VariableEnd)
                return error("expected '}}', found " + describeToken(current()));
            take();
            statements.push_back({ OutputExpression { std::move(expression) }, token.line });
        } else {
            const bool ends = std::any_of(endTags.begin(), endTags.end(),
                [this](const char* tag) { return current().isName(tag); });
            if (ends)
                return statements;
            TRY_ASSIGN(Statement statement, parseTag());
            statements.push_back(std::move(statement));
        }
    }
}

Result<void> Parser::endTag()
{
    if (current().kind != TokenKind::BlockEnd)
        return error("expected '%}', found " + describeToken(current()));
    take();
    return {};
}

Result<Statement> Parser::parseTag()
{
    struct Tag {
        const char* name;
        Result<StatementNode> (Parser::*parse)();
    };
    static constexpr Tag kTags[] = {
        { "for", &Parser::parseFor },
        { "if", &Parser::parseIf },
        { "set", &Parser::parseSet },
        { "macro", &Parser::parseMacro },
        { "call", &Parser::parseCallBlock },
        { "filter", &Parser::parseFilterBlock },
        { "with", &Parser::parseWith },
        { "generation", &Parser::parseGeneration },
        { "break", &Parser::parseLoopControl },
        { "continue", &Parser::parseLoopControl },
    };
    const Token token = current();
    if (token.kind != TokenKind::Name)
        return error("expected the name of a tag, found " + describeToken(token));
    for (const char* name : { "include", "import", "from", "extends", "block" })
        if (token.text == name)
            return error(
                "the tag '" + token.text + "' is not allowed: a chat template stands alone");
    for (const Tag& tag : kTags) {
        if (token.text != tag.name)
            continue;
        TRY_ASSIGN(StatementNode node, (this->*tag.parse)());
        TRY(endTag());
        return Statement { std::move(node), token.line };
    }
    return error("unknown tag '" + token.text + "'");
}

Result<StatementNode> Parser::parseFor()
{
    take();
    ForLoop loop;
    TRY_ASSIGN(loop.target, parseTarget());
    if (!skipName("in"))
        return error("expected 'in', found " + describeToken(current()));
    TRY_ASSIGN(loop.iterable, parseTuple(InlineIf::No));
    if (skipName("if")) {
        TRY_ASSIGN(loop.condition, parseExpression());
    }
    loop.recursive = skipName("recursive");
    TRY(endTag());
    {
        const Nesting nesting(m_loopDepth);
        TRY_ASSIGN(loop.body, parseBody({ "else", "endfor" }));
    }
    if (skipName("else")) {
        TRY(endTag());
        TRY_ASSIGN(loop.otherwise, parseBody({ "endfor" }));
    }
    take();
    return StatementNode(std::move(loop));
}

Result<StatementNode> Parser::parseIf()
{
    If node;
    do {
        take(); // "if", "elif"
        TRY_ASSIGN(ExpressionPtr condition, parseTuple(InlineIf::No));
        TRY(endTag());
        TRY_ASSIGN(Statements body, parseBody({ "elif", "else", "endif" }));
        node.branches.emplace_back(std::move(condition), std::move(body));
    } while (current().isName("elif"));
    if (skipName("else")) {
        TRY(endTag());
        TRY_ASSIGN(node.otherwise, parseBody({ "endif" }));
    }
    take();
    return StatementNode(std::move(node));
}

Result<StatementNode> Parser::parseSet()
{
    take();
    TRY_ASSIGN(Target target, parseTarget());
    if (skipOperator("=")) {
        TRY_ASSIGN(ExpressionPtr value, parseTuple());
        return StatementNode(Assignment { std::move(target), std::move(value) });
    }
    BlockAssignment block;
    block.target = std::move(target);
    while (skipOperator("|")) {
        TRY_ASSIGN(block.filter, parseFilter(std::move(block.filter)));
    }
    TRY(endTag());
    TRY_ASSIGN(block.body, parseBody({ "endset" }));
    take();
    return StatementNode(std::move(block));
}

Result<void> Parser::parseSignature(MacroDefinition& macro)
{
    TRY(expectOperator("("));
    while (!current().isOperator(")")) {
        if (!macro.parameters.empty())
            TRY(expectOperator(","));
        TRY_ASSIGN(std::string name, expectName());
        ExpressionPtr fallback;
        if (skipOperator("=")) {
            TRY_ASSIGN(fallback, parseExpression());
        } else if (!macro.parameters.empty() && macro.parameters.back().second) {
            return error("parameter '" + name + "' without a default follows one with a default");
        }
        macro.parameters.emplace_back(std::move(name), std::move(fallback));
    }
    return expectOperator(")");
}

Result<void> Parser::parseMacroBody(MacroDefinition& macro, const char* endTagName)
{
    TRY(endTag());
    m_openMacros.push_back(&macro);
    const int loopsAround = std::exchange(m_loopDepth, 0);
    auto body = parseBody({ endTagName });
    m_loopDepth = loopsAround;
    m_openMacros.pop_back();
    if (!body)
        return body.error();
    macro.body = std::move(*body);
    take();
    return {};
}

Result<StatementNode> Parser::parseMacro()
{
    take();
    MacroDefinition macro;
    TRY_ASSIGN(macro.name, expectName());
    TRY(parseSignature(macro));
    TRY(parseMacroBody(macro, "endmacro"));
    return StatementNode(std::move(macro));
}

Result<StatementNode> Parser::parseCallBlock()
{
    take();
    CallBlock block;
    block.caller.name = "caller";
    if (current().isOperator("("))
        TRY(parseSignature(block.caller));
    TRY_ASSIGN(block.call, parseExpression());
    if (!std::holds_alternative<Call>(block.call->node))
        return error("expected a call of a macro behind 'call'");
    TRY(parseMacroBody(block.caller, "endcall"));
    return StatementNode(std::move(block));
}

Result<StatementNode> Parser::parseFilterBlock()
{
    take();
    FilterBlock block;
    do {
        TRY_ASSIGN(block.filter, parseFilter(std::move(block.filter)));
    } while (skipOperator("|"));
    TRY(endTag());
    TRY_ASSIGN(block.body, parseBody({ "endfilter" }));
    take();
    return StatementNode(std::move(block));
}

Result<StatementNode> Parser::parseWith()
{
    take();
    With block;
    while (current().kind != TokenKind::BlockEnd) {
        if (!block.assignments.empty())
            TRY(expectOperator(","));
        TRY_ASSIGN(Target target, parseTargetPart());
        TRY(expectOperator("="));
        TRY_ASSIGN(ExpressionPtr value, parseExpression());
        block.assignments.emplace_back(std::move(target), std::move(value));
    }
    TRY(endTag());
    TRY_ASSIGN(block.body, parseBody({ "endwith" }));
    take();
    return StatementNode(std::move(block));
}

Result<StatementNode> Parser::parseGeneration()
{
    take();
    TRY(endTag());
    Generation block;
    const int loopsAround = std::exchange(m_loopDepth, 0);
    auto body = parseBody({ "endgeneration" });
    m_loopDepth = loopsAround;
    if (!body)
        return body.error();
    block.body = std::move(*body);
    take();
    return StatementNode(std::move(block));
}

Result<StatementNode> Parser::parseLoopControl()
{
    if (m_loopDepth == 0)
        return error("'" + current().text + "' outside of a for tag");
    if (take().text == "break")
        return StatementNode(Break {});
    return StatementNode(Continue {});
}

Result<Target> Parser::parseTarget()
{
    TRY_ASSIGN(Target first, parseTargetPart());
    if (!current().isOperator(","))
        return first;
    Target tuple;
    tuple.parts.push_back(std::move(first));
    while (skipOperator(",")) {
        if (current().kind == TokenKind::BlockEnd || current().isName("in")
            || current().isOperator("=") || current().isOperator(")"))
            break;
        TRY_ASSIGN(Target part, parseTargetPart());
        tuple.parts.push_back(std::move(part));
    }
    return tuple;
}

Result<Target> Parser::parseTargetPart()
{
    if (current().isOperator("(")) {
        const Nesting nesting(m_expressionDepth);
        if (m_expressionDepth > kMaxParseDepth)
            return error("parentheses nested deeper than " + std::to_string(kMaxParseDepth));
        take();
        TRY_ASSIGN(Target inner, parseTarget());
        TRY(expectOperator(")"));
        return inner;
    }
    Target target;
    TRY_ASSIGN(target.name, expectName());
    for (const char* constant : { "true", "false", "none", "True", "False", "None" })
        if (target.name == constant)
            return error("cannot assign to '" + target.name + "'");
    if (skipOperator(".")) {
        TRY_ASSIGN(target.attribute, expectName());
    }
    return target;
}

} // namespace engine::jinja
