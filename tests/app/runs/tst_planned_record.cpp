#include "app/runs/planned_record.h"
#include "app/runs/run_worksheet.h"

#include <QTest>

using nlohmann::ordered_json;

namespace {
app::RunOpening opening()
{
    app::RunOpening opening;
    opening.model.path = "/models/m.gguf";
    opening.model.fileBytes = 1234;
    opening.model.contextLength = 64;
    opening.request.promptIds = { 5, 6, 7 };
    opening.request.sampling.seed = 7;
    opening.messages = { { { "role", "user" }, { "content", "Hi" } } };
    opening.promptText = "Hi";
    opening.templateFamily = "ChatML";
    opening.startedBy = "person";
    opening.openedAt = "2026-05-01T12:00:00.000Z";
    return opening;
}
ordered_json planned(const app::RunOpening& of = opening())
{
    return app::plannedRecord(app::RunRecord(of));
}
QString differences(const app::RunOpening& now)
{
    QStringList lines;
    for (const std::string& line : app::planDifferences(planned(), app::RunRecord(now).json()))
        lines.append(QString::fromStdString(line));
    return lines.join(" | ");
}
}

/// A run before anybody started it, as a record.
class TestPlannedRecord : public QObject {
    Q_OBJECT
private slots:
    void whatOnlyARunCanObserveIsNull()
    {
        const ordered_json plan = planned();
        for (const char* key : { "opened_at", "started_by", "text", "not_sampled_count", "pause_count", "cache",
                 "passes", "times", "stop", "ledger", "requirement_check", "accepted" })
            QVERIFY2(plan.contains(key) && plan[key].is_null(), key);
        QCOMPARE(plan["prompt"]["text"].get<std::string>(), std::string("Hi"));
        QCOMPARE(plan["sampling"]["seed"].get<int>(), 7);
        QCOMPARE(plan["caps"]["length"].get<int>(), 1024);
        QCOMPARE(plan["checkpoint"]["file_name"].get<std::string>(), std::string("m.gguf"));
    }

    void itsWorksheetSaysSoAndLeavesThemBlank()
    {
        const auto sheet = app::RunWorksheet::of({ planned() });
        QVERIFY2(sheet.note.find("nobody has started it") != std::string::npos, sheet.note.c_str());
        int blankCount = 0;
        for (const app::WorksheetSection& section : sheet.sections)
            for (const app::WorksheetRow& row : section.rows) {
                const bool isObserved = section.title == "Selected sequence" || section.title == "Cache used"
                    || section.title == "Times" || section.title == "Stopping reason" || section.title == "Checks"
                    || row.name == "Opened at" || row.name == "Started by";
                if (!isObserved)
                    continue;
                ++blankCount;
                QVERIFY2(row.values[0].empty(), (row.name + ": " + row.values[0]).c_str());
            }
        QVERIFY(blankCount > 20);
        QVERIFY(app::worksheetMarkdown(sheet).starts_with("# Run worksheet\n\nA planned run: "));
        QVERIFY(app::worksheetHtml(sheet).find("<p>A planned run: ") != std::string::npos);
        QVERIFY(app::RunWorksheet::of({ app::RunRecord(opening()).json() }).note.empty());
        QVERIFY(app::RunWorksheet::of({ planned(), planned() }).note.empty());
    }

    void anotherMomentAndAnotherStarterMakeNoOtherRun()
    {
        app::RunOpening later = opening();
        later.openedAt = "2026-05-02T12:00:00.000Z";
        later.startedBy = "worksheet";
        later.checkpointHash = std::string(64, 'a'); // it was computed in between
        QCOMPARE(differences(later), QString());
    }

    void everyChangeIsNamed_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("temperature") << "temperature" << "Temperature (0.8 → 0.0)";
        QTest::newRow("cap") << "cap" << "Length cap, new tokens (1024 → 8)";
        QTest::newRow("stop strings") << "stop" << "Stop strings (none → “END”)";
        QTest::newRow("model") << "model" << "File (m.gguf → other.gguf)";
        QTest::newRow("size") << "size" << "Checkpoint";
        QTest::newRow("prompt") << "prompt" << "Formatted prompt";
        QTest::newRow("guard") << "guard" << "Repetition guard (none → 8 repeats of up to 16 tokens)";
        QTest::newRow("banned") << "banned" << "Token ids never taken (none → 9)";
        QTest::newRow("sources") << "sources" << "sources"; // no line of the sheet
    }
    void everyChangeIsNamed()
    {
        QFETCH(QString, what);
        QFETCH(QString, words);
        app::RunOpening now = opening();
        if (what == "temperature")
            now.request.sampling.temperature = 0;
        else if (what == "cap")
            now.request.lengthCap = 8;
        else if (what == "stop")
            now.request.stopStrings = { "END" };
        else if (what == "model")
            now.model.path = "/models/other.gguf";
        else if (what == "size")
            now.model.fileBytes = 99;
        else if (what == "prompt")
            now.promptText = "Ho";
        else if (what == "guard")
            now.request.repetitionGuard = engine::RepetitionLimits { 16, 8 };
        else if (what == "banned")
            now.request.sampling.bannedIds = { 9 };
        else
            now.sources.emplace().push_back({ "a.txt", std::string(64, 'a'), {}, {}, {} });
        QCOMPARE(differences(now), words);
    }
};

QTEST_APPLESS_MAIN(TestPlannedRecord)
#include "tst_planned_record.moc"
