#include "engine/chat/jinja/lexer.h"

#include "engine/chat/jinja/string_literal.h"
#include "engine/chat/jinja/unicode.h"

#include <algorithm>

namespace engine::jinja {

namespace {
    std::string normalizeNewlines(std::string_view source)
    {
        std::string text;
        text.reserve(source.size());
        for (size_t i = 0; i < source.size(); ++i) {
            if (source[i] != '\r') {
                text += source[i];
                continue;
            }
            text += '\n';
            if (i + 1 < source.size() && source[i + 1] == '\n')
                ++i;
        }
        if (!text.empty() && text.back() == '\n')
            text.pop_back();
        return text;
    }

    bool isDigit(char c) { return c >= '0' && c <= '9'; }

    class Lexer {
    public:
        explicit Lexer(std::string_view source)
            : m_source(source)
        {
        }

        Result<std::vector<Token>> run();

    private:
        bool startsWith(std::string_view text) const
        {
            return m_source.substr(m_offset, text.size()) == text;
        }
        bool atEnd() const { return m_offset >= m_source.size(); }
        Error error(const std::string& message) const
        {
            return Error::badTemplate("line " + std::to_string(m_line) + ": " + message);
        }
        void push(TokenKind kind, std::string text)
        {
            m_tokens.push_back({ kind, std::move(text), m_line });
        }
        void advance(size_t bytes);
        void skipSpace();
        void skipAfterTag(char sign, size_t endBytes);
        void pushText(size_t end, char sign, bool stripsLine);
        size_t endOfTagWord(size_t offset, std::string_view word) const;

        Result<void> readTag();
        Result<void> readComment();
        Result<void> readRaw(size_t contentStart);
        Result<void> readExpression(std::string_view closing, TokenKind endKind);
        Result<void> readExpressionToken(std::string& openBrackets);
        void readNumber();
        Result<void> readString();

        std::string_view m_source;
        size_t m_offset = 0;
        int m_line = 1;
        std::vector<Token> m_tokens;
    };

    void Lexer::advance(size_t bytes)
    {
        const auto passed = m_source.substr(m_offset, bytes);
        m_line += int(std::count(passed.begin(), passed.end(), '\n'));
        m_offset += passed.size();
    }

    void Lexer::skipSpace()
    {
        while (!atEnd()) {
            const CodePoint c = codePointAt(m_source, m_offset);
            if (!isSpace(c.value))
                return;
            advance(c.bytes);
        }
    }

    /// Takes the end of a block tag or comment, and the whitespace behind it that goes with it.
    void Lexer::skipAfterTag(char sign, size_t endBytes)
    {
        advance(endBytes);
        if (sign == '-')
            skipSpace();
        else if (sign != '+' && startsWith("\n"))
            advance(1);
    }

    /// Pushes the text up to a tag, without the whitespace that the tag takes.
    void Lexer::pushText(size_t end, char sign, bool stripsLine)
    {
        std::string_view text = m_source.substr(m_offset, end - m_offset);
        if (sign == '-') {
            text = trimSpaceRight(text);
        } else if (sign != '+' && stripsLine) {
            const bool atLineStart = m_offset == 0 || m_source[m_offset - 1] == '\n';
            const size_t newline = text.rfind('\n');
            const size_t lineStart = newline == std::string_view::npos ? 0 : newline + 1;
            if ((lineStart > 0 || atLineStart) && trimSpace(text.substr(lineStart)).empty())
                text = text.substr(0, lineStart);
        }
        if (!text.empty())
            push(TokenKind::Text, std::string(text));
        advance(end - m_offset);
    }

    /// Where `word %}` ends that starts at the offset (blanks before it allowed), up to before its
    /// "%}", "-%}" or "+%}"; npos when something else stands there.
    size_t Lexer::endOfTagWord(size_t offset, std::string_view word) const
    {
        const auto skip = [this](size_t at) {
            while (at < m_source.size() && isSpace(codePointAt(m_source, at).value))
                at += codePointAt(m_source, at).bytes;
            return at;
        };
        offset = skip(offset);
        if (m_source.substr(offset, word.size()) != word)
            return std::string_view::npos;
        offset = skip(offset + word.size());
        const bool signedEnd
            = offset < m_source.size() && (m_source[offset] == '-' || m_source[offset] == '+');
        if (m_source.substr(offset + (signedEnd ? 1 : 0), 2) != "%}")
            return std::string_view::npos;
        return offset;
    }

    Result<std::vector<Token>> Lexer::run()
    {
        while (!atEnd()) {
            size_t tag = m_source.find('{', m_offset);
            while (tag != std::string_view::npos && m_source.substr(tag + 1, 1) != "%"
                && m_source.substr(tag + 1, 1) != "#" && m_source.substr(tag + 1, 1) != "{")
                tag = m_source.find('{', tag + 1);
            if (tag == std::string_view::npos) {
                push(TokenKind::Text, std::string(m_source.substr(m_offset)));
                break;
            }
            const char next = tag + 2 < m_source.size() ? m_source[tag + 2] : ' ';
            const char sign = next == '-' || next == '+' ? next : ' ';
            pushText(tag, sign, m_source[tag + 1] != '{');
            TRY(readTag());
        }
        push(TokenKind::End, "");
        return std::move(m_tokens);
    }

    Result<void> Lexer::readTag()
    {
        const char kind = m_source[m_offset + 1];
        if (kind == '#')
            return readComment();
        const bool hasSign
            = startsWith("{%-") || startsWith("{%+") || startsWith("{{-") || startsWith("{{+");
        const size_t begin = m_offset + (hasSign ? 3 : 2);
        if (kind == '%') {
            const size_t rawEnd = endOfTagWord(begin, "raw");
            if (rawEnd != std::string_view::npos && m_source[rawEnd] != '+')
                return readRaw(rawEnd);
        }
        push(kind == '%' ? TokenKind::BlockBegin : TokenKind::VariableBegin, "");
        advance(begin - m_offset);
        return kind == '%' ? readExpression("%}", TokenKind::BlockEnd)
                           : readExpression("}}", TokenKind::VariableEnd);
    }

    Result<void> Lexer::readComment()
    {
        // The sign of the opening belongs to it: "{#-#}" is a whole comment.
        const size_t begin = m_offset + (startsWith("{#-") || startsWith("{#+") ? 3 : 2);
        const size_t end = m_source.find("#}", begin);
        if (end == std::string_view::npos)
            return error("a comment '{#' without its '#}'");
        const char sign = end > begin ? m_source[end - 1] : ' ';
        advance(end - m_offset);
        skipAfterTag(sign, 2);
        return {};
    }

    Result<void> Lexer::readRaw(size_t rawEnd)
    {
        const int startLine = m_line;
        advance(rawEnd - m_offset);
        const bool stripsSpace = startsWith("-");
        advance(stripsSpace ? 3 : 2);
        if (stripsSpace)
            skipSpace();
        for (size_t tag = m_source.find("{%", m_offset); tag != std::string_view::npos;
             tag = m_source.find("{%", tag + 2)) {
            const char next = tag + 2 < m_source.size() ? m_source[tag + 2] : ' ';
            const char sign = next == '-' || next == '+' ? next : ' ';
            const size_t end = endOfTagWord(tag + (sign == ' ' ? 2 : 3), "endraw");
            if (end == std::string_view::npos)
                continue;
            pushText(tag, sign, true);
            advance(end - m_offset);
            const char endSign = m_source[m_offset];
            skipAfterTag(endSign, endSign == '%' ? 2 : 3);
            return {};
        }
        m_line = startLine;
        return error("'{% raw %}' without its '{% endraw %}'");
    }

    /// Reads the inside of a tag up to its end.
    Result<void> Lexer::readExpression(std::string_view closing, TokenKind endKind)
    {
        const int startLine = m_line;
        std::string openBrackets;
        while (true) {
            skipSpace();
            if (atEnd()) {
                m_line = startLine;
                return error("a tag without its '" + std::string(closing) + "'");
            }
            const bool hasSign = startsWith("-") || (closing == "%}" && startsWith("+"));
            if (openBrackets.empty()
                && m_source.substr(m_offset + (hasSign ? 1 : 0), 2) == closing) {
                push(endKind, "");
                const char sign = hasSign ? m_source[m_offset] : closing == "}}" ? '+' : ' ';
                skipAfterTag(sign, hasSign ? 3 : 2); // "}}" keeps the newline behind it
                return {};
            }
            TRY(readExpressionToken(openBrackets));
        }
    }

    Result<void> Lexer::readExpressionToken(std::string& openBrackets)
    {
        const CodePoint c = codePointAt(m_source, m_offset);
        if (c.value == '\'' || c.value == '"')
            return readString();
        if (c.value >= '0' && c.value <= '9') {
            readNumber();
            return {};
        }
        if (isWord(c.value)) {
            size_t end = m_offset;
            while (end < m_source.size() && isWord(codePointAt(m_source, end).value))
                end += codePointAt(m_source, end).bytes;
            push(TokenKind::Name, std::string(m_source.substr(m_offset, end - m_offset)));
            advance(end - m_offset);
            return {};
        }
        constexpr std::string_view kOperators[]
            = { "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]", "(",
                  ")", "{", "}", ">", "<", "=", ".", ":", "|", ",", ";" };
        for (const std::string_view op : kOperators) {
            if (!startsWith(op))
                continue;
            if (op == "(" || op == "[" || op == "{")
                openBrackets += op == "(" ? ')' : op == "[" ? ']' : '}';
            if (op == ")" || op == "]" || op == "}") {
                if (openBrackets.empty() || openBrackets.back() != op[0])
                    return error("unexpected '" + std::string(op) + "'"
                        + (openBrackets.empty()
                                ? ""
                                : std::string(", expected '") + openBrackets.back() + "'"));
                openBrackets.pop_back();
            }
            push(TokenKind::Operator, std::string(op));
            advance(op.size());
            return {};
        }
        return error(
            "unexpected character '" + std::string(m_source.substr(m_offset, c.bytes)) + "'");
    }

    void Lexer::readNumber()
    {
        size_t end = m_offset;
        const auto at
            = [&](size_t offset) { return offset < m_source.size() ? m_source[offset] : '\0'; };
        const auto skipDigits = [&] {
            while (isDigit(at(end)) || (at(end) == '_' && isDigit(at(end + 1))))
                ++end;
        };
        const char base = at(m_offset) == '0' ? char(at(m_offset + 1) | 0x20) : ' ';
        if (base == 'x' || base == 'o' || base == 'b') {
            end += 2;
            while (
                std::string_view("0123456789abcdefABCDEF_").find(at(end)) != std::string_view::npos
                && at(end))
                ++end;
        } else {
            skipDigits();
        }
        bool fraction = false;
        // After a dot a number is an index: "a.0.1" holds no float.
        const bool afterDot = m_offset > 0 && m_source[m_offset - 1] == '.';
        if (!afterDot && at(end) == '.' && isDigit(at(end + 1))) {
            fraction = true;
            ++end;
            skipDigits();
        }
        const bool signedExponent = at(end + 1) == '+' || at(end + 1) == '-';
        if (!afterDot && base != 'x' && (at(end) | 0x20) == 'e'
            && isDigit(at(end + (signedExponent ? 2 : 1)))) {
            fraction = true;
            end += signedExponent ? 2 : 1;
            skipDigits();
        }
        std::string digits(m_source.substr(m_offset, end - m_offset));
        digits.erase(std::remove(digits.begin(), digits.end(), '_'), digits.end());
        push(fraction ? TokenKind::Float : TokenKind::Integer, std::move(digits));
        advance(end - m_offset);
    }

    Result<void> Lexer::readString()
    {
        const char quote = m_source[m_offset];
        size_t end = m_offset + 1;
        while (end < m_source.size() && m_source[end] != quote)
            end += m_source[end] == '\\' ? 2 : 1;
        if (end >= m_source.size())
            return error("a string without its closing quote");
        auto characters = unescapeLiteral(m_source.substr(m_offset + 1, end - m_offset - 1));
        if (!characters)
            return error(characters.error().message);
        push(TokenKind::String, std::move(*characters));
        advance(end + 1 - m_offset);
        return {};
    }
}

std::string describeToken(const Token& token)
{
    switch (token.kind) {
    case TokenKind::Text:
        return "text";
    case TokenKind::VariableBegin:
        return "'{{'";
    case TokenKind::VariableEnd:
        return "'}}'";
    case TokenKind::BlockBegin:
        return "'{%'";
    case TokenKind::BlockEnd:
        return "'%}'";
    case TokenKind::String:
        return "a string";
    case TokenKind::End:
        return "the end of the template";
    default:
        return "'" + token.text + "'";
    }
}

Result<std::vector<Token>> tokenize(std::string_view source)
{
    const std::string normalized = normalizeNewlines(source);
    return Lexer(normalized).run();
}

} // namespace engine::jinja
