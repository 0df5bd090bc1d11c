#include "app/storage/run_facts.h"

#include <nlohmann/json.hpp>

using nlohmann::json;

namespace app {

namespace {
    const json& member(const json& object, const char* key)
    {
        static const json kNull;
        if (!object.is_object())
            return kNull;
        const auto found = object.find(key);
        return found == object.end() ? kNull : *found;
    }

    json textOf(const json& value) { return value.is_string() ? value : json(); }
    json numberOf(const json& value) { return value.is_number_integer() ? value : json(); }

    json timeOf(const json& value)
    {
        if (!value.is_string())
            return {};
        const QDateTime time = QDateTime::fromString(
            QString::fromStdString(value.get<std::string>()), Qt::ISODateWithMs);
        return time.isValid() ? json(time.toMSecsSinceEpoch()) : json();
    }

    QString wordsIn(const json& facts, size_t index)
    {
        return facts[index].is_string() ? QString::fromStdString(facts[index].get<std::string>())
                                        : QString();
    }

    std::optional<int> countIn(const json& facts, size_t index)
    {
        return facts[index].is_number_integer() ? std::optional(facts[index].get<int>())
                                                : std::nullopt;
    }

    enum Fact : size_t { OpenedAt, ModelName, File, Family, Tokens, Cap, StartedBy, FactCount };
}

engine::Result<void> noteRunFacts(Database& database, StoredRunId run)
{
    bool isThere = false;
    std::string record;
    json tokenCount;
    json createdAt; // for records that do not tell when they were opened
    TRY(database.each("SELECT record, reason IS NULL, token_count, created_at FROM runs"
                      " JOIN messages ON messages.id = runs.message WHERE runs.id = ?",
        { qint64(run) }, [&](const QSqlQuery& row) {
            isThere = true;
            record = bytesIn(row, 0);
            if (!row.value(1).toBool())
                tokenCount = row.value(2).toInt();
            if (!row.value(3).isNull())
                createdAt = row.value(3).toLongLong();
        }));
    if (!isThere)
        return {};
    const json facts = json::parse(record, nullptr, false);
    const json& checkpoint = member(facts, "checkpoint");
    const json openedAt = timeOf(member(facts, "opened_at"));
    const json kept = json::array({ openedAt.is_null() ? createdAt : openedAt,
        textOf(member(checkpoint, "name")), textOf(member(checkpoint, "file_name")),
        textOf(member(member(facts, "template"), "family")), tokenCount,
        numberOf(member(member(facts, "caps"), "length")), textOf(member(facts, "started_by")) });
    return database.run("INSERT OR REPLACE INTO run_facts (run, facts) VALUES (?, ?)",
        { qint64(run), sqlBytes(kept.dump(-1, ' ', false, json::error_handler_t::replace)) });
}

void readRunFacts(const QByteArray& bytes, RunRow& row)
{
    const json facts = json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!facts.is_array() || facts.size() != FactCount)
        return;
    if (facts[OpenedAt].is_number_integer())
        row.openedAt = QDateTime::fromMSecsSinceEpoch(facts[OpenedAt].get<qint64>()).toUTC();
    row.modelName = wordsIn(facts, ModelName);
    row.checkpointFile = wordsIn(facts, File);
    row.templateFamily = wordsIn(facts, Family);
    row.tokenCount = countIn(facts, Tokens);
    row.lengthCap = countIn(facts, Cap);
    row.startedBy = wordsIn(facts, StartedBy);
}

engine::Result<void> noteAllRunFacts(Database& database)
{
    std::vector<StoredRunId> runs;
    TRY(database.each("SELECT id FROM runs", {},
        [&runs](const QSqlQuery& row) { runs.push_back(row.value(0).toLongLong()); }));
    for (const StoredRunId run : runs)
        TRY(noteRunFacts(database, run));
    return {};
}

} // namespace app
