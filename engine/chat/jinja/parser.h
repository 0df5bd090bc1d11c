#pragma once

#include "engine/base/result.h"
#include "engine/chat/jinja/nesting.h"
#include "engine/chat/jinja/syntax.h"
#include "engine/chat/jinja/token.h"

#include <algorithm>
#include <string_view>
#include <vector>

namespace engine::jinja {

/// Parses a template. Filters and tests are looked up here, so an unknown one is an error even in a
/// branch that is never taken. Errors: BadTemplate "line 3: unknown filter 'x'".
Result<Statements> parseTemplate(std::string_view source);

/// Recursive descent over the tokens of one template.
/// Source: the grammar of Jinja 3.1 with the loop-controls extension and transformers' generation
/// tag.
class Parser {
public:
    explicit Parser(std::vector<Token> tokens)
        : m_tokens(std::move(tokens))
    {
    }

    Result<Statements> parse();

private:
    enum class InlineIf { Allowed, No };

    // tokens
    const Token& current() const { return m_tokens[m_next]; }
    const Token& following() const { return m_tokens[std::min(m_next + 1, m_tokens.size() - 1)]; }
    Token take();
    bool skipName(const char* name);
    bool skipOperator(const char* op);
    Result<void> expectOperator(const char* op);
    Result<std::string> expectName();
    Error error(const std::string& message) const { return errorAt(current().line, message); }
    static Error errorAt(int line, const std::string& message);

    // statements (parser_statements.cpp)
    Result<Statements> parseBody(std::initializer_list<const char*> endTags);
    Result<Statement> parseTag();
    Result<void> endTag();
    Result<StatementNode> parseFor();
    Result<StatementNode> parseIf();
    Result<StatementNode> parseSet();
    Result<StatementNode> parseMacro();
    Result<StatementNode> parseCallBlock();
    Result<StatementNode> parseFilterBlock();
    Result<StatementNode> parseWith();
    Result<StatementNode> parseGeneration();
    Result<StatementNode> parseLoopControl();
    Result<void> parseSignature(MacroDefinition& macro);
    Result<void> parseMacroBody(MacroDefinition& macro, const char* endTagName);
    Result<Target> parseTarget();
    Result<Target> parseTargetPart();

    // expressions (parser_expressions.cpp)
    Result<ExpressionPtr> parseExpression(InlineIf inlineIf = InlineIf::Allowed);
    Result<ExpressionPtr> parseTuple(
        InlineIf inlineIf = InlineIf::Allowed, bool emptyAllowed = false);
    Result<ExpressionPtr> parseLogic(bool isAnd);
    Result<ExpressionPtr> parseNot();
    Result<ExpressionPtr> parseComparison();
    Result<ExpressionPtr> parseArithmetic(int level);
    Result<ExpressionPtr> parseConcatenation();
    Result<ExpressionPtr> parseUnary(bool withFilters = true);
    Result<ExpressionPtr> parsePrimary();
    Result<ExpressionPtr> parseNumber();
    Result<ExpressionPtr> parseListLiteral();
    Result<ExpressionPtr> parseDictLiteral();
    Result<ExpressionPtr> make(int line, ExpressionNode node);
    void noteName(const std::string& name);

    // what follows a value (parser_postfix.cpp)
    Result<ExpressionPtr> parsePostfix(ExpressionPtr base);
    Result<ExpressionPtr> parseFilters(ExpressionPtr base);
    Result<ExpressionPtr> parseAttribute(ExpressionPtr base);
    Result<ExpressionPtr> parseSubscript(ExpressionPtr base);
    Result<ExpressionPtr> parseCall(ExpressionPtr callee);
    Result<ExpressionPtr> parseFilter(ExpressionPtr subject);
    Result<ExpressionPtr> parseTest(ExpressionPtr subject);
    Result<CallArguments> parseArguments();

    std::vector<Token> m_tokens;
    size_t m_next = 0;
    int m_statementDepth = 0;
    int m_expressionDepth = 0;
    int m_loopDepth = 0;
    std::vector<MacroDefinition*> m_openMacros; ///< the macros around the current token
};

} // namespace engine::jinja
