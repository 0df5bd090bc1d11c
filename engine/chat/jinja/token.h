#pragma once

#include <string>

namespace engine::jinja {

enum class TokenKind {
    Text,
    VariableBegin,
    VariableEnd,
    BlockBegin,
    BlockEnd,
    Name,
    String,
    Integer,
    Float,
    Operator,
    End
};

/// One piece of a template's source.
struct Token {
    TokenKind kind = TokenKind::End;
    std::string text; ///< as written; of a String the characters it stands for
    int line = 1;

    bool isName(const char* name) const { return kind == TokenKind::Name && text == name; }
    bool isOperator(const char* op) const { return kind == TokenKind::Operator && text == op; }
};

/// The token in words, for messages ("'endfor'", "end of the template").
std::string describeToken(const Token& token);

} // namespace engine::jinja
