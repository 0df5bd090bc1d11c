#include "app/guide/guided_trace.h"

#include <QFile>
#include <QTest>

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
    return all;
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
        goOn(trace);
        while (trace.canStep()) {
            trace.step();
            texts.push_back(trace.text());
            goOn(trace);
        }
        QCOMPARE(trace.reason(), std::optional(StopReason::StopString));
        QCOMPARE(trace.text(), std::string(" 1, 2"));
        QCOMPARE(texts[1], std::string(" 1")); // the comma is held
        QCOMPARE(texts[2], std::string(" 1, 2")); // it was no stop string
        QCOMPARE(texts[3], std::string(" 1, 2"));
        QCOMPARE(trace.passes().size(), size_t(5));
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
        QTest::newRow("version") << "{\"trace_script\": 2}" << "knows version 1";
        const QString start = "{\"trace_script\": 1, \"title\": \"t\", ";
        QTest::newRow("no prompt") << start + "\"prompt\": [], \"choices\": [\"a\"], \"length_cap\": 1}" << "prompt has 0 units";
        QTest::newRow("unit") << start + "\"prompt\": [\"a\"], \"choices\": [7], \"length_cap\": 1}" << "choices holds 7";
        QTest::newRow("cap") << start + "\"prompt\": [\"a\"], \"choices\": [\"b\"], \"length_cap\": 0}" << "length_cap";
        QTest::newRow("tool")
            << start + "\"prompt\": [\"a\"], \"choices\": [\"b\"], \"length_cap\": 1, \"questions\": [{\"after_pass\": 1, \"ask\": \"x\", \"answer\": \"y\", \"opens\": \"z\"}]}"
            << "questions[0].opens is “z”";
    }
    void aBadScriptIsRefusedByField()
    {
        QFETCH(QString, json);
        QFETCH(QString, message);
        const auto script = app::traceScriptFrom(json.toStdString());
        QVERIFY(!script);
        QVERIFY2(QString::fromStdString(script.error().message).contains(message), script.error().message.c_str());
    }
};

QTEST_APPLESS_MAIN(TestGuidedTrace)
#include "tst_guided_trace.moc"
