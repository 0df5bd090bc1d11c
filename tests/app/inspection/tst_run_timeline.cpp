#include "app/inspection/run_timeline.h"

#include <QTest>

#include <numeric>

using app::RunPhase;
using app::TimelinePhase;

namespace {
/// A run whose events a test tells with their moments.
struct TimedRun {
    app::Draft draft { origin() };

    static app::DraftOrigin origin()
    {
        app::DraftOrigin origin;
        origin.request.runId = 1;
        return origin;
    }
    void token(std::optional<double> decidedMs)
    {
        engine::TokenDecoded event;
        event.runId = 1;
        event.text = "x";
        event.record.decidedMs = decidedMs;
        draft.apply(event);
    }
    void end(engine::RunTiming timing)
    {
        engine::RunEnded event;
        event.runId = 1;
        event.text = draft.text();
        event.timing = timing;
        draft.apply(event);
    }
    app::RunTimeline line() const { return app::runTimeline(draft); }
};

/// The draft as a later start of the program reads it.
app::Draft readBack(std::vector<engine::TokenRecord> records)
{
    app::Draft draft(TimedRun::origin(), app::DraftRemains {});
    draft.setDetails({}, {}, std::move(records));
    return draft;
}
}

/// When a run did what, from what was observed of it.
class TestRunTimeline : public QObject {
    Q_OBJECT
private slots:
    void anEndedRunHasItsPhasesOneAfterTheOther()
    {
        TimedRun run;
        for (const double ms : { 110.0, 120.0, 130.0 })
            run.token(ms);
        run.end({ 4, 5, 100, 110, 110, 131 });
        const app::RunTimeline line = run.line();
        const std::vector<TimelinePhase> right { { RunPhase::Queue, 0, 4 },
            { RunPhase::Prefill, 5, 100 }, { RunPhase::Writing, 100, 131 } };
        QVERIFY(line.phases == right);
        QCOMPARE(line.endMs, 131.0);
        QCOMPARE(line.phaseMs(RunPhase::Prefill), std::optional<double>(95));
        QVERIFY(!line.phaseMs(RunPhase::Pause));
        QCOMPARE(line.medianStepMs, std::optional<double>(10));
    }

    void beforeTheEndTheFirstPhasesAreNotToldApart()
    {
        TimedRun run;
        QVERIFY(run.line().phases.empty());
        run.token(110);
        run.token(120);
        const std::vector<TimelinePhase> right { { RunPhase::Before, 0, 110 },
            { RunPhase::Writing, 110, 120 } };
        QVERIFY(run.line().phases == right);
    }

    void aRunThatEndedInTheQueueOnlyWaited()
    {
        TimedRun run;
        run.end({ .endedMs = 30 });
        QVERIFY(run.line().phases == std::vector<TimelinePhase>({ { RunPhase::Queue, 0, 30 } }));
        TimedRun reading;
        reading.end({ .dequeuedMs = 5, .prefillStartMs = 6, .endedMs = 30 });
        QVERIFY(reading.line().phases
            == std::vector<TimelinePhase>(
                { { RunPhase::Queue, 0, 5 }, { RunPhase::Prefill, 6, 30 } }));
    }

    void aStallIsLongerThanBothLimits()
    {
        TimedRun run;
        double now = 0;
        // 14 is four times over the median but nobody sees it; 50 is the limit and not above it.
        for (const double step :
            { 0.0, 10.0, 10.0, 10.0, 10.0, 10.0, 50.0, 45.0, 51.0, 10.0, 10.0 })
            run.token(now += step);
        const app::RunTimeline line = run.line();
        QCOMPARE(line.stallCount, 1);
        QVERIFY(line.steps[8].isStall);
        QVERIFY(!line.steps[0].stepMs);
        QCOMPARE(line.steps[8].stepMs, std::optional<double>(51));

        TimedRun slow; // a slow device is slow throughout
        now = 0;
        for (const double step : { 0.0, 100.0, 100.0, 100.0, 390.0, 410.0, 100.0, 100.0 })
            slow.token(now += step);
        QCOMPARE(slow.line().stallCount, 1);
        QVERIFY(slow.line().steps[5].isStall);
    }

    void whatWasNotObservedStaysEmpty()
    {
        TimedRun run;
        run.token(std::nullopt);
        run.token(50);
        run.token(std::nullopt);
        run.end({});
        const app::RunTimeline line = run.line();
        for (const app::TokenStep& step : line.steps)
            QVERIFY(!step.stepMs && !step.deliveryMs && !step.arrivedMs);
        QVERIFY(!line.medianStepMs && !line.medianDeliveryMs && !line.slowDeliveryMs);
        QVERIFY(!line.firstPaintDelayMs && line.phases.empty());
        QVERIFY(!line.hasPauses);
    }

    void aPauseIsNoStall()
    {
        TimedRun run;
        run.draft.noteStarted();
        for (int i = 0; i < 3; ++i)
            run.token(0);
        run.draft.apply(engine::RunPaused { .runId = 1 });
        QTest::qSleep(20);
        run.draft.apply(engine::RunResumed { .runId = 1 });
        run.token(5000);
        const app::RunTimeline line = run.line();
        QVERIFY(line.hasPauses);
        QVERIFY(line.steps[3].hasPause && !line.steps[3].isStall);
        QCOMPARE(line.stallCount, 0);
        const auto paused = line.phaseMs(RunPhase::Pause);
        QVERIFY(paused && *paused >= 20 && *paused < 5000);
        QVERIFY(line.phases.back().kind == RunPhase::Pause);
    }

    void passesKnowTheTokenTheyGaveAndWhenItArrived()
    {
        using engine::PassKind;
        const auto pass = [](PassKind kind, double startMs, int position) {
            return engine::RunPass { .kind = kind, .startMs = startMs, .hostMs = 4.0, .deviceMs = {},
                .firstPosition = position, .positionCount = 1, .weightBytes = {}, .cacheBytes = {} };
        };
        TimedRun run;
        run.draft.noteStarted();
        run.draft.apply(engine::PrefillProgress { 1, 2, 2, 0,
            { pass(PassKind::Prefill, 10, 0), pass(PassKind::Prefill, 14, 1) } });
        run.token(18);
        engine::TokenDecoded second;
        second.runId = 1;
        second.record.decidedMs = 25;
        // After a pause what others took out of the cache is read again, before the pass itself.
        second.passes = { pass(PassKind::Prefill, 20, 0), pass(PassKind::Decode, 21, 2) };
        run.draft.apply(second);
        engine::RunEnded end;
        end.runId = 1;
        end.passes = { pass(PassKind::Discarded, 26, 3), pass(PassKind::Decode, 25.5, 3) };
        run.draft.apply(end);
        const app::RunTimeline line = run.line();
        std::vector<int> tokens;
        for (const app::TimelinePass& one : line.passes)
            tokens.push_back(one.token);
        // The last one's scores were never chosen from; order is that of their starts.
        QVERIFY(tokens == std::vector<int>({ -1, 0, -1, 1, -1, -1 }));
        QVERIFY(line.passes[4].pass.kind == PassKind::Decode);
        QCOMPARE(line.passOf(1), 3);
        QCOMPARE(line.passOf(2), -1);
        QVERIFY(line.passes[3].arrivedMs && line.passes[3].arrivedMs == line.steps[1].arrivedMs);
        QVERIFY(!line.passes[0].arrivedMs);
        QCOMPARE(line.batchMates(), std::optional<int>(0));
        QVERIFY(!TimedRun().line().batchMates());
    }

    void theTimesBeforeTheEngineGotItAreToldApart()
    {
        app::DraftOrigin origin = TimedRun::origin();
        origin.promptTimes = { 300.0, 500.0 };
        app::Draft draft(std::move(origin));
        draft.noteStarted();
        // A person waits from the moment of sending, so the prompt's own times count.
        QVERIFY(*draft.startedMs() >= 800);
        const app::RunTimeline line = app::runTimeline(draft);
        QCOMPARE(line.prompt, (app::PromptTimes { 300.0, 500.0 }));
        QVERIFY(line.savingMs && *line.savingMs >= 0 && *line.savingMs < 800);
        QVERIFY(!TimedRun().line().savingMs);
        // They come first, one after the other, and end where the engine gets the run.
        const double start = -*draft.startedMs();
        QCOMPARE(line.startMs, start);
        const std::vector<TimelinePhase> right { { RunPhase::Template, start, start + 300 },
            { RunPhase::Tokenise, start + 300, start + 800 } };
        QVERIFY(line.phases.size() >= 2);
        QVERIFY(std::vector<TimelinePhase>(line.phases.begin(), line.phases.begin() + 2) == right);
        QVERIFY(std::abs(line.phases.back().endMs) < 1e-6);
        QCOMPARE(TimedRun().line().startMs, 0.0);
    }

    void whatCouldBeSeenWhenIsToldInMoments()
    {
        using app::RunMoment;
        TimedRun run;
        run.token(5);
        run.end({ .firstTextMs = 6, .endedMs = 7 });
        QVERIFY(run.line().moments == std::vector<app::TimelineMoment>({ { RunMoment::FirstText, 6 } }));
        TimedRun seen;
        seen.draft.noteStarted();
        seen.token(0);
        QTest::qSleep(5);
        seen.draft.notePainted();
        seen.token(1);
        QTest::qSleep(5);
        seen.draft.notePainted();
        seen.end({ .firstTextMs = 0.5, .endedMs = 2 });
        const app::RunTimeline line = seen.line();
        QCOMPARE(line.moments.size(), size_t(3));
        QCOMPARE(line.moments[1].ms, *seen.draft.firstOutputMs() - *seen.draft.startedMs());
        QVERIFY(line.moments[2].kind == RunMoment::LastPaint);
        QVERIFY(line.moments[2].ms >= line.moments[1].ms + 5);
        QCOMPARE(line.endMs, line.moments[2].ms); // the last paint comes after the end
        QCOMPARE(line.phases.back().endMs, 2.0); // and is no part of the writing
    }

    void anEndWhilePausedEndsThePause()
    {
        TimedRun run;
        run.draft.noteStarted();
        run.token(0);
        run.draft.apply(engine::RunPaused { .runId = 1 });
        QVERIFY(!run.draft.pauses().back().endMs);
        QTest::qSleep(10);
        run.end({ .endedMs = 6000 });
        QVERIFY(run.draft.pauses().back().endMs);
        QVERIFY(*run.line().phaseMs(RunPhase::Pause) >= 10);
    }

    void deliveryIsDecidedToArrived()
    {
        std::vector<engine::TokenRecord> records(200);
        for (size_t i = 0; i < records.size(); ++i) {
            records[i].decidedMs = double(i);
            records[i].arrivedMs = double(i) + (i < 3 ? 40 : 8);
        }
        records[7].arrivedMs = 6.5; // another clock: never below zero
        const app::Draft draft = readBack(records);
        const app::RunTimeline line = app::runTimeline(draft);
        QCOMPARE(line.medianDeliveryMs, std::optional<double>(8));
        QCOMPARE(line.slowDeliveryMs, std::optional<double>(40));
        QCOMPARE(line.steps[7].deliveryMs, std::optional<double>(0));
        QVERIFY(!line.firstPaintDelayMs); // the moment it was given to the engine was not kept
    }

    void theFirstPaintCountsFromTheFirstToken()
    {
        TimedRun run;
        QTest::qSleep(30); // waits for its turn before the engine gets it
        run.draft.noteStarted();
        QTest::qSleep(20);
        run.token(5);
        QVERIFY(!run.line().firstPaintDelayMs);
        run.draft.notePainted();
        const auto delay = run.line().firstPaintDelayMs;
        QVERIFY(delay.has_value());
        const double right = *run.draft.firstOutputMs() - *run.draft.startedMs() - 5;
        QCOMPARE(*delay, right);
        QVERIFY(*delay >= 15);
    }

    void percentilesAreNearestRank()
    {
        std::vector<double> values(100);
        std::iota(values.rbegin(), values.rend(), 1.0);
        QCOMPARE(app::percentile(values, 0.5), std::optional<double>(50));
        QCOMPARE(app::percentile(values, 0.99), std::optional<double>(99));
        QCOMPARE(app::percentile({ 7 }, 0.99), std::optional<double>(7));
        QVERIFY(!app::percentile({}, 0.5));
    }
};

QTEST_APPLESS_MAIN(TestRunTimeline)
#include "tst_run_timeline.moc"
