#include "app/runs/planned_record.h"

#include "app/runs/run_worksheet.h"

using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr const char* kObserved[] { "opened_at", "started_by", "tokens", "not_sampled_count",
        "pause_count", "text" };
    constexpr size_t kMostShown = 40;

    bool isOfModel(const WorksheetSection& section)
    {
        return section.title == "Checkpoint" || section.title == "Tokenizer";
    }

    std::string change(const std::string& name, const std::string& before, const std::string& after)
    {
        if (before.size() > kMostShown || after.size() > kMostShown)
            return name;
        return name + " (" + (before.empty() ? "none" : before) + " → "
            + (after.empty() ? "none" : after) + ")";
    }

    /// One line for each section of the model and of the prompt, one for each setting.
    std::vector<std::string> changedRows(const RunWorksheet& sheet)
    {
        std::vector<std::string> lines;
        for (const WorksheetSection& section : sheet.sections) {
            for (const WorksheetRow& row : section.rows) {
                if (row.values[0] == row.values[1])
                    continue;
                const bool isWhole = isOfModel(section) || section.title == "Formatted prompt";
                lines.push_back(isWhole && row.name != "File" ? section.title
                                                              : change(row.name, row.values[0], row.values[1]));
                if (isWhole)
                    break; // the rest of it follows
            }
        }
        return lines;
    }
}

ordered_json plannedRecord(const RunRecord& ahead)
{
    ordered_json planned = ahead.json();
    for (const char* key : kObserved)
        planned[key] = nullptr;
    planned["tokens"] = ordered_json::array();
    return planned;
}

std::vector<std::string> planDifferences(const ordered_json& planned, const ordered_json& now)
{
    ordered_json before = planned;
    ordered_json after = now;
    for (const char* key : kObserved)
        before[key] = after[key] = nullptr;
    // A hash that was not known yet makes no other file.
    if (before["checkpoint"].is_object() && before["checkpoint"]["sha256"].is_null())
        after["checkpoint"]["sha256"] = nullptr;
    std::vector<std::string> lines = changedRows(RunWorksheet::of({ before, after }));
    if (!lines.empty() || before == after)
        return lines;
    for (const auto& [key, value] : before.items())
        if (!after.contains(key) || after[key] != value)
            lines.push_back(key);
    return lines.empty() ? std::vector<std::string> { "its record" } : lines;
}

} // namespace app
