#include "ui/find/text_matches.h"

#include "app/storage/search_excerpt.h"

namespace ui {

std::vector<TextRange> textMatches(const QString& text, const QString& wanted)
{
    std::vector<TextRange> found;
    if (wanted.isEmpty())
        return found;
    const QString within = app::foldedText(text);
    const QString folded = app::foldedText(wanted);
    for (qsizetype at = within.indexOf(folded); at >= 0;
         at = within.indexOf(folded, at + folded.size()))
        found.push_back({ int(at), int(at + folded.size()) });
    return found;
}

} // namespace ui
