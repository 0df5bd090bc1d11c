#include "app/storage/run_list.h"

#include "app/storage/run_facts.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace app {

namespace {
    // The facts of a run are apart from its row, where they lie behind texts and records.
    constexpr const char* kRunsSql
        = "WITH RECURSIVE dead(id) AS (SELECT id FROM messages WHERE deleted_at IS NOT NULL"
          " UNION SELECT messages.id FROM messages JOIN dead ON messages.parent = dead.id)"
          " SELECT run, runs.message, messages.conversation, runs.reason, facts FROM run_facts"
          " JOIN runs ON runs.id = run JOIN messages ON messages.id = runs.message"
          " WHERE messages.id NOT IN dead ORDER BY run DESC";

    RunRow runIn(const QSqlQuery& row)
    {
        RunRow run;
        run.id = row.value(0).toLongLong();
        run.message = row.value(1).toLongLong();
        run.conversation = row.value(2).toLongLong();
        run.reason = engine::findStopReason(row.value(3).toString().toStdString());
        readRunFacts(row.value(4).toByteArray(), run);
        return run;
    }
}

engine::Verdict RunRow::verdict() const
{
    return reason ? engine::stopReasonInfo(*reason).verdict : engine::Verdict::Partial;
}

bool RunFilter::accepts(const RunRow& row) const
{
    if (reason && row.reason != reason)
        return false;
    if (verdict && row.verdict() != *verdict)
        return false;
    if (!checkpointFile.isEmpty() && row.checkpointFile != checkpointFile)
        return false;
    if (from.isValid() && (!row.openedAt.isValid() || row.openedAt < from.startOfDay()))
        return false;
    if (to.isValid() && (!row.openedAt.isValid() || row.openedAt >= to.addDays(1).startOfDay()))
        return false;
    return title.isEmpty() || row.title.contains(title, Qt::CaseInsensitive);
}

std::vector<RunCount> countRuns(const std::vector<RunRow>& rows)
{
    std::map<std::tuple<QString, QString, std::optional<engine::StopReason>>, int> counted;
    for (const RunRow& row : rows)
        ++counted[{ row.checkpointFile, row.templateFamily, row.reason }];
    std::vector<RunCount> counts;
    for (const auto& [key, count] : counted)
        counts.push_back({ std::get<2>(key), std::get<0>(key), std::get<1>(key), count });
    std::stable_sort(counts.begin(), counts.end(),
        [](const RunCount& a, const RunCount& b) { return a.count > b.count; });
    return counts;
}

engine::Result<RunList> listRuns(Database& database, const RunFilter& filter)
{
    std::map<ConversationId, QString> titles;
    TRY(database.each("SELECT id, title FROM conversations WHERE deleted_at IS NULL", {},
        [&titles](const QSqlQuery& row) {
            titles[row.value(0).toLongLong()] = row.value(1).toString();
        }));
    RunList list;
    std::set<QString> files;
    TRY(database.each(kRunsSql, {}, [&](const QSqlQuery& row) {
        RunRow run = runIn(row);
        const auto title = titles.find(run.conversation);
        if (title == titles.end())
            return;
        run.title = title->second;
        ++list.storedCount;
        if (!run.checkpointFile.isEmpty())
            files.insert(run.checkpointFile);
        if (filter.accepts(run))
            list.rows.push_back(std::move(run));
    }));
    std::stable_sort(list.rows.begin(), list.rows.end(),
        [](const RunRow& a, const RunRow& b) { return a.openedAt > b.openedAt; });
    list.counts = countRuns(list.rows);
    list.checkpointFiles = QStringList(files.begin(), files.end());
    return list;
}

} // namespace app
