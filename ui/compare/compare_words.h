#pragma once

#include "app/conversation/run_grid.h"

#include <QString>

#include <vector>

namespace ui {

/// A run as it is compared: an answer, or why there is none.
struct ComparedAnswer {
    QString label; ///< what is particular to it
    const app::Answer* answer = nullptr; ///< null: it could not begin, or is gone
    std::optional<app::Problem> problem;
    QString state {}; ///< in words, while there is no answer
    bool isToCome = false; ///< it may still begin
};

/// "A", "B", ...: how a column is called.
QString columnName(size_t column);
/// "4 runs · 2 length cap · 1 end token · 1 under way": how often each stop reason.
QString countWords(const std::vector<ComparedAnswer>& answers);
/// "8 to 64 tokens" of what has been written; "" when nothing was begun.
QString lengthWords(const std::vector<ComparedAnswer>& answers);
/// "checks passed 2 of 4": of how many runs everything that is asked is met; "" when nothing is asked.
QString passedWords(const std::vector<ComparedAnswer>& answers);
/// One line for each run after a line of headings, for a spreadsheet. Tabs and line ends of a text
/// are written as \t and \n. Numbers without an observation stay empty.
QString comparedTable(const std::vector<ComparedAnswer>& answers);

/// How many characters both texts begin with; a surrogate pair is not split.
qsizetype commonLength(const QString& a, const QString& b);

} // namespace ui
