#include "app/runs/response_import.h"
#include "app/runs/run_record.h"
#include "app/runs/run_worksheet.h"

#include <QRegularExpression>
#include <QTest>

using app::RunWorksheet;
using nlohmann::ordered_json;

namespace {
app::RunOpening opening()
{
    app::RunOpening opening;
    opening.model.path = "/models/m.gguf";
    opening.model.fileBytes = 1234;
    opening.model.contextLength = 4096;
    opening.request.promptIds = { 5, 6, 7 };
    opening.request.lengthCap = 64;
    opening.request.stopStrings = { "|\n", "<b>" };
    opening.promptText = "Say `x`\n```\nfence\n````\n| a | b |";
    opening.startedBy = "grid";
    return opening;
}

/// A run of two tokens that a cap ended.
ordered_json closedRecord()
{
    app::RunRecord record(opening());
    engine::TokenRecord token { .id = 9, .bytes = "<i>" };
    record.apply(engine::TokenDecoded { .record = token, .text = "<i>" });
    token.id = 10;
    record.apply(engine::TokenDecoded { .index = 1, .record = token, .text = "</i>" });
    engine::RunEnded ended;
    ended.ledger.reason = engine::StopReason::LengthCap;
    ended.ledger.entries = { { engine::StopReason::LengthCap, true, "2 of 2" } };
    ended.text = "<i></i>";
    ended.timing.prefillEndMs = 10;
    ended.timing.firstTextMs = 1500;
    ended.timing.endedMs = 2250.4;
    ended.cache.computedTokens = 3;
    ended.decodePassCount = 1;
    record.apply(ended);
    return record.json();
}

std::string valueOf(const RunWorksheet& sheet, const char* section, const char* name, size_t run = 0)
{
    for (const app::WorksheetSection& part : sheet.sections)
        for (const app::WorksheetRow& row : part.rows)
            if (part.title == section && row.name == name)
                return row.values[run];
    return "no such row";
}
}

/// A run as a page.
class TestRunWorksheet : public QObject {
    Q_OBJECT
private slots:
    void aClosedRunFillsItsFields()
    {
        const RunWorksheet sheet = RunWorksheet::of({ closedRecord() });
        QCOMPARE(valueOf(sheet, "Checkpoint", "File"), std::string("m.gguf"));
        QCOMPARE(valueOf(sheet, "Run", "Started by"), std::string("grid"));
        QCOMPARE(valueOf(sheet, "Formatted prompt", "Tokens"), std::string("3"));
        QCOMPARE(valueOf(sheet, "Selected sequence", "New tokens"), std::string("2"));
        QCOMPARE(valueOf(sheet, "Selected sequence", "Token ids"), std::string("9 10"));
        QCOMPARE(valueOf(sheet, "Times", "Time to first output"), std::string("1.500 s"));
        QCOMPARE(valueOf(sheet, "Times", "Time to completion"), std::string("2.250 s"));
        QCOMPARE(valueOf(sheet, "Stopping reason", "Reason"), std::string("length_cap"));
        QCOMPARE(valueOf(sheet, "Stopping reason", "Verdict"), std::string("capped"));
        QCOMPARE(valueOf(sheet, "Cache used", "Used"), std::string("no"));
        QCOMPARE(valueOf(sheet, "Checks", "Requirements"), std::string()); // none were made
        QCOMPARE(valueOf(sheet, "Checkpoint", "SHA-256"), std::string()); // not computed
    }

    void aPlannedRunIsBlankWhereNothingHappenedYet()
    {
        const RunWorksheet sheet = RunWorksheet::of({ app::RunRecord(opening()).json() });
        QCOMPARE(valueOf(sheet, "Output limit", "Length cap, new tokens"), std::string("64"));
        for (const app::WorksheetSection& section : sheet.sections)
            for (const app::WorksheetRow& row : section.rows)
                if (section.title == "Times" || section.title == "Stopping reason" || section.title == "Cache used"
                    || section.title == "Checks")
                    QVERIFY2(row.values[0].empty(), (row.name + ": " + row.values[0]).c_str());
        for (const char* name : { "New tokens", "Not sampled", "Text", "Token ids" })
            QCOMPARE(valueOf(sheet, "Selected sequence", name), std::string());
    }

    void anImportedAnswerLeavesBlankWhatItDidNotReport()
    {
        const auto record = app::recordFromResponse(
            "{\"choices\": [{\"text\": \"Hi\", \"finish_reason\": \"stop\"}]}");
        const RunWorksheet sheet = RunWorksheet::of({ *record });
        QCOMPARE(valueOf(sheet, "Stopping reason", "As reported"), std::string("stop"));
        QCOMPARE(valueOf(sheet, "Stopping reason", "Reason"), std::string());
        QCOMPARE(valueOf(sheet, "Selection settings", "Seed"), std::string());
        QCOMPARE(valueOf(sheet, "Selected sequence", "Text"), std::string("Hi"));
    }

    void theTokensOfAnImportedAnswerAreCountedAsReported()
    {
        const std::string choice = "{\"text\": \"Hi\", \"finish_reason\": \"stop\"}";
        const auto sheetOf = [](const std::string& response) {
            const auto record = app::recordFromResponse(response);
            return record ? RunWorksheet::of({ *record }) : RunWorksheet();
        };
        const std::string usage = "\"usage\": {\"prompt_tokens\": 9, \"completion_tokens\": 28}";
        RunWorksheet sheet = sheetOf("{\"choices\": [" + choice + "], " + usage + "}");
        QCOMPARE(valueOf(sheet, "Selected sequence", "New tokens"), std::string("28"));
        QCOMPARE(valueOf(sheet, "Formatted prompt", "Tokens"), std::string("9"));
        QCOMPARE(valueOf(sheet, "Run", "Imported from"), std::string("an OpenAI-style server"));
        sheet = sheetOf("{\"choices\": [" + choice + "]}");
        QCOMPARE(valueOf(sheet, "Selected sequence", "New tokens"), std::string());
        QCOMPARE(valueOf(sheet, "Formatted prompt", "Tokens"), std::string());
        sheet = sheetOf("{\"choices\": [" + choice + ", " + choice + ", " + choice + "], " + usage + "}");
        QCOMPARE(valueOf(sheet, "Run", "Imported from"), std::string("an OpenAI-style server, answer 1 of 3"));
        QCOMPARE(valueOf(sheet, "Selected sequence", "New tokens"), std::string()); // they are those of all three
        QCOMPARE(valueOf(sheet, "Formatted prompt", "Tokens"), std::string("9"));
    }

    void whoAcceptedWhatIsOnThePage()
    {
        ordered_json record = closedRecord();
        record["accepted"] = { { "at", "2026-05-01T12:00:00.000Z" }, { "text_sha256", std::string(64, 'a') } };
        record["requirement_check"] = { { "set", "Hours" }, { "set_sha256", std::string(64, 'b') },
            { "text_is_final", false }, { "met", 2 }, { "ready", false },
            { "results", { { { "name", "day" }, { "state", "met" } }, { { "name", "time" }, { "state", "met" } },
                             { { "name", "no guess" }, { "state", "open" } } } } };
        RunWorksheet sheet = RunWorksheet::of({ record });
        QCOMPARE(valueOf(sheet, "Checks", "Accepted for use at"), std::string("2026-05-01T12:00:00.000Z"));
        QCOMPARE(valueOf(sheet, "Checks", "Accepted text, SHA-256"), std::string(64, 'a'));
        QCOMPARE(valueOf(sheet, "Checks", "Requirement set, SHA-256"), std::string(64, 'b'));
        QCOMPARE(valueOf(sheet, "Checks", "Requirements"),
            std::string("Hours: present so far 2 of 3, not ready; day: met; time: met; no guess: open"));
        record["requirement_check"]["text_is_final"] = true;
        sheet = RunWorksheet::of({ record });
        QVERIFY(valueOf(sheet, "Checks", "Requirements").starts_with("Hours: 2 of 3, not ready"));
    }

    void severalRunsStandSideBySide()
    {
        const RunWorksheet sheet = RunWorksheet::of({ closedRecord(), app::RunRecord(opening()).json() });
        QCOMPARE(sheet.runNames, (std::vector<std::string> { "A", "B" }));
        QCOMPARE(valueOf(sheet, "Stopping reason", "Reason", 1), std::string());
        const std::string markdown = app::worksheetMarkdown(sheet);
        QVERIFY(markdown.find("| Reason | length\\_cap |  |\n") != std::string::npos);
        QVERIFY(markdown.find("Text, A:") != std::string::npos);
        const std::string tsv = app::worksheetTsv(sheet);
        QVERIFY(tsv.starts_with("section\tfield\tA\tB\n"));
        for (const QString& line : QString::fromStdString(tsv).split('\n', Qt::SkipEmptyParts))
            QCOMPARE(line.count('\t'), 3);
    }

    void nothingInARunChangesThePage()
    {
        const RunWorksheet sheet = RunWorksheet::of({ closedRecord() });
        const std::string html = app::worksheetHtml(sheet);
        QVERIFY(html.find("<i>") == std::string::npos);
        QVERIFY(html.find("&lt;i&gt;&lt;/i&gt;") != std::string::npos);
        const std::string markdown = app::worksheetMarkdown(sheet);
        QVERIFY(markdown.find("\\|") != std::string::npos); // of the stop string
        QVERIFY(markdown.find("`````\nSay `x`\n") != std::string::npos); // longer than its fences
        for (const QString& line : QString::fromStdString(markdown).split('\n'))
            if (line.startsWith("| Stop strings"))
                QCOMPARE(line.count(QRegularExpression("(?<!\\\\)\\|")), 3);
    }
};

QTEST_APPLESS_MAIN(TestRunWorksheet)
#include "tst_run_worksheet.moc"
