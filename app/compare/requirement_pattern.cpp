#include "app/compare/requirement_pattern.h"

#include <QRegularExpression>

namespace app {

namespace {
    constexpr size_t kMostMatches = 1000;
    /// About 30 ms; PCRE gives up beyond.
    constexpr const char* kLimit = "(*LIMIT_MATCH=200000)";

    QRegularExpression compiled(const std::string& pattern)
    {
        return QRegularExpression(QLatin1String(kLimit) + QString::fromStdString(pattern),
            QRegularExpression::CaseInsensitiveOption
                | QRegularExpression::UseUnicodePropertiesOption);
    }
}

std::string patternFault(const std::string& pattern)
{
    const QRegularExpression expression = compiled(pattern);
    return expression.isValid() ? std::string() : expression.errorString().toStdString();
}

std::optional<std::vector<PatternMatch>> matchesOf(
    const std::string& pattern, const std::string& utf8)
{
    const QString text = QString::fromStdString(utf8);
    const QRegularExpression expression = compiled(pattern);
    std::vector<PatternMatch> found;
    qsizetype from = 0;
    qsizetype countedTo = 0; // characters before it are countedBytes
    size_t countedBytes = 0;
    const auto bytesBefore = [&](qsizetype character) {
        countedBytes += size_t(QStringView(text).mid(countedTo, character - countedTo).toUtf8().size());
        countedTo = character;
        return countedBytes;
    };
    while (found.size() < kMostMatches && from <= text.size()) {
        const QRegularExpressionMatch match = expression.match(text, from);
        if (!match.isValid())
            return std::nullopt;
        if (!match.hasMatch())
            break;
        const size_t start = bytesBefore(match.capturedStart());
        const size_t end = bytesBefore(match.capturedEnd());
        const int group = match.lastCapturedIndex() >= 1 && match.capturedStart(1) >= 0 ? 1 : 0;
        found.push_back({ match.captured(group).toStdString(), start, end });
        from = std::max(match.capturedEnd(), from + (match.capturedLength() == 0 ? 1 : 0));
    }
    return found;
}

} // namespace app
