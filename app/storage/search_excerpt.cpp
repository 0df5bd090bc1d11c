#include "app/storage/search_excerpt.h"

#include <algorithm>

namespace app {

namespace {
    constexpr qsizetype kExcerptLength = 120;
    constexpr qsizetype kBeforeMatch = 30;

    QChar folded(QChar sign)
    {
        if (sign.isSurrogate())
            return sign;
        if (sign.decompositionTag() == QChar::Canonical) {
            const QChar base = sign.decomposition().at(0);
            if (!base.isSurrogate())
                return base.toCaseFolded();
        }
        return sign.toCaseFolded();
    }

    // A match begins where a word begins, as it does in the index; in scripts that are written
    // without blanks it may begin anywhere.
    bool beginsWord(const QString& text, qsizetype position)
    {
        if (position == 0 || !text[position - 1].isLetterOrNumber())
            return true;
        return text[position].script() == QChar::Script_Han
            || text[position].script() != text[position - 1].script();
    }

    qsizetype findWord(const QString& text, const QString& word, qsizetype from)
    {
        qsizetype found = text.indexOf(word, from);
        while (found >= 0 && !beginsWord(text, found))
            found = text.indexOf(word, found + 1);
        return found;
    }

    // Not inside a surrogate pair.
    qsizetype wholeSign(const QString& text, qsizetype position)
    {
        const bool isInside = position > 0 && position < text.size()
            && text[position].isLowSurrogate() && text[position - 1].isHighSurrogate();
        return isInside ? position - 1 : position;
    }

    // Blanks in place of line ends, so that the length stays.
    QString inOneLine(QString text)
    {
        for (QChar& sign : text)
            if (sign.isSpace() || sign.category() == QChar::Other_Control)
                sign = u' ';
        return text;
    }
}

QString foldedText(const QString& text)
{
    QString result = text;
    for (QChar& sign : result)
        sign = folded(sign);
    return result;
}

SearchExcerpt searchExcerpt(const QString& text, const std::vector<QString>& words)
{
    const QString inFolded = foldedText(text);
    std::vector<QString> foldedWords;
    qsizetype first = -1;
    for (const QString& word : words) {
        foldedWords.push_back(foldedText(word.trimmed()));
        if (foldedWords.back().isEmpty())
            continue;
        const qsizetype found = findWord(inFolded, foldedWords.back(), 0);
        if (found >= 0 && (first < 0 || found < first))
            first = found;
    }
    const qsizetype start = wholeSign(text, std::max<qsizetype>(0, first - kBeforeMatch));
    const qsizetype end = wholeSign(text, std::min(start + kExcerptLength, text.size()));

    SearchExcerpt excerpt;
    excerpt.text = inOneLine(text.mid(start, end - start));
    const QString window = inFolded.mid(start, end - start);
    for (const QString& word : foldedWords) {
        if (word.isEmpty())
            continue;
        for (qsizetype at = findWord(window, word, 0); at >= 0;
             at = findWord(window, word, at + word.size()))
            excerpt.marks.push_back({ int(at), int(word.size()) });
    }
    std::sort(excerpt.marks.begin(), excerpt.marks.end());
    int free = 0;
    std::erase_if(excerpt.marks, [&free](const std::pair<int, int>& mark) {
        const bool overlaps = mark.first < free;
        free = std::max(free, mark.first + mark.second);
        return overlaps;
    });
    if (start > 0) {
        excerpt.text.prepend(u'…');
        for (auto& mark : excerpt.marks)
            ++mark.first;
    }
    if (end < text.size())
        excerpt.text += u'…';
    return excerpt;
}

} // namespace app
