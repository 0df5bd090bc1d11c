#include "app/compare/json_schema.h"
#include "app/guide/trace_record.h"
#include "app/runs/opened_record.h"
#include "app/runs/response_import.h"
#include "app/runs/run_json.h"
#include "app/runs/run_record.h"
#include "engine/session/stop_reason.h"

#include <QFile>
#include <QTest>

using nlohmann::json;

namespace {
QByteArray readAll(const char* name)
{
    QFile file(QStringLiteral(TOKENGLASS_RESOURCES "/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s", qPrintable(file.fileName()));
    return file.readAll();
}

const json& schema()
{
    static const json kSchema = json::parse(readAll("run-record.schema.json").toStdString());
    return kSchema;
}

app::RunOpening opening()
{
    app::RunOpening opening;
    opening.model.path = "/models/m.gguf";
    opening.model.fileBytes = 1234;
    opening.model.contextLength = 64;
    opening.request.promptIds = { 5, 6, 7 };
    opening.request.repetitionGuard = engine::RepetitionLimits {};
    opening.request.sampling.logitBias = { { 5, -1.5f } };
    opening.messages = { { { "role", "user" }, { "content", "Hi" } } };
    opening.contextPolicy = "stop_and_say";
    opening.sources = { { "notice.txt", std::string(64, 'a'), 12, 3, 40 } };
    opening.promptText = "Hi";
    opening.templateFamily = "ChatML";
    opening.templateSource = "{{ x }}";
    opening.startedBy = "person";
    return opening;
}

json closed(engine::StopReason reason)
{
    app::RunRecord record(opening());
    engine::TokenRecord token { .id = 9, .bytes = "\xC3", .logprob = -0.5f, .rank = 1 };
    token.top = { { 9, -0.5f }, { 10, -2.0f } };
    record.apply(engine::TokenDecoded { .record = token, .text = "" });
    engine::RunEnded ended;
    ended.ledger.reason = reason;
    ended.ledger.error = engine::Error::notFinite("words");
    ended.ledger.entries = { { reason, true, "1 of 1" } };
    ended.ledger.repetition = engine::Repetition { 2, 3 };
    ended.timing.prefillEndMs = 10;
    record.apply(ended);
    return json::parse(app::dumped(record.json()));
}

/// Every field with its path, its kinds and what it says.
void describe(const json& fields, const std::string& path, std::string& page)
{
    for (const auto& [name, field] : fields["properties"].items()) {
        const std::string at = path.empty() ? name : path + "." + name;
        std::string kinds;
        const json& type = field["type"];
        for (size_t i = 0; type.is_array() && i < type.size(); ++i)
            kinds += (i ? " or " : "") + type[i].get<std::string>();
        if (type.is_string())
            kinds = type.get<std::string>();
        if (field.contains("enum")) {
            kinds += ":";
            for (const json& value : field["enum"])
                if (value.is_string())
                    kinds += " `" + value.get<std::string>() + "`";
        }
        page += "| `" + at + "` | " + kinds + " | " + field["description"].get<std::string>() + " |\n";
        if (field.contains("properties"))
            describe(field, at, page);
        if (field.contains("items") && field["items"].contains("properties"))
            describe(field["items"], at + "[]", page);
    }
}

std::string referencePage()
{
    std::string page = "# The run record, schema 1\n\n" + schema()["description"].get<std::string>()
        + "\nMade of `run-record.schema.json` (JSON Schema, draft 7); `tst_record_schema` compares both.\n\n"
          "| field | kind | what it says |\n|---|---|---|\n";
    describe(schema(), "", page);
    page += "\n## Reasons of other programs\n\nHow the reasons of imported answers are read. Where there is none, the record's reason "
            "is null and `stop.reported` has the word.\n\n| program | reported | here | remark |\n|---|---|---|---|\n";
    for (const app::ReportedReason& row : app::reportedReasons())
        page += std::string("| ") + app::responseFormName(row.form) + " | `" + row.reported + "` | "
            + (row.reason ? std::string("`") + engine::stopReasonInfo(*row.reason).name + "`" : std::string("not known"))
            + " | " + row.remark + " |\n";
    return page;
}
}

/// The published schema and what the program writes.
class TestRecordSchema : public QObject {
    Q_OBJECT
private slots:
    void theSchemaCanBeUsed() { QCOMPARE(app::schemaFault(schema()), std::string()); }

    void openedAndClosedRecordsFit()
    {
        const json opened = json::parse(app::dumped(app::RunRecord(opening()).json()));
        QCOMPARE(app::fitOf(opened, schema()).why, std::string());
        for (const engine::StopReasonInfo& row : engine::stopReasonTable())
            QCOMPARE(app::fitOf(closed(row.reason), schema()).why, std::string());
    }

    void everyStarterFits()
    {
        json record = closed(engine::StopReason::LengthCap);
        for (const char* who : { "person", "grid", "worksheet", "command_line", "import" }) {
            record["started_by"] = who;
            QCOMPARE(app::fitOf(record, schema()).why, std::string());
        }
    }

    void anAcceptedAnswerFits()
    {
        json record = closed(engine::StopReason::EndToken);
        QVERIFY(record["accepted"].is_null()); // nobody did
        record["accepted"] = { { "at", "2026-05-01T12:00:00.000Z" }, { "text_sha256", std::string(64, 'a') } };
        QCOMPARE(app::fitOf(record, schema()).why, std::string());
        record["accepted"].erase("at");
        QVERIFY(!app::fitOf(record, schema()).why.empty());
    }

    void everyFieldThatIsWrittenIsInTheSchema()
    {
        const json record = closed(engine::StopReason::LengthCap);
        for (const auto& [key, value] : record.items())
            QVERIFY2(schema()["properties"].contains(key), key.c_str());
    }

    void importsFit()
    {
        const auto record = app::recordFromResponse(
            "{\"choices\": [{\"text\": \"Hi\", \"finish_reason\": \"stop\", \"logprobs\": {\"content\": [{\"token\": "
            "\"Hi\", \"logprob\": -1, \"top_logprobs\": [{\"token\": \"Hi\", \"logprob\": -1}]}]}}]}");
        QVERIFY(record);
        QCOMPARE(app::fitOf(json::parse(record->dump()), schema()).why, std::string());
        const auto other = app::recordFromResponse(
            "{\"content\": \"Hi\", \"stop_type\": \"word\", \"stopping_word\": \".\", \"timings\": {\"prompt_ms\": 3}, "
            "\"generation_settings\": {\"seed\": 7, \"temperature\": 0.5}}");
        QVERIFY(other);
        QCOMPARE(app::fitOf(json::parse(other->dump()), schema()).why, std::string());
    }

    void recordsOfTheGuideFitAndOpen()
    {
        for (const char* name : { "traces/exhibition.json", "traces/stop-string.json", "traces/end-token.json" }) {
            const auto script = app::traceScriptFrom(readAll(name).toStdString());
            QVERIFY(script);
            app::GuidedTrace trace(*script);
            for (;;) {
                const std::string record = app::dumped(app::traceRecord(trace));
                QCOMPARE(app::fitOf(json::parse(record), schema()).why, std::string());
                const auto opened = app::recordFrom(record);
                QVERIFY(opened);
                QCOMPARE(opened->tokens.size(), trace.passes().size());
                for (; trace.isWaiting(); trace.nextQuestion())
                    trace.give("so");
                if (!trace.canStep())
                    break;
                trace.step();
            }
            QCOMPARE(json::parse(app::dumped(app::traceRecord(trace)))["stop"]["reason"].get<std::string>(),
                std::string(engine::stopReasonInfo(*trace.reason()).name));
        }
    }

    void whatIsNoRecordDoesNotFit_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("value");
        QTest::newRow("schema") << "/schema" << "2";
        QTest::newRow("a field nobody knows") << "/surprise" << "1";
        QTest::newRow("reason") << "/stop/reason" << "\"tired\"";
        QTest::newRow("a guess") << "/cache/used" << "null";
        QTest::newRow("bytes") << "/tokens/0/bytes" << "\"zz\"";
        QTest::newRow("count") << "/passes/decode" << "\"many\"";
        QTest::newRow("who") << "/started_by" << "\"nobody\"";
    }
    void whatIsNoRecordDoesNotFit()
    {
        QFETCH(QString, path);
        QFETCH(QString, value);
        json record = closed(engine::StopReason::LengthCap);
        record[json::json_pointer(path.toStdString())] = json::parse(value.toStdString());
        QVERIFY(!app::fitOf(record, schema()).why.empty());
    }

    void theReferencePageIsThatOfTheSchema()
    {
        const std::string right = referencePage();
        if (qEnvironmentVariableIsSet("TOKENGLASS_WRITE_PAGES")) {
            QFile file(QStringLiteral(TOKENGLASS_RESOURCES "/run-record.md"));
            QVERIFY(file.open(QIODevice::WriteOnly) && file.write(right.c_str()) > 0);
        }
        QVERIFY2(readAll("run-record.md").toStdString() == right,
            "resources/run-record.md is not that of the schema: run this test with TOKENGLASS_WRITE_PAGES=1");
    }
};

QTEST_APPLESS_MAIN(TestRecordSchema)
#include "tst_record_schema.moc"
