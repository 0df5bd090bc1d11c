#include "app/storage/chat_search.h"

#include "app/storage/search_excerpt.h"
#include "app/storage/search_index.h"

#include <algorithm>

namespace app {

/// Where a hit may be, newest first.
struct ChatSearch::Place {
    ConversationId conversation = 0;
    QString title;
    MessageId message = 0;
    bool isDocument = false;
    QDateTime at;
};

namespace {
    constexpr const char* kMessageSql
        = "SELECT messages.id, messages.conversation, conversations.title, messages.created_at,"
          " messages.role, messages.text_source, runs.id, runs.reason, runs.model, folders.name"
          " FROM messages JOIN conversations ON conversations.id = messages.conversation"
          " LEFT JOIN folders ON folders.id = conversations.folder"
          " LEFT JOIN runs ON runs.id = (SELECT last.id FROM runs AS last"
          " WHERE last.message = messages.id ORDER BY last.part DESC, last.id DESC LIMIT 1)"
          " WHERE conversations.deleted_at IS NULL";
    constexpr const char* kTitleSql
        = "SELECT conversations.id, title, changed_at, name FROM conversations"
          " LEFT JOIN folders ON folders.id = folder WHERE deleted_at IS NULL";

    bool concernsMessages(const SearchQuery& query)
    {
        return !query.states.empty() || !query.reasons.empty() || !query.model.isEmpty();
    }

    bool isWithin(const QDateTime& at, const SearchQuery& query)
    {
        return (!query.before || at < *query.before) && (!query.after || at >= *query.after);
    }

    bool isInFolder(const QString& folder, const SearchQuery& query)
    {
        return query.folder.isEmpty() || folder.compare(query.folder, Qt::CaseInsensitive) == 0;
    }

    // A message as the conditions see it: the last of its runs counts.
    struct Answer {
        bool isOfModel = false;
        bool isEdited = false;
        bool hasRun = false;
        std::optional<engine::StopReason> reason;
        QString model;
    };

    bool hasState(const Answer& answer, const QString& state)
    {
        if (state == u"edited")
            return answer.isOfModel && answer.isEdited;
        if (!answer.hasRun)
            return false;
        if (state == u"writing")
            return !answer.reason;
        const engine::Verdict verdict = answer.reason
            ? engine::stopReasonInfo(*answer.reason).verdict
            : engine::Verdict::Partial;
        return state == QLatin1String(engine::verdictName(verdict));
    }

    bool meets(const Answer& answer, const SearchQuery& query)
    {
        const bool stateFits = query.states.empty()
            || std::any_of(query.states.begin(), query.states.end(),
                [&](const QString& state) { return hasState(answer, state); });
        const bool reasonFits = query.reasons.empty()
            || (answer.reason
                && std::find(query.reasons.begin(), query.reasons.end(), *answer.reason)
                    != query.reasons.end());
        const bool modelFits
            = query.model.isEmpty() || answer.model.contains(query.model, Qt::CaseInsensitive);
        return stateFits && reasonFits && modelFits;
    }

    // Words and phrases as the index wants them: each in quotes, its last word a prefix.
    QString matchExpression(const std::vector<QString>& words)
    {
        QStringList parts;
        for (const QString& word : words) {
            QString text = searchableText(word);
            text.remove(QChar(u'\0'));
            parts << u'"' + text.replace(u'"', u' ') + QStringLiteral("\"*");
        }
        return parts.join(QStringLiteral(" AND "));
    }
}

engine::Result<std::vector<SearchHit>> ChatSearch::find(const SearchQuery& query, int limit)
{
    if (!query.problem.isEmpty())
        return engine::Error::badRequest(query.problem.toStdString());
    TRY(findTitleMatches(query));
    TRY(findDead());
    const bool hasWords = !query.words.empty();
    std::vector<Place> places;
    if (!query.onlyTitles && (hasWords || concernsMessages(query))) {
        TRY_ASSIGN(places, messagePlaces(query, hasWords));
    }
    if (hasWords || query.onlyTitles || !concernsMessages(query)) {
        TRY_ASSIGN(const std::vector<Place> titles, titlePlaces(query));
        places.insert(places.end(), titles.begin(), titles.end());
    }
    std::stable_sort(
        places.begin(), places.end(), [](const Place& a, const Place& b) { return a.at > b.at; });
    std::vector<SearchHit> hits;
    for (const Place& place : places) {
        if (int(hits.size()) >= limit)
            break;
        TRY_ASSIGN(SearchHit hit, hitAt(place, query));
        hits.push_back(std::move(hit));
    }
    return hits;
}

engine::Result<void> ChatSearch::findTitleMatches(const SearchQuery& query)
{
    if (query.words.empty())
        return {};
    return m_database.each("SELECT rowid FROM search WHERE search MATCH ? AND rowid % 4 <> 1",
        { matchExpression(query.words) },
        [this](const QSqlQuery& row) { m_titleMatches.insert(row.value(0).toLongLong()); });
}

engine::Result<void> ChatSearch::findDead()
{
    return m_database.each(
        "WITH RECURSIVE dead(id) AS (SELECT id FROM messages WHERE deleted_at IS NOT NULL"
        " UNION SELECT messages.id FROM messages JOIN dead ON messages.parent = dead.id)"
        " SELECT id FROM dead",
        {}, [this](const QSqlQuery& row) { m_dead.insert(row.value(0).toLongLong()); });
}

engine::Result<std::vector<ChatSearch::Place>> ChatSearch::messagePlaces(
    const SearchQuery& query, bool onlyMatches)
{
    std::vector<Place> places;
    const auto read = [&](const QSqlQuery& row) {
        Place place { row.value(1).toLongLong(), row.value(2).toString(), row.value(0).toLongLong(),
            false, timeIn(row, 3) };
        Answer answer;
        answer.isOfModel = TurnRole(row.value(4).toInt()) == TurnRole::Model;
        answer.isEdited = engine::TokenSource(row.value(5).toInt()) == engine::TokenSource::Edited;
        answer.hasRun = !row.value(6).isNull();
        answer.reason = engine::findStopReason(row.value(7).toString().toStdString());
        answer.model = row.value(8).toString();
        if (m_dead.contains(place.message) || !isWithin(place.at, query)
            || !isInFolder(row.value(9).toString(), query) || !meets(answer, query))
            return;
        places.push_back(std::move(place));
    };
    if (!onlyMatches) {
        TRY(m_database.each(kMessageSql, {}, read));
        return places;
    }
    // As search_index numbers its rows.
    static_assert(int(SearchPlace::Message) == 1);
    const QByteArray matching = QByteArray(kMessageSql)
        + " AND messages.id IN (SELECT rowid / 4 FROM search WHERE search MATCH ? AND rowid % 4 = "
          "1)";
    TRY(m_database.each(matching.constData(), { matchExpression(query.words) }, read));
    return places;
}

engine::Result<std::vector<ChatSearch::Place>> ChatSearch::titlePlaces(const SearchQuery& query)
{
    // A conversation meets what is asked of answers when one of its answers does.
    std::optional<std::set<ConversationId>> meeting;
    if (concernsMessages(query)) {
        SearchQuery ofAnswers = query;
        ofAnswers.before = ofAnswers.after = std::nullopt;
        TRY_ASSIGN(const std::vector<Place> answers, messagePlaces(ofAnswers, false));
        meeting.emplace();
        for (const Place& place : answers)
            meeting->insert(place.conversation);
    }
    const auto matches = [&](ConversationId id, SearchPlace place) {
        return query.words.empty() ? place == SearchPlace::Title
                                   : m_titleMatches.contains(id * 4 + int(place));
    };
    std::vector<Place> places;
    TRY(m_database.each(kTitleSql, {}, [&](const QSqlQuery& row) {
        Place place { row.value(0).toLongLong(), row.value(1).toString(), 0, false,
            timeIn(row, 2) };
        if (!isWithin(place.at, query) || !isInFolder(row.value(3).toString(), query))
            return;
        if (meeting && !meeting->contains(place.conversation))
            return;
        if (matches(place.conversation, SearchPlace::Title))
            places.push_back(place);
        place.isDocument = true;
        if (!query.onlyTitles && matches(place.conversation, SearchPlace::Document))
            places.push_back(place);
    }));
    return places;
}

engine::Result<SearchHit> ChatSearch::hitAt(const Place& place, const SearchQuery& query)
{
    QString text = place.title;
    if (place.message != 0) {
        TRY_ASSIGN(text, messageText(m_database, place.message));
    } else if (place.isDocument) {
        TRY(m_database.each("SELECT document FROM conversations WHERE id = ?",
            { qint64(place.conversation) },
            [&text](const QSqlQuery& row) { text = row.value(0).toString(); }));
    }
    SearchExcerpt excerpt = searchExcerpt(text, query.words);
    return SearchHit { place.conversation, place.title, place.message, excerpt.text, excerpt.marks,
        place.at };
}

} // namespace app
