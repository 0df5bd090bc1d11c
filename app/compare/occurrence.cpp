#include "app/compare/occurrence.h"

#include "app/text/blanks.h"

#include <QStringList>

namespace app {

namespace {
    bool isOfWord(QChar sign) { return sign.isLetterOrNumber() || sign.isMark(); }

    bool isDigit(const QString& text, qsizetype at) { return at >= 0 && at < text.size() && text[at].isDigit(); }

    /// Whether a comma between digits is of a number, "9,5" or "10,000", and does not part a list, "8,9,10".
    bool isInNumber(const QString& text, qsizetype comma)
    {
        qsizetype start = comma;
        qsizetype end = comma + 1;
        const auto isOfRun = [&](qsizetype at) {
            return isDigit(text, at) || (at >= 0 && at < text.size() && text[at] == QLatin1Char(','));
        };
        while (isOfRun(start - 1))
            --start;
        while (isOfRun(end))
            ++end;
        const auto isColon = [&](qsizetype at) { return at >= 0 && at < text.size() && text[at] == QLatin1Char(':'); };
        if (isColon(start - 1) || isColon(end)) // times
            return false;
        const QStringList groups = text.mid(start, end - start).split(QLatin1Char(','));
        if (groups.size() == 2)
            return true;
        for (qsizetype i = 1; i < groups.size(); ++i)
            if (groups[i].size() != 3)
                return false;
        return true;
    }

    /// Whether the word or number that ends (step 1) or begins (-1) at last goes on beyond.
    bool goesOn(const QString& text, qsizetype last, int step)
    {
        const qsizetype next = last + step;
        if (next < 0 || next >= text.size() || !isOfWord(text[last]))
            return false;
        if (isOfWord(text[next]))
            return !isWrittenWithoutBlanks(text[last].unicode()) && !isWrittenWithoutBlanks(text[next].unicode());
        if (!isDigit(text, last) || !isDigit(text, next + step))
            return false;
        return text[next] == QLatin1Char(':') || text[next] == QLatin1Char('.')
            || (text[next] == QLatin1Char(',') && isInNumber(text, next));
    }
}

QString folded(const std::string& utf8)
{
    return QString::fromStdString(utf8).normalized(QString::NormalizationForm_C).simplified().toCaseFolded();
}

bool occursAsWords(const QString& value, const QString& text)
{
    if (value.isEmpty())
        return false;
    for (qsizetype at = text.indexOf(value); at >= 0; at = text.indexOf(value, at + 1))
        if (!goesOn(text, at, -1) && !goesOn(text, at + value.size() - 1, 1))
            return true;
    return false;
}

} // namespace app
