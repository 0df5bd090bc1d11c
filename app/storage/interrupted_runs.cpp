#include "app/storage/interrupted_runs.h"

#include "app/runs/run_json.h"
#include "app/storage/run_facts.h"
#include "app/storage/search_index.h"
#include "engine/session/stop_reason.h"

namespace app {

namespace {
    const engine::StopReasonInfo& interrupted()
    {
        return engine::stopReasonInfo(engine::StopReason::Interrupted);
    }

    engine::Result<void> closeRun(Database& database, qint64 run)
    {
        std::string text;
        qint64 tokenCount = 0;
        TRY(database.each("SELECT text, first_index, length(ids) / 4 FROM run_chunks WHERE run = ?"
                          " ORDER BY id",
            { run }, [&](const QSqlQuery& row) {
                text += bytesIn(row, 0);
                tokenCount = row.value(1).toLongLong() + row.value(2).toLongLong();
            }));
        std::string record;
        TRY(database.each("SELECT record FROM runs WHERE id = ?", { run },
            [&](const QSqlQuery& row) { record = bytesIn(row, 0); }));
        TRY(database.run(
            "UPDATE runs SET reason = ?, text = ?, token_count = ?, record = ? WHERE id = ?",
            { QString::fromLatin1(interrupted().name), sqlBytes(text), tokenCount,
                sqlBytes(interruptedRecord(record, text)), run }));
        TRY(noteRunFacts(database, run));
        return indexMessageOfRun(database, run);
    }
}

engine::Result<int> closeInterruptedRuns(Database& database)
{
    std::vector<qint64> runs;
    TRY(database.each("SELECT id FROM runs WHERE reason IS NULL", {},
        [&runs](const QSqlQuery& row) { runs.push_back(row.value(0).toLongLong()); }));
    if (runs.empty())
        return 0;
    const engine::Result<void> written
        = database.inTransaction(true, [&]() -> engine::Result<void> {
              for (const qint64 run : runs)
                  TRY(closeRun(database, run));
              return {};
          });
    if (!written)
        return written.error();
    return int(runs.size());
}

std::string interruptedRecord(const std::string& record, const std::string& text)
{
    auto json = nlohmann::ordered_json::parse(record, nullptr, false);
    if (!json.is_object())
        return record;
    if (json.contains("text"))
        json["text"] = text;
    json["stop"] = { { "reason", interrupted().name },
        { "verdict", engine::verdictName(interrupted().verdict) },
        { "words", interrupted().words } };
    return dumped(json);
}

} // namespace app
