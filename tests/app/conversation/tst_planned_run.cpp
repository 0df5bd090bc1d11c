#include "app/compare/json_schema.h"
#include "app/conversation/planned_run.h"
#include "app/conversation/requirement_watch.h"
#include "app/runs/run_json.h"
#include "app/storage/storage.h"
#include "tests/support/fake_engine.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

using app::Conversation;
using app::PlannedRun;
using engine::StopReason;
using nlohmann::json;
using State = PlannedRun::State;

namespace {

/// The program on a folder, with a chat in which one question was answered.
struct Program {
    QTemporaryDir folder;
    tests::FakeEngine engine;
    app::Storage storage { folder.filePath("tokenglass.sqlite") };
    app::Workspace workspace { engine.factory() };
    app::RequirementWatch watch { workspace, &storage };
    Conversation* chat = nullptr;

    explicit Program(bool isPrivate = false)
    {
        QSignalSpy opened(&workspace, &app::Workspace::storeOpened);
        workspace.keepIn(storage);
        opened.wait(5000);
        load("tiny.gguf");
        chat = &workspace.addConversation(app::ConversationKind::Chat, isPrivate);
        answer("Hi", "Hello");
    }
    void load(const char* file)
    {
        workspace.loadModel({ .path = file });
        engine.finishLoad();
        QCoreApplication::processEvents();
    }
    void answer(const QString& question, const std::string& words)
    {
        const size_t before = engine.requests.size();
        QVERIFY(workspace.send(*chat, question));
        tell(before, words);
    }
    void tell(size_t before, const std::string& words, StopReason reason = StopReason::EndToken)
    {
        QVERIFY(QTest::qWaitFor([&] { return engine.requests.size() > before; }, 5000));
        engine.prefill(1, 1);
        engine.token(words);
        engine.end(reason, [](engine::RunEnded& ended) {
            ended.timing.prefillEndMs = 20;
            ended.timing.endedMs = 50;
        });
        QVERIFY(QTest::qWaitFor([&] { return !chat->activeDraft(); }, 5000));
        QVERIFY(storage.flush(5000));
    }
    std::unique_ptr<PlannedRun> plan(const QString& text = "When?", const QString& opening = {})
    {
        auto planned = PlannedRun::create(workspace, *chat, { text, opening, {} });
        return planned ? std::move(*planned) : nullptr;
    }
    QString refusal(const QString& text)
    {
        const auto planned = PlannedRun::create(workspace, *chat, { text, {}, {} });
        return planned ? QString() : QString::fromStdString(planned.error().message);
    }
    void change(const std::function<void(app::ChatSettings&)>& how)
    {
        app::ChatSettings settings = chat->settings();
        how(settings);
        chat->setSettings(settings);
    }
    json stored(engine::RunId run)
    {
        std::optional<json> found;
        storage.readRecord(app::StoredRunId(run), [&](const engine::Result<nlohmann::ordered_json>& read) {
            found = read ? json::parse(app::dumped(*read)) : json();
        });
        if (!QTest::qWaitFor([&] { return found.has_value(); }, 5000))
            return "no answer";
        return found.value_or(json());
    }
};

json plain(const nlohmann::ordered_json& record) { return json::parse(app::dumped(record)); }

json schema()
{
    QFile file(QStringLiteral(TOKENGLASS_RESOURCES "/run-record.schema.json"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no schema");
    return json::parse(file.readAll().toStdString());
}

}

/// The next run of a chat: planned, started from its plan, and filled by nothing else.
class TestPlannedRun : public QObject {
    Q_OBJECT
private slots:
    void aPlanKnowsEverythingBeforeTheStart()
    {
        Program program;
        program.change([](app::ChatSettings& settings) { settings.lengthCap = 33; });
        const size_t requests = program.engine.requests.size();
        const auto plan = program.plan("When does it open?", "At ");
        QVERIFY(plan);
        const json record = plain(plan->record());
        const std::string prompt = record["prompt"]["text"].get<std::string>();
        QVERIFY2(prompt.find("Hello<|im_end|>\n<|im_start|>user\nWhen does it open?<|im_end|>") != std::string::npos,
            prompt.c_str());
        QCOMPARE(record["prompt"]["draft_token_count"], json(3));
        QCOMPARE(record["caps"]["length"], json(33));
        QVERIFY(record["sampling"]["seed"].is_number_unsigned());
        QCOMPARE(record["checkpoint"]["file_name"], json("tiny.gguf"));
        QVERIFY(record["tokenizer"]["vocabulary_sha256"].is_string());
        QVERIFY(record["started_by"].is_null() && record["stop"].is_null());
        // Nothing was sent.
        QTest::qWait(20);
        QCOMPARE(program.engine.requests.size(), requests);
        QCOMPARE(program.chat->turnCount(), size_t(2));
        QCOMPARE(plan->state(), State::Planned);
    }

    void theRunThatIsStartedFromItFillsIt()
    {
        Program program;
        const auto plan = program.plan();
        const json planned = plain(plan->record());
        QSignalSpy changed(plan.get(), &PlannedRun::changed);
        const size_t before = program.engine.requests.size();
        QCOMPARE(plan->start(), std::optional<QString>());
        QCOMPARE(plan->state(), State::UnderWay);
        QCOMPARE(plain(plan->record()), planned); // blank until it has ended
        program.tell(before, "On Monday", StopReason::LengthCap);
        QTRY_COMPARE(plan->state(), State::Ended);
        QVERIFY(changed.count() >= 2);
        const engine::GenerationRequest& request = program.engine.requests.back();
        QCOMPARE(json(request.promptIds), planned["prompt"]["token_ids"]);
        QCOMPARE(json(request.sampling.seed), planned["sampling"]["seed"]);
        const json filled = plain(plan->record());
        QCOMPARE(filled["started_by"], json("worksheet"));
        QCOMPARE(filled["text"], json("On Monday"));
        QCOMPARE(filled["stop"]["reason"], json("length_cap"));
        QCOMPARE(filled["tokens"].size(), size_t(1));
        for (const char* key : { "checkpoint", "tokenizer", "template", "messages", "prompt", "sampling", "caps",
                 "stop_strings", "device", "prompt_spans" })
            QCOMPARE(filled[key], planned[key]);
        QCOMPARE(QString::fromStdString(app::fitOf(filled, schema()).why), QString());
        QCOMPARE(program.chat->turns()[2]->text, QString("When?"));
        QVERIFY(plan->start()->contains("already"));
    }

    void itIsTheRecordThatIsKept()
    {
        Program program;
        const auto plan = program.plan();
        const size_t before = program.engine.requests.size();
        QVERIFY(!plan->start());
        program.tell(before, "On Monday");
        QTRY_COMPARE(plan->state(), State::Ended);
        json stored = program.stored(program.engine.requests.back().runId);
        json filled = plain(plan->record());
        QCOMPARE(QString::fromStdString(app::fitOf(stored, schema()).why), QString());
        QCOMPARE(stored, filled);
    }

    void aRunThatWasStartedElsewhereNeverFillsIt()
    {
        Program program;
        program.change([](app::ChatSettings& settings) { settings.fixedSeed = 5; });
        const auto plan = program.plan("When?");
        const json planned = plain(plan->record());
        program.answer("When?", "On Monday"); // the very same run, by hand
        QCOMPARE(json(program.engine.requests.back().promptIds), planned["prompt"]["token_ids"]);
        QTest::qWait(20);
        QCOMPARE(plan->state(), State::Planned);
        QCOMPARE(plain(plan->record()), planned);
        QCOMPARE(program.stored(program.engine.requests.back().runId)["started_by"], json("person"));
        const auto why = plan->start();
        QVERIFY2(why && why->contains("The chat has gone on"), qPrintable(why.value_or("it began")));
    }

    void whatWouldBeAnotherRunIsRefusedInWords_data()
    {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("words");
        QTest::newRow("temperature") << "temperature" << "Changed since then: Temperature (0.8 → 0.0).";
        QTest::newRow("cap") << "cap" << "Length cap, new tokens (1024 → 8)";
        QTest::newRow("system text") << "system" << "Formatted prompt";
        QTest::newRow("a source text") << "source" << "Formatted prompt";
        QTest::newRow("a seed") << "seed" << "Seed (";
        QTest::newRow("model") << "model" << "File (tiny.gguf → other.gguf)";
        QTest::newRow("no model") << "unloaded" << "No model is loaded";
        QTest::newRow("deleted") << "deleted" << "The chat of this plan was deleted.";
        QTest::newRow("an answer is written") << "active" << "An answer is being written";
        QTest::newRow("another branch") << "branch" << "another branch";
    }
    void whatWouldBeAnotherRunIsRefusedInWords()
    {
        QFETCH(QString, what);
        QFETCH(QString, words);
        Program program;
        const auto plan = program.plan();
        const app::ChatSettings before = program.chat->settings();
        if (what == "temperature")
            program.change([](app::ChatSettings& settings) { settings.sampling.temperature = 0; });
        else if (what == "cap")
            program.change([](app::ChatSettings& settings) { settings.lengthCap = 8; });
        else if (what == "system")
            program.change([](app::ChatSettings& settings) { settings.systemText = "Be brief."; });
        else if (what == "seed")
            program.change([](app::ChatSettings& settings) { settings.fixedSeed = 5'000'000'000; });
        else if (what == "source")
            QVERIFY(program.workspace.addSources(*program.chat, { app::sourceTextOf("a.txt", "one") }));
        else if (what == "model")
            program.load("other.gguf");
        else if (what == "unloaded")
            program.workspace.unloadModel();
        else if (what == "deleted")
            program.workspace.removeConversation(*program.chat);
        else if (what == "active")
            QVERIFY(program.workspace.regenerate(*program.chat));
        else
            QVERIFY(program.workspace.editAnswer(*program.chat, *program.chat->turns()[1], "Good day"));
        QCoreApplication::processEvents();
        const size_t turns = program.chat->turnCount();
        const auto why = plan->start();
        QVERIFY2(why && why->contains(words), qPrintable(why.value_or("it began")));
        QCOMPARE(plan->state(), State::Planned);
        QCOMPARE(program.chat->turnCount(), turns);
        if (what != "temperature" && what != "cap" && what != "system" && what != "seed")
            return;
        program.chat->setSettings(before); // it is the planned run again
        QCOMPARE(plan->start(), std::optional<QString>());
    }

    void whatCannotBePlannedIsSaidInWords()
    {
        Program program;
        QVERIFY2(program.refusal(" \n").contains("message box is empty"), qPrintable(program.refusal(" ")));
        QVERIFY(program.workspace.regenerate(*program.chat));
        QVERIFY(program.refusal("Hi").contains("An answer is being written"));
        Program other;
        other.workspace.unloadModel();
        QCoreApplication::processEvents();
        QVERIFY2(other.refusal("Hi").contains("No model is loaded"), qPrintable(other.refusal("Hi")));
        Conversation& page = other.workspace.addConversation(app::ConversationKind::PlainText);
        other.chat = &page;
        QVERIFY(other.refusal("Hi").contains("plain-text page"));
    }

    void aPrivateRunFillsItToo()
    {
        Program program(true);
        const auto plan = program.plan();
        const size_t before = program.engine.requests.size();
        QVERIFY(!plan->start());
        program.tell(before, "On Monday");
        QTRY_COMPARE(plan->state(), State::Ended);
        QCOMPARE(plain(plan->record())["text"], json("On Monday"));
        QVERIFY(program.stored(program.engine.requests.back().runId).is_null());
    }

    void aStoppedRunFillsItAsPartial()
    {
        Program program;
        const auto plan = program.plan();
        const size_t before = program.engine.requests.size();
        QVERIFY(!plan->start());
        QVERIFY(QTest::qWaitFor([&] { return program.engine.requests.size() > before; }, 5000));
        plan->cancel();
        QCOMPARE(program.engine.cancelled, (std::vector<engine::RunId> { program.engine.requests.back().runId }));
        program.engine.end(StopReason::Cancelled);
        QTRY_COMPARE(plan->state(), State::Ended);
        QCOMPARE(plain(plan->record())["stop"]["verdict"], json("partial"));
    }

    void aCheckAndAnAcceptanceAreTakenIn()
    {
        Program program;
        program.change([](app::ChatSettings& settings) {
            const char* set = R"({"requirement_set": 1, "name": "Hours", "requirements": [
                {"kind": "field", "name": "day", "pattern": "monday|sunday"}]})";
            settings.requirements = { false, "/hours.json", app::sha256Hex(set), set };
        });
        const auto plan = program.plan();
        const size_t before = program.engine.requests.size();
        QVERIFY(!plan->start());
        program.tell(before, "On Monday");
        QTRY_COMPARE(plain(plan->record())["requirement_check"].value("ready", false), true);
        QVERIFY(plain(plan->record())["accepted"].is_null());
        program.watch.accept(*program.chat, program.chat->turns().back()->id);
        QCOMPARE(plain(plan->record())["accepted"]["text_sha256"], json(app::sha256Hex("On Monday")));
        QVERIFY(program.storage.flush(5000));
        json stored = program.stored(program.engine.requests.back().runId);
        QCOMPARE(stored, plain(plan->record()));
        QCOMPARE(QString::fromStdString(app::fitOf(stored, schema()).why), QString());
    }

    void whoStartedItIsListed()
    {
        Program program;
        const auto plan = program.plan();
        const size_t before = program.engine.requests.size();
        QVERIFY(!plan->start());
        program.tell(before, "On Monday");
        QCOMPARE(program.chat->lastDraft()->origin().startedBy, std::string("worksheet"));
        std::optional<engine::Result<app::RunList>> list;
        program.storage.listRuns({}, [&](auto read) { list = std::move(read); });
        QVERIFY(QTest::qWaitFor([&] { return list.has_value(); }, 5000));
        QStringList starters;
        for (const app::RunRow& row : (*list)->rows)
            starters.append(row.startedBy);
        QCOMPARE(starters, QStringList({ "worksheet", "person" }));
    }
};

QTEST_GUILESS_MAIN(TestPlannedRun)
#include "tst_planned_run.moc"
