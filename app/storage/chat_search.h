#pragma once

#include "app/storage/database.h"
#include "app/storage/search_query.h"

#include <set>

namespace app {

/// Finds titles, documents and messages. Words through the full-text index, everything else row by
/// row. An answer that is being written is found by its state, and by its words once it has ended.
/// Storage thread.
class ChatSearch {
public:
    explicit ChatSearch(Database& database)
        : m_database(database)
    {
    }

    engine::Result<std::vector<SearchHit>> find(const SearchQuery& query, int limit);

private:
    struct Place;
    engine::Result<void> findTitleMatches(const SearchQuery& query);
    engine::Result<void> findDead();
    engine::Result<std::vector<Place>> messagePlaces(const SearchQuery& query, bool onlyMatches);
    engine::Result<std::vector<Place>> titlePlaces(const SearchQuery& query);
    engine::Result<SearchHit> hitAt(const Place& place, const SearchQuery& query);

    Database& m_database;
    std::set<int64_t> m_titleMatches; ///< rows of the index, titles and documents
    std::set<MessageId> m_dead; ///< deleted, or below a deleted one
};

} // namespace app
