#include "app/guide/guided_trace.h"
#include "app/guide/trace_record.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <nlohmann/json.hpp>

using app::GuidedTrace;
using app::TraceScript;
using engine::StopReason;

namespace {
TraceScript shipped(const char* name)
{
    QFile file(QStringLiteral(TOKENGLASS_RESOURCES "/traces/%1.json").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("%s", qPrintable(file.fileName()));
    const auto script = app::traceScriptFrom(file.readAll().toStdString());
    if (!script)
        qFatal("%s", script.error().message.c_str());
    return *script;
}

std::string inputOf(const app::TracedPass& pass)
{
    std::string text;
    for (const std::string& unit : pass.input)
        text += unit;
    return text;
}

/// Answers what is asked.
void goOn(GuidedTrace& trace)
{
    while (trace.asked()) {
        trace.give("I think so");
        trace.nextQuestion();
        if (trace.asked() && trace.asked()->given)
            break;
    }
}
void toTheEnd(GuidedTrace& trace)
{
    goOn(trace);
    while (trace.canStep()) {
        trace.step();
        goOn(trace);
    }
}

/// Everything that a screen, a reader or a record could get out of a walk.
std::string everythingOf(const GuidedTrace& trace)
{
    std::string all = trace.text();
    for (const app::TracedPass& pass : trace.passes())
        all += inputOf(pass) + pass.selected;
    if (const auto asked = trace.asked())
        all += asked->ask + asked->answer.value_or("");
    return all + trace.heldText() + app::traceRecord(trace).dump();
}

/// What is asked from here on until nothing is, answered on the way.
std::vector<app::TraceAsked> questionsHere(GuidedTrace& trace)
{
    std::vector<app::TraceAsked> questions;
    while (trace.isWaiting()) {
        trace.give("I think so");
        questions.push_back(*trace.asked());
        trace.nextQuestion();
    }
    return questions;
}

/// A script of one prompt unit with these fields after the title.
std::string scriptWith(const std::string& fields)
{
    return "{\"trace_script\": 1, \"title\": \"t\", \"prompt\": [\"a\"], " + fields + "}";
}
}

/// The walk "The exhibition" → opens → on → Monday, and two others.
class TestGuidedTrace : public QObject {
    Q_OBJECT
private slots:
    void theExhibitionTakesThreePassesAndFourPositions()
    {
        GuidedTrace trace(shipped("exhibition"));
        toTheEnd(trace);
        QCOMPARE(trace.passes().size(), size_t(3));
        const char* const inputs[] { "The exhibition", "The exhibition opens", "The exhibition opens on" };
        const int computed[] { 2, 1, 1 };
        const int cache[] { 2, 3, 4 };
        for (size_t i = 0; i < 3; ++i) {
            const app::TracedPass& pass = trace.passes()[i];
            QCOMPARE(inputOf(pass), std::string(inputs[i]));
            QCOMPARE(pass.computedCount, computed[i]);
            QCOMPARE(pass.cacheAfter, cache[i]);
            QCOMPARE(pass.firstComputed + pass.computedCount, pass.cacheAfter);
        }
        QCOMPARE(trace.computedWithCache(), 4);
        QCOMPARE(trace.computedWithoutCache(), 9);
        QCOMPARE(trace.text(), std::string(" opens on Monday"));
        QVERIFY(inputOf(trace.passes().back()).find("Monday") == std::string::npos); // it never enters the cache
    }

    void aCapOfTwoDeliversTwoWordsAndProvesNothing()
    {
        GuidedTrace trace(shipped("exhibition"), 2);
        toTheEnd(trace);
        QCOMPARE(trace.passes().size(), size_t(2));
        QCOMPARE(trace.text(), std::string(" opens on"));
        QCOMPARE(trace.passes().back().cacheAfter, 3);
        QCOMPARE(trace.reason(), std::optional(StopReason::LengthCap));
        QVERIFY(everythingOf(trace).find("Monday") == std::string::npos);
        QCOMPARE(trace.computedWithCache(), 3);
        QCOMPARE(trace.computedWithoutCache(), 5);
        const engine::StopReasonInfo& info = engine::stopReasonInfo(*trace.reason());
        QCOMPARE(info.verdict, engine::Verdict::Capped);
        QVERIFY(QString(info.words).contains("not known to be complete"));
    }

    void noCapAndNoQuestionTellsWhatIsNotSelected()
    {
        for (int cap = 1; cap <= 3; ++cap) {
            GuidedTrace trace(shipped("exhibition"), cap);
            const char* const words[] { "opens", "opens on", "Monday" };
            std::string all;
            for (;;) {
                for (const app::TraceAsked& asked : questionsHere(trace))
                    all += asked.ask + *asked.answer;
                all += everythingOf(trace);
                if (!trace.canStep())
                    break;
                trace.step();
            }
            QCOMPARE(int(trace.passes().size()), cap);
            for (int word = 0; word < 3; ++word)
                QVERIFY2((all.find(words[word]) != std::string::npos) == (word < cap), words[word]);
        }
    }

    void questionsAreAskedWhereTheyHold()
    {
        GuidedTrace whole(shipped("exhibition"));
        QVERIFY(questionsHere(whole).empty());
        whole.step();
        auto asked = questionsHere(whole);
        QCOMPARE(asked.size(), size_t(1));
        QVERIFY(asked[0].ask.find("Why is more work to come?") != std::string::npos);
        QVERIFY(!asked[0].hasNext);
        whole.step(); // the input before Monday
        asked = questionsHere(whole);
        QCOMPARE(asked.size(), size_t(1));
        QVERIFY(asked[0].ask.find("input be in the next pass") != std::string::npos);
        QVERIFY(asked[0].answer->starts_with("“The exhibition opens on”"));
        whole.step();
        asked = questionsHere(whole);
        QCOMPARE(asked.size(), size_t(3));
        QVERIFY(asked[0].ask.find("cap of 2") != std::string::npos && asked[0].hasNext);
        QVERIFY(asked[0].answer->find("“opens on”, after two passes, with 3 positions in the cache") != std::string::npos);
        QVERIFY(asked[0].answer->find("proves nothing") != std::string::npos);
        QCOMPARE(asked[1].opens, app::TraceTool::CacheQuestion);
        QCOMPARE(asked[2].opens, app::TraceTool::CappedAnswer);
        // Capped at 2 there is no next pass to ask about; the others are asked.
        GuidedTrace capped(shipped("exhibition"), 2);
        capped.step();
        questionsHere(capped);
        capped.step();
        asked = questionsHere(capped);
        QCOMPARE(asked.size(), size_t(3));
        QVERIFY(asked[0].ask.find("cap of 2") != std::string::npos);
    }

    void endsAskTheirOwnQuestions()
    {
        for (const char* name : { "stop-string", "end-token" }) {
            std::vector<std::string> asks;
            for (int cap : { 16, 2 }) {
                GuidedTrace trace(shipped(name), cap);
                std::string last;
                while (trace.canStep()) {
                    trace.step();
                    for (const app::TraceAsked& asked : questionsHere(trace))
                        last = asked.ask;
                }
                QVERIFY(trace.reason());
                asks.push_back(last);
            }
            QVERIFY(asks[0].find("cap") == std::string::npos && asks[1].find("The cap came before") == 0);
        }
    }

    void theRecordHasNoModelAndNoTimes()
    {
        GuidedTrace trace(shipped("exhibition"), 2);
        toTheEnd(trace);
        const auto record = app::traceRecord(trace);
        for (const char* field : { "checkpoint", "tokenizer", "times", "device", "opened_at", "engine_version", "sampling" })
            QVERIFY2(record[field].is_null(), field);
        QCOMPARE(record["started_by"].get<std::string>(), std::string("guide"));
        QCOMPARE(record["prompt"]["text"].get<std::string>(), std::string("The exhibition"));
        QCOMPARE(record["text"].get<std::string>(), std::string(" opens on"));
        QCOMPARE(record["caps"]["length"].get<int>(), 2);
        QCOMPARE(record["stop"]["reason"].get<std::string>(), std::string("length_cap"));
        QCOMPARE(record["stop"]["verdict"].get<std::string>(), std::string("capped"));
        QCOMPARE(record["tokens"].size(), size_t(2));
        for (const auto& token : record["tokens"]) {
            QCOMPARE(token["source"].get<std::string>(), std::string("supplied"));
            for (const char* field : { "id", "logprob", "rank", "draw", "decided_ms", "arrived_ms" })
                QVERIFY2(token[field].is_null(), field);
        }
        QCOMPARE(record["tokens"][1]["position"].get<int>(), 3); // where its key would be
        QCOMPARE(record["passes"]["prefill"].get<int>(), 1);
        QCOMPARE(record["passes"]["decode"].get<int>(), 1);
        QCOMPARE(record["passes"]["list"][0]["positions"].get<int>(), 2);
        QCOMPARE(record["passes"]["list"][1]["first_position"].get<int>(), 2);
        QVERIFY(record["passes"]["list"][1]["host_ms"].is_null());
        QVERIFY(record.dump().find("Monday") == std::string::npos);
        QVERIFY(record.dump().find("4d6f6e646179") == std::string::npos); // nor its bytes
        const auto before = app::traceRecord(GuidedTrace(shipped("exhibition")));
        QVERIFY(before["tokens"].empty() && before["stop"].is_null() && before["passes"].is_null());
    }

    void whatIsNotSelectedYetIsNowhere()
    {
        GuidedTrace trace(shipped("exhibition"));
        const TraceScript script = shipped("exhibition");
        for (size_t done = 0;; ++done) {
            for (size_t i = done; i < script.choices.size(); ++i)
                QVERIFY2(everythingOf(trace).find(script.choices[i]) == std::string::npos,
                    (std::to_string(done) + ": " + everythingOf(trace)).c_str());
            goOn(trace);
            if (!trace.canStep())
                break;
            trace.step();
        }
        QCOMPARE(trace.passes().size(), script.choices.size());
    }

    void aQuestionWaitsForThePersonsAnswer()
    {
        GuidedTrace trace(shipped("exhibition"));
        QVERIFY(!trace.asked());
        trace.step();
        QVERIFY(trace.isWaiting());
        QVERIFY(!trace.canStep());
        QVERIFY(!trace.asked()->answer);
        trace.give("");
        QVERIFY(!trace.asked()->answer); // silence is no answer
        trace.give("because");
        QCOMPARE(trace.asked()->given, std::optional<std::string>("because"));
        QVERIFY(trace.asked()->answer->find("a pass of its own") != std::string::npos);
        QVERIFY(trace.canStep());
        trace.give("something else");
        QCOMPARE(trace.asked()->given, std::optional<std::string>("because"));
    }

    void theRailQuestionsOpenTheirTools()
    {
        const TraceScript script = shipped("exhibition");
        std::vector<app::TraceTool> tools;
        for (const app::TraceQuestion& question : script.questions)
            if (question.opens != app::TraceTool::None)
                tools.push_back(question.opens);
        QCOMPARE(tools, (std::vector { app::TraceTool::CacheQuestion, app::TraceTool::CappedAnswer }));
    }

    void theStopStringIsHeldAndNeverShown()
    {
        GuidedTrace trace(shipped("stop-string"));
        std::vector<std::string> texts;
        std::vector<std::string> held;
        goOn(trace);
        while (trace.canStep()) {
            trace.step();
            texts.push_back(trace.text());
            held.push_back(trace.heldText());
            goOn(trace);
        }
        QCOMPARE(trace.reason(), std::optional(StopReason::StopString));
        QCOMPARE(trace.text(), std::string(" 1, 2"));
        QCOMPARE(texts[1], std::string(" 1")); // the comma is held
        QCOMPARE(texts[2], std::string(" 1, 2")); // it was no stop string
        QCOMPARE(texts[3], std::string(" 1, 2"));
        QCOMPARE(trace.passes().size(), size_t(5));
        QCOMPARE(held, (std::vector<std::string> { "", ",", "", ",", "" }));
    }

    void theEndTokenEndsItAndIsNoText()
    {
        GuidedTrace trace(shipped("end-token"));
        toTheEnd(trace);
        QCOMPARE(trace.reason(), std::optional(StopReason::EndToken));
        QCOMPARE(trace.text(), std::string(" Yes."));
        QCOMPARE(trace.passes().size(), size_t(3));
        QVERIFY(trace.passes().back().isEnd);
    }

    void aBadScriptIsRefusedByField_data()
    {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("message");
        QTest::newRow("no JSON") << "{" << "not whole JSON";
        QTest::newRow("nothing") << "" << "not whole JSON";
        QTest::newRow("a list") << "[1]" << "is not an object";
        QTest::newRow("too deep") << QString(5000, '[') + QString(5000, ']') << "not whole JSON";
        QTest::newRow("no version") << "{\"title\": \"t\"}" << "trace_script is missing";
        QTest::newRow("version") << "{\"trace_script\": 2}" << "knows version 1";
        const QString start = "{\"trace_script\": 1, \"title\": \"t\", ";
        QTest::newRow("no prompt") << start + "\"prompt\": [], \"choices\": [\"a\"], \"length_cap\": 1}" << "prompt has 0 units";
        QTest::newRow("unit") << start + "\"prompt\": [\"a\"], \"choices\": [7], \"length_cap\": 1}" << "choices holds 7";
        QTest::newRow("cap") << start + "\"prompt\": [\"a\"], \"choices\": [\"b\"], \"length_cap\": 0}" << "length_cap";
        QTest::newRow("tool")
            << start + "\"prompt\": [\"a\"], \"choices\": [\"b\"], \"length_cap\": 1, \"questions\": [{\"after_pass\": 1, \"ask\": \"x\", \"answer\": \"y\", \"opens\": \"z\"}]}"
            << "questions[0].opens is “z”";
        const auto row = [](const char* name, const std::string& fields, const char* message) {
            QTest::newRow(name) << QString::fromStdString(scriptWith(fields)) << message;
        };
        const std::string run = "\"choices\": [\"b\", \"c\"], \"length_cap\": 2";
        row("no choices", "\"length_cap\": 1", "choices is missing");
        row("no cap", "\"choices\": [\"b\"]", "length_cap is missing");
        row("a cap in words", "\"choices\": [\"b\"], \"length_cap\": \"two\"", "length_cap is not a whole number from 1 to 64");
        row("half a unit", "\"choices\": [\"b\"], \"length_cap\": 1.5", "length_cap is not a whole number");
        row("negative", "\"choices\": [\"b\"], \"length_cap\": -1", "length_cap is not a whole number");
        row("beyond any number", "\"choices\": [\"b\"], \"length_cap\": 99999999999999999999", "length_cap is not a whole number");
        row("no end", "\"choices\": [\"b\", \"c\"], \"length_cap\": 8", "length_cap is 8, but there are only 2 choices and nothing else ends the run");
        row("a stop string that never comes", "\"choices\": [\"b\", \"c\"], \"length_cap\": 8, \"stop_string\": \"x\"", "nothing else ends the run");
        row("a long stop string", run + ", \"stop_string\": \"" + std::string(65, 'x') + "\"", "stop_string has more than 64 bytes");
        row("an empty unit", "\"choices\": [\"\"], \"length_cap\": 1", "no unit of 1 to 64 bytes");
        row("questions", run + ", \"questions\": 3", "questions is not a list");
        row("question", run + ", \"questions\": [3]", "questions[0] is not an object");
        row("no place", run + ", \"questions\": [{\"ask\": \"x\", \"answer\": \"y\"}]", "questions[0].after_pass is missing");
        row("a pass that never comes", run + ", \"questions\": [{\"after_pass\": 2, \"ask\": \"x\", \"answer\": \"y\"}]",
            "questions[0].after_pass is not a whole number from 0 to 1");
        row("an end that never comes", run + ", \"questions\": [{\"at_end\": \"failed\", \"ask\": \"x\", \"answer\": \"y\"}]",
            "questions[0].at_end is “failed”");
        row("no answer", run + ", \"questions\": [{\"at_end\": \"any\", \"ask\": \"x\"}]", "questions[0].answer is missing");
        row("an empty question", run + ", \"questions\": [{\"at_end\": \"any\", \"ask\": \"\", \"answer\": \"y\"}]", "questions[0].ask has 0 bytes");
    }
    void aBadScriptIsRefusedByField()
    {
        QFETCH(QString, json);
        QFETCH(QString, message);
        const auto script = app::traceScriptFrom(json.toStdString());
        QVERIFY(!script);
        QVERIFY2(QString::fromStdString(script.error().message).contains(message), script.error().message.c_str());
        QVERIFY(script.error().message.size() < 300); // whatever is in the file
    }

    void hugeValuesAreRefusedInAFewWords()
    {
        const std::string big(200'000, 'x');
        for (const std::string& fields : {
                 "\"choices\": [\"" + big + "\"], \"length_cap\": 1",
                 "\"choices\": [[\"" + big + "\"]], \"length_cap\": 1",
                 "\"choices\": [\"b\"], \"length_cap\": 1, \"questions\": [{\"ask\": \"x\", \"answer\": \"y\", \"at_end\": \"" + big + "\"}]",
                 "\"choices\": [\"b\"], \"length_cap\": 1, \"questions\": [{\"at_end\": \"any\", \"ask\": \"" + big
                     + "\", \"answer\": \"y\"}]" }) {
            const auto script = app::traceScriptFrom(scriptWith(fields));
            QVERIFY(!script);
            QVERIFY2(script.error().message.size() < 300, script.error().message.substr(0, 300).c_str());
        }
        std::string many = "\"choices\": [\"b\"";
        for (int i = 0; i < 64; ++i)
            many += ", \"b\"";
        const auto script = app::traceScriptFrom(scriptWith(many + "], \"length_cap\": 1"));
        QVERIFY(!script);
        QCOMPARE(QString::fromStdString(script.error().message), QString("choices has 65 units; 1 to 64 are possible"));
    }

    void noQuestionOfAPlaceIsSteppedOver()
    {
        const auto script = app::traceScriptFrom(scriptWith("\"choices\": [\"b\", \"c\"], \"length_cap\": 2, \"questions\": ["
            "{\"after_pass\": 1, \"ask\": \"one?\", \"answer\": \"1\"}, {\"after_pass\": 1, \"ask\": \"two?\", \"answer\": \"2\"}]"));
        QVERIFY2(script, script ? "" : script.error().message.c_str());
        GuidedTrace trace(*script);
        trace.step();
        QVERIFY(trace.isWaiting() && !trace.canStep());
        trace.give("so");
        QVERIFY(!trace.isWaiting() && trace.asked()->hasNext);
        QVERIFY(!trace.canStep()); // the second waits
        trace.nextQuestion();
        QCOMPARE(trace.asked()->ask, std::string("two?"));
        QVERIFY(!trace.canStep());
        trace.give("so");
        QVERIFY(trace.canStep());
        trace.step();
        QCOMPARE(trace.passes().size(), size_t(2));
    }

    void aBadFileIsRefusedByName()
    {
        QTemporaryDir folder;
        const auto refusal = [&](const char* name, const QByteArray& bytes) {
            QFile file(folder.filePath(name));
            if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
                qFatal("not written");
            file.close();
            const auto script = app::readTraceScript(file.fileName().toStdString());
            return script ? QString() : QString::fromStdString(script.error().message);
        };
        QCOMPARE(refusal("photo.json", "\x89PNG\r\n"), QString("photo.json: it is not whole JSON: damaged, cut off or something else"));
        QCOMPARE(refusal("cut.json", QByteArray::fromStdString(scriptWith("\"choices\": [\"b\"], \"length_cap\": 1")).chopped(1)),
            QString("cut.json: it is not whole JSON: damaged, cut off or something else"));
        QCOMPARE(refusal("no-cap.json", QByteArray::fromStdString(scriptWith("\"choices\": [\"b\"]"))),
            QString("no-cap.json: length_cap is missing"));
        QCOMPARE(refusal("huge.json", QByteArray((1 << 20) + 1, ' ')), QString("huge.json: larger than 1 MiB, which no script is"));
        QCOMPARE(refusal("good.json", QByteArray::fromStdString(scriptWith("\"choices\": [\"b\"], \"length_cap\": 1"))), QString());
        const auto absent = app::readTraceScript(folder.filePath("absent.json").toStdString());
        QVERIFY(!absent);
        QCOMPARE(QString::fromStdString(absent.error().message), QString("absent.json is no file"));
        QVERIFY(!app::readTraceScript(folder.path().toStdString())); // a folder
    }

    void everyCutOfAScriptIsRefused()
    {
        QFile file(QStringLiteral(TOKENGLASS_RESOURCES "/traces/exhibition.json"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string whole = QString::fromUtf8(file.readAll()).trimmed().toStdString();
        for (size_t size = 0; size < whole.size(); ++size)
            QVERIFY(!app::traceScriptFrom(std::string_view(whole).substr(0, size)));
        QVERIFY(app::traceScriptFrom(whole));
    }
};

QTEST_APPLESS_MAIN(TestGuidedTrace)
#include "tst_guided_trace.moc"
