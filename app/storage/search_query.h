#pragma once

#include "app/storage/stored_chat.h"

namespace app {

/// A search in all conversations, as a person types it: words, "a phrase", and
/// is:partial is:writing is:complete is:capped is:stopped is:edited reason:context_full
/// model:smol before:2026-11-30 after:… in:title folder:name. Conditions join with "and", several
/// states or reasons with "or", since an answer has one. Days begin at midnight of local time.
struct SearchQuery {
    std::vector<QString> words; ///< all must occur (prefixes count); phrases keep their blanks
    std::vector<QString> states; ///< "partial", "writing", "complete", ...
    std::vector<engine::StopReason> reasons;
    QString model;
    QString folder;
    std::optional<QDateTime> before; ///< earlier than this day
    std::optional<QDateTime> after; ///< on this day or later
    bool onlyTitles = false;
    /// What could not be understood, in words: "“is:done” is not a state: use partial, …".
    QString problem;

    bool operator==(const SearchQuery&) const = default;
};

SearchQuery readSearchQuery(const QString& typed);

/// A place that was found.
struct SearchHit {
    ConversationId conversation = 0;
    QString title;
    MessageId message = 0; ///< 0: the title or the document matched
    QString excerpt; ///< about 120 characters around the first match
    std::vector<std::pair<int, int>> marks; ///< [start, length) of matches within the excerpt
    QDateTime at;

    bool operator==(const SearchHit&) const = default;
};

} // namespace app
