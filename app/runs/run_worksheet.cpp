#include "app/runs/run_worksheet.h"

#include "app/runs/run_json.h"

#include <functional>

using nlohmann::ordered_json;

namespace app {

namespace {
    const ordered_json kNull;
    constexpr const char* kPlannedNote = "A planned run: nobody has started it. What only a run can observe is blank.";

    /// A member by its path: "times.ended_ms".
    const ordered_json& at(const ordered_json& record, std::string_view path)
    {
        const size_t dot = path.find('.');
        if (!record.is_object())
            return kNull;
        const auto found = record.find(std::string(path.substr(0, dot)));
        if (found == record.end())
            return kNull;
        return dot == path.npos ? *found : at(*found, path.substr(dot + 1));
    }

    /// "" for null; texts as they are; lists of texts with commas.
    std::string words(const ordered_json& value)
    {
        if (value.is_null())
            return {};
        if (value.is_string())
            return value.get<std::string>();
        if (value.is_boolean())
            return value.get<bool>() ? "yes" : "no";
        if (!value.is_array())
            return dumped(value);
        std::string list;
        for (const ordered_json& entry : value)
            list += (list.empty() ? "" : ", ") + (entry.is_string() ? "“" + words(entry) + "”" : words(entry));
        return list.empty() ? "none" : list;
    }

    /// "1.234 s"; "" where it was not observed.
    std::string secondsOf(const ordered_json& ms)
    {
        if (!ms.is_number())
            return {};
        char text[32];
        std::snprintf(text, sizeof text, "%.3f s", ms.get<double>() / 1000);
        return text;
    }

    /// A response with more answers than the one that was imported: its completion tokens are those of all.
    bool hasSeveralAnswers(const ordered_json& record)
    {
        const ordered_json& count = at(record, "imported.choice_count");
        return count.is_number_integer() && count.get<int64_t>() > 1;
    }

    /// From the moment the person waited: to paint in a window, to text on a command line.
    std::string firstOutput(const ordered_json& record)
    {
        const ordered_json& painted = at(record, "times.first_paint_ms");
        return secondsOf(painted.is_null() ? at(record, "times.first_text_ms") : painted);
    }

    /// "an OpenAI-style server, answer 1 of 3"
    std::string importedFrom(const ordered_json& record)
    {
        const std::string form = words(at(record, "imported.form"));
        if (!hasSeveralAnswers(record))
            return form;
        return form + ", answer 1 of " + words(at(record, "imported.choice_count"));
    }

    std::string tokenCount(const ordered_json& record)
    {
        // Its program may report how many there were and none of them.
        if (at(record, "imported").is_object())
            return hasSeveralAnswers(record) ? std::string() : words(at(record, "imported.completion_tokens"));
        const ordered_json& tokens = at(record, "tokens");
        if (!tokens.is_array() || (tokens.empty() && at(record, "stop").is_null()))
            return {};
        return std::to_string(tokens.size());
    }

    /// Nobody has started it.
    bool isPlanned(const ordered_json& record)
    {
        return at(record, "started_by").is_null() && at(record, "opened_at").is_null()
            && at(record, "stop").is_null() && at(record, "prompt.text").is_string();
    }

    std::string notSampled(const ordered_json& record)
    {
        return tokenCount(record).empty() ? std::string() : words(at(record, "not_sampled_count"));
    }

    std::string repetitionGuard(const ordered_json& record)
    {
        const ordered_json& guard = at(record, "caps.repetition");
        if (!guard.is_object())
            return {};
        return words(at(guard, "repeat_count")) + " repeats of up to " + words(at(guard, "longest_period"))
            + " tokens";
    }

    std::string tokenIds(const ordered_json& record)
    {
        std::string ids;
        for (const ordered_json& token : at(record, "tokens"))
            if (const ordered_json& id = at(token, "id"); id.is_number())
                ids += (ids.empty() ? "" : " ") + words(id);
        return ids;
    }

    std::string promptCount(const ordered_json& record)
    {
        if (at(record, "imported").is_object())
            return words(at(record, "imported.prompt_tokens"));
        const ordered_json& ids = at(record, "prompt.token_ids");
        return ids.is_array() ? std::to_string(ids.size()) : std::string();
    }

    std::string stages(const ordered_json& record)
    {
        const ordered_json& list = at(record, "sampling.stages");
        std::string order;
        for (const ordered_json& stage : list)
            order += (order.empty() ? "" : " → ") + words(stage);
        return order;
    }

    std::string conditions(const ordered_json& record)
    {
        std::string lines;
        for (const ordered_json& entry : at(record, "ledger.conditions"))
            lines += (lines.empty() ? "" : "; ") + words(at(entry, "condition")) + ": "
                + words(at(entry, "state")) + (at(entry, "held") == true ? " (held)" : "");
        return lines;
    }

    std::string checks(const ordered_json& record)
    {
        const ordered_json& check = at(record, "requirement_check");
        if (!check.is_object())
            return {};
        const bool isFinal = at(check, "text_is_final") == true;
        std::string line = words(at(check, "set")) + (isFinal ? ": " : ": present so far ")
            + words(at(check, "met")) + " of " + std::to_string(at(check, "results").size())
            + (at(check, "ready") == true ? ", ready" : ", not ready");
        for (const ordered_json& result : at(check, "results"))
            line += "; " + words(at(result, "name")) + ": " + words(at(result, "state"));
        return line;
    }

    struct RowSpec {
        const char* name;
        std::function<std::string(const ordered_json&)> value;
        bool isLong = false;
    };
    RowSpec field(const char* name, const char* path)
    {
        return { name, [path](const ordered_json& record) { return words(at(record, path)); } };
    }
    RowSpec longText(const char* name, const char* path)
    {
        return { name, [path](const ordered_json& record) { return words(at(record, path)); }, true };
    }
    RowSpec duration(const char* name, const char* path)
    {
        return { name, [path](const ordered_json& record) { return secondsOf(at(record, path)); } };
    }

    struct SectionSpec {
        const char* title;
        std::vector<RowSpec> rows;
    };

    /// The one table of what a worksheet shows.
    const std::vector<SectionSpec>& sections()
    {
        static const std::vector<SectionSpec> kSections {
            { "Run",
                { field("Opened at", "opened_at"), field("Started by", "started_by"),
                    field("Engine version", "engine_version"), { "Imported from", importedFrom } } },
            { "Checkpoint",
                { field("File", "checkpoint.file_name"), field("Name", "checkpoint.name"),
                    field("Bytes", "checkpoint.bytes"), field("SHA-256", "checkpoint.sha256"),
                    field("Architecture", "checkpoint.architecture"),
                    field("Tensor types", "checkpoint.tensor_types"), field("Device", "device.name"),
                    field("KV type", "kv_type") } },
            { "Tokenizer",
                { field("Kind", "tokenizer.kind"), field("Vocabulary SHA-256", "tokenizer.vocabulary_sha256") } },
            { "Formatted prompt",
                { field("Template", "template.family"), field("Template SHA-256", "template.sha256"),
                    { "Tokens", promptCount }, longText("Text", "prompt.text"),
                    field("Token ids", "prompt.token_ids") } },
            { "Selection settings",
                { { "Order of the stages", stages }, field("Repeat penalty", "sampling.repeat_penalty"),
                    field("Repeat window", "sampling.repeat_window"),
                    field("Presence penalty", "sampling.presence_penalty"),
                    field("Frequency penalty", "sampling.frequency_penalty"),
                    field("Logit bias", "sampling.logit_bias"), field("Top-k", "sampling.top_k"),
                    field("Top-p", "sampling.top_p"), field("Min-p", "sampling.min_p"),
                    field("Temperature", "sampling.temperature"), field("Seed", "sampling.seed"),
                    field("Token ids never taken", "sampling.banned_token_ids"),
                    field("Not as the first token", "banned_first_token_ids"),
                    field("Taken first", "forced_token_ids") } },
            { "Output limit",
                { field("Length cap, new tokens", "caps.length"), field("Context length", "caps.context_length"),
                    field("Time cap, ms", "caps.time_ms"), { "Repetition guard", repetitionGuard },
                    field("Stop strings", "stop_strings"),
                    field("End tokens ignored", "ignore_end_tokens") } },
            { "Selected sequence",
                { { "New tokens", tokenCount }, { "Not sampled", notSampled },
                    longText("Text", "text"), { "Token ids", tokenIds } } },
            { "Cache used",
                { field("Used", "cache.used"), field("Tokens reused", "cache.reused_tokens"),
                    field("Tokens computed", "cache.computed_tokens"),
                    field("First miss at", "cache.first_miss_position"), field("Cause", "cache.miss_cause"),
                    field("Prefill passes", "passes.prefill"), field("Decode passes", "passes.decode"),
                    field("Discarded passes", "passes.discarded") } },
            { "Times",
                { { "Time to first output", firstOutput }, duration("Time to first token", "times.first_token_ms"),
                    duration("Time to completion", "times.ended_ms") } },
            { "Stopping reason",
                { field("Reason", "stop.reason"), field("Verdict", "stop.verdict"),
                    field("As reported", "stop.reported"), field("Deciding token", "ledger.deciding_token_index"),
                    field("Stop string", "ledger.stop_string"), { "Conditions", conditions } } },
            { "Checks",
                { { "Requirements", checks }, field("Requirement set, SHA-256", "requirement_check.set_sha256"),
                    field("Accepted for use at", "accepted.at"),
                    field("Accepted text, SHA-256", "accepted.text_sha256") } },
        };
        return kSections;
    }

    std::string nameOf(size_t run, size_t count)
    {
        return count < 2 ? std::string() : run < 26 ? std::string(1, char('A' + run)) : std::to_string(run + 1);
    }

    /// In a cell of a Markdown table.
    std::string cell(const std::string& value)
    {
        std::string escaped;
        for (char character : value) {
            if (character == '\n' || character == '\r')
                escaped += ' ';
            else if (std::string_view("|\\`*_<>[]").find(character) != std::string_view::npos)
                escaped += std::string("\\") + character;
            else
                escaped += character;
        }
        return escaped;
    }

    /// A fence that is longer than any in the text.
    std::string fenced(const std::string& text)
    {
        size_t longest = 0;
        size_t run = 0;
        for (char character : text) {
            run = character == '`' ? run + 1 : 0;
            longest = std::max(longest, run);
        }
        const std::string fence(std::max<size_t>(3, longest + 1), '`');
        return fence + "\n" + text + (text.ends_with('\n') ? "" : "\n") + fence + "\n";
    }

    std::string escaped(const std::string& text)
    {
        std::string html;
        for (char character : text) {
            switch (character) {
            case '&':
                html += "&amp;";
                break;
            case '<':
                html += "&lt;";
                break;
            case '>':
                html += "&gt;";
                break;
            case '"':
                html += "&quot;";
                break;
            default:
                html += character;
            }
        }
        return html;
    }

    std::string caption(const WorksheetRow& row, const std::string& run)
    {
        return run.empty() ? row.name : row.name + ", " + run;
    }
}

RunWorksheet RunWorksheet::of(const std::vector<ordered_json>& records)
{
    RunWorksheet sheet;
    for (size_t i = 0; i < records.size(); ++i)
        sheet.runNames.push_back(nameOf(i, records.size()));
    if (records.size() == 1 && isPlanned(records.front()))
        sheet.note = kPlannedNote;
    for (const SectionSpec& spec : app::sections()) {
        WorksheetSection& section = sheet.sections.emplace_back();
        section.title = spec.title;
        for (const RowSpec& rowSpec : spec.rows) {
            WorksheetRow& row = section.rows.emplace_back();
            row.name = rowSpec.name;
            row.isLong = rowSpec.isLong;
            for (const ordered_json& record : records)
                row.values.push_back(rowSpec.value(record));
        }
    }
    return sheet;
}

std::string worksheetMarkdown(const RunWorksheet& sheet)
{
    std::string text = "# Run worksheet\n";
    if (!sheet.note.empty())
        text += "\n" + sheet.note + "\n";
    for (const WorksheetSection& section : sheet.sections) {
        text += "\n## " + section.title + "\n\n| |";
        for (const std::string& run : sheet.runNames)
            text += " " + run + " |";
        text += "\n|---|";
        for (size_t i = 0; i < sheet.runNames.size(); ++i)
            text += "---|";
        text += "\n";
        for (const WorksheetRow& row : section.rows) {
            if (row.isLong)
                continue;
            text += "| " + row.name + " |";
            for (const std::string& value : row.values)
                text += value.empty() ? "  |" : " " + cell(value) + " |";
            text += "\n";
        }
        for (const WorksheetRow& row : section.rows)
            for (size_t i = 0; row.isLong && i < row.values.size(); ++i)
                text += "\n" + caption(row, sheet.runNames[i]) + ":\n\n" + fenced(row.values[i]);
    }
    return text;
}

std::string worksheetHtml(const RunWorksheet& sheet)
{
    std::string html = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Run "
                       "worksheet</title><style>\n"
                       "body { font-family: sans-serif; max-width: 60em; margin: 2em auto; }\n"
                       "table { border-collapse: collapse; width: 100%; }\n"
                       "th, td { border: 1px solid #888; padding: 0.3em 0.6em; text-align: left; "
                       "vertical-align: top; overflow-wrap: anywhere; }\n"
                       "th { width: 14em; font-weight: normal; }\n"
                       "pre { border: 1px solid #888; padding: 0.6em; white-space: pre-wrap; min-height: 2em; }\n"
                       "h2 { break-after: avoid; }\n</style></head><body><h1>Run worksheet</h1>\n";
    if (!sheet.note.empty())
        html += "<p>" + escaped(sheet.note) + "</p>\n";
    for (const WorksheetSection& section : sheet.sections) {
        html += "<h2>" + escaped(section.title) + "</h2>\n<table>\n";
        if (sheet.runNames.size() > 1) {
            html += "<tr><th></th>";
            for (const std::string& run : sheet.runNames)
                html += "<th>" + escaped(run) + "</th>";
            html += "</tr>\n";
        }
        for (const WorksheetRow& row : section.rows) {
            if (row.isLong)
                continue;
            html += "<tr><th>" + escaped(row.name) + "</th>";
            for (const std::string& value : row.values)
                html += "<td>" + escaped(value) + "</td>";
            html += "</tr>\n";
        }
        html += "</table>\n";
        for (const WorksheetRow& row : section.rows)
            for (size_t i = 0; row.isLong && i < row.values.size(); ++i)
                html += "<p>" + escaped(caption(row, sheet.runNames[i])) + "</p>\n<pre>"
                    + escaped(row.values[i]) + "</pre>\n";
    }
    return html + "</body></html>\n";
}

std::string worksheetTsv(const RunWorksheet& sheet)
{
    const auto flat = [](std::string value) {
        for (char& character : value)
            if (character == '\t' || character == '\n' || character == '\r')
                character = ' ';
        return value;
    };
    std::string text = "section\tfield";
    for (size_t i = 0; i < sheet.runNames.size(); ++i)
        text += "\t" + (sheet.runNames[i].empty() ? std::string("run") : sheet.runNames[i]);
    text += "\n";
    for (const WorksheetSection& section : sheet.sections)
        for (const WorksheetRow& row : section.rows) {
            if (row.isLong)
                continue;
            text += section.title + "\t" + row.name;
            for (const std::string& value : row.values)
                text += "\t" + flat(value);
            text += "\n";
        }
    return text;
}

} // namespace app
