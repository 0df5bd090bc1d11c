#include "app/storage/record_rows.h"

#include "app/runs/pass_list.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"
#include "app/storage/chat_reader.h"

using nlohmann::ordered_json;

namespace app {

ordered_json wholeRecord(const StoredRun& run, const StoredRunDetails& details)
{
    ordered_json record = ordered_json::parse(run.record, nullptr, false);
    if (!record.is_object())
        record = { { "schema", RunRecord::kSchema } };
    ordered_json prompt { { "text", details.promptText }, { "token_ids", details.promptIds },
        { "draft_token_count", nullptr } };
    if (const auto kept = record.find("prompt"); kept != record.end() && kept->is_object())
        prompt["draft_token_count"] = kept->value("draft_token_count", ordered_json());
    // In the order of a record that was never apart: fields stay where they are, tokens come back
    // before the count of those that were not sampled.
    ordered_json tokens = ordered_json::array();
    for (const engine::TokenRecord& token : details.tokens)
        tokens.push_back(toJson(token));
    ordered_json whole = ordered_json::object();
    for (const auto& [key, value] : record.items()) {
        if (key == "not_sampled_count")
            whole["tokens"] = nullptr;
        whole[key] = value;
    }
    whole["prompt"] = std::move(prompt);
    whole["tokens"] = std::move(tokens);
    whole["text"] = run.text;
    if (const auto passes = whole.find("passes"); passes != whole.end() && passes->is_object()) {
        const std::vector<engine::RunPass> list = readPasses(*passes);
        if (passes->erase("packed") > 0)
            writePassList(list, *passes);
    }
    return whole;
}

engine::Result<ordered_json> readRecordRows(Database& database, StoredRunId id)
{
    TRY_ASSIGN(const StoredRunDetails details, ChatReader(database).readRun(id));
    StoredRun run;
    bool isUnderWay = false;
    TRY(database.each("SELECT text, record, reason IS NULL FROM runs WHERE id = ?", { qint64(id) },
        [&](const QSqlQuery& row) {
            run.text = bytesIn(row, 0);
            run.record = bytesIn(row, 1);
            isUnderWay = row.value(2).toBool();
        }));
    if (isUnderWay)
        TRY(database.each("SELECT text FROM run_chunks WHERE run = ? ORDER BY id", { qint64(id) },
            [&run](const QSqlQuery& row) { run.text += bytesIn(row, 0); }));
    return wholeRecord(run, details);
}

} // namespace app
