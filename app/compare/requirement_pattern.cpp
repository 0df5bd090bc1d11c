#include "app/compare/requirement_pattern.h"

#include <QRegularExpression>

#include <algorithm>

namespace app {

namespace {
    constexpr size_t kMostBytes = 256 * 1024;
    /// What PCRE may try in one text, all places together; its own limit is for each place a match can begin at.
    constexpr size_t kMostTries = 20'000'000;
    constexpr size_t kMostTriesAtPlace = 200'000; // about 30 ms
    constexpr size_t kLeastTriesAtPlace = 300;

    QRegularExpression compiled(
        const std::string& pattern, size_t textBytes, QRegularExpression::PatternOptions options)
    {
        const size_t limit
            = std::clamp(kMostTries / std::max<size_t>(textBytes, 1), kLeastTriesAtPlace, kMostTriesAtPlace);
        return QRegularExpression(
            QStringLiteral("(*LIMIT_MATCH=%1)").arg(limit) + QString::fromStdString(pattern), options);
    }

    constexpr QRegularExpression::PatternOptions kAnyCase
        = QRegularExpression::CaseInsensitiveOption | QRegularExpression::UseUnicodePropertiesOption;
}

std::string patternFault(const std::string& pattern)
{
    // Such would also lift the limit.
    if (pattern.starts_with("(*"))
        return "it begins with “(*”, which changes how patterns are read";
    const QRegularExpression expression = compiled(pattern, 0, kAnyCase);
    return expression.isValid() ? std::string() : expression.errorString().toStdString();
}

std::optional<std::vector<PatternMatch>> matchesOf(
    const std::string& pattern, const std::string& utf8, bool mayGoOn)
{
    if (utf8.size() > kMostBytes)
        return std::nullopt;
    const QString text = QString::fromStdString(utf8);
    const QRegularExpression expression = compiled(pattern, utf8.size(), kAnyCase);
    std::vector<PatternMatch> found;
    qsizetype from = 0;
    qsizetype countedTo = 0; // characters before it are countedBytes
    size_t countedBytes = 0;
    const auto bytesBefore = [&](qsizetype character) {
        countedBytes += size_t(QStringView(text).mid(countedTo, character - countedTo).toUtf8().size());
        countedTo = character;
        return countedBytes;
    };
    bool isSettled = true;
    while (found.size() < kMostMatches && from <= text.size()) {
        QRegularExpressionMatch match;
        if (mayGoOn && isSettled) {
            // Says so where it has looked at the end of the text on its way, be it for a border of words.
            match = expression.match(text, from, QRegularExpression::PartialPreferFirstMatch);
            isSettled = match.isValid() && !match.hasPartialMatch();
        }
        if (!mayGoOn || !isSettled)
            match = expression.match(text, from);
        if (!match.isValid())
            return std::nullopt;
        if (!match.hasMatch())
            break;
        const size_t start = bytesBefore(match.capturedStart());
        const size_t end = bytesBefore(match.capturedEnd());
        const int group = match.lastCapturedIndex() >= 1 && match.capturedStart(1) >= 0 ? 1 : 0;
        found.push_back({ match.captured(group).toStdString(), start, end,
            !mayGoOn || (isSettled && match.capturedEnd() < text.size()) });
        from = match.capturedEnd();
        if (match.capturedLength() == 0) // on by one character, which may be two units
            from += from < text.size() && text[from].isHighSurrogate() ? 2 : 1;
    }
    return found;
}

std::optional<bool> holdsIn(const std::string& pattern, const std::string& text)
{
    if (text.size() > kMostBytes)
        return std::nullopt;
    const QRegularExpressionMatch match
        = compiled(pattern, text.size(), QRegularExpression::NoPatternOption).match(QString::fromStdString(text));
    return match.isValid() ? std::optional(match.hasMatch()) : std::nullopt;
}

} // namespace app
