#pragma once

#include <QString>

#include <utility>
#include <vector>

namespace app {

/// About 120 characters of a text around the first place where one of the words occurs, in one
/// line, and where the words are in it. Case and accents do not matter. Pure.
struct SearchExcerpt {
    QString text;
    std::vector<std::pair<int, int>> marks; ///< [start, length), in order, not overlapping
};
SearchExcerpt searchExcerpt(const QString& text, const std::vector<QString>& words);

/// Letter by letter without case and accents: as long as the text itself.
QString foldedText(const QString& text);

} // namespace app
