#include "app/conversation/draft.h"

#include <QTest>

using app::Draft;
using app::DraftState;
using engine::StopReason;
using engine::Verdict;

namespace {

Draft draftOfRun(engine::RunId runId, int cap = 3)
{
    app::DraftOrigin origin;
    origin.request.runId = runId;
    origin.request.lengthCap = cap;
    return Draft(std::move(origin));
}

engine::TokenDecoded token(engine::RunId runId, int index, const std::string& text)
{
    engine::TokenDecoded event;
    event.runId = runId;
    event.index = index;
    event.text = text;
    return event;
}

engine::RunEnded ended(engine::RunId runId, StopReason reason, const std::string& text = {})
{
    engine::RunEnded event;
    event.runId = runId;
    event.ledger.reason = reason;
    event.text = text;
    return event;
}

}

class TestDraft : public QObject {
    Q_OBJECT
private slots:
    void isPartialUntilTheTerminalEvent_data();
    void isPartialUntilTheTerminalEvent();
    void ignoresOtherRunsAndWhatComesAfterTheEnd();
    void statesFollowTheEvents();
    void aPausedDraftIsPartialAndItsPausesAreNoWriting();
    void textIsThatOfTheTerminalEvent();
    void timesCountFromSubmission();
    void theReadRateOfAnEndedDraftNoLongerChanges();
};

void TestDraft::isPartialUntilTheTerminalEvent_data()
{
    QTest::addColumn<int>("reason");
    QTest::addColumn<int>("verdict");
    for (const engine::StopReasonInfo& row : engine::stopReasonTable())
        QTest::newRow(row.name) << int(row.reason) << int(row.verdict);
}

void TestDraft::isPartialUntilTheTerminalEvent()
{
    QFETCH(int, reason);
    QFETCH(int, verdict);
    Draft draft = draftOfRun(1);
    QVERIFY(draft.isPartial());
    for (int i = 0; i < 3; ++i) { // the third is the cap-th
        draft.apply(token(1, i, "a"));
        QVERIFY(draft.isPartial());
        QVERIFY(!draft.ending());
    }
    draft.apply(ended(1, StopReason(reason), "aaa"));
    QCOMPARE(draft.state(), DraftState::Ended);
    QCOMPARE(draft.verdict(), Verdict(verdict));
}

void TestDraft::ignoresOtherRunsAndWhatComesAfterTheEnd()
{
    Draft draft = draftOfRun(1);
    draft.apply(token(2, 0, "other"));
    draft.apply(ended(2, StopReason::EndToken));
    QCOMPARE(draft.state(), DraftState::Queued);
    QVERIFY(draft.text().empty());
    draft.apply(ended(1, StopReason::Cancelled));
    draft.apply(token(1, 0, "late"));
    draft.apply(ended(1, StopReason::EndToken));
    QCOMPARE(draft.ending()->ledger.reason, StopReason::Cancelled);
    QVERIFY(draft.text().empty());
}

void TestDraft::statesFollowTheEvents()
{
    Draft draft = draftOfRun(1);
    draft.apply(engine::RunQueued { 1, 2 });
    QCOMPARE(draft.state(), DraftState::Queued);
    QCOMPARE(draft.queuedBehind(), 2);
    draft.apply(engine::PrefillProgress { 1, 5, 10, 2 });
    QCOMPARE(draft.state(), DraftState::Prefilling);
    draft.apply(token(1, 0, "a"));
    QCOMPARE(draft.state(), DraftState::Writing);
}

void TestDraft::aPausedDraftIsPartialAndItsPausesAreNoWriting()
{
    Draft draft = draftOfRun(1);
    draft.noteStarted();
    draft.apply(token(1, 0, "a"));
    draft.apply(engine::RunPaused { 1, engine::PauseCause::Entropy });
    QCOMPARE(draft.state(), DraftState::Paused);
    QCOMPARE(draft.pauseCause(), engine::PauseCause::Entropy);
    QVERIFY(draft.isPartial());
    QTest::qSleep(120);
    draft.apply(engine::RunResumed { 1 });
    QCOMPARE(draft.state(), DraftState::Writing);
    draft.apply(token(1, 1, "b"));
    QVERIFY(draft.writeRate().value_or(0) > 1000 / 60.0); // one token, and not in 120 ms
    QVERIFY(*draft.records()[1].arrivedMs - *draft.records()[0].arrivedMs >= 120);
    draft.apply(engine::RunPaused { 1, engine::PauseCause::Asked });
    draft.apply(ended(1, StopReason::Cancelled, "ab"));
    QVERIFY(draft.isPartial());
}

void TestDraft::textIsThatOfTheTerminalEvent()
{
    Draft draft = draftOfRun(1);
    engine::TokenDecoded held = token(1, 0, "1, ");
    held.heldText = "5,";
    held.heldFor = "5, 6";
    draft.apply(held);
    QCOMPARE(draft.heldText(), std::string("5,"));
    draft.apply(engine::TextReleased { 1, "5," });
    QCOMPARE(draft.text(), std::string("1, 5,"));
    QVERIFY(draft.heldText().empty());
    draft.apply(ended(1, StopReason::EndToken, "1, 5,!"));
    QCOMPARE(draft.text(), std::string("1, 5,!"));
}

void TestDraft::timesCountFromSubmission()
{
    Draft draft = draftOfRun(1);
    QVERIFY(!draft.firstOutputMs());
    QVERIFY(!draft.completionMs());
    draft.notePainted();
    QVERIFY(!draft.firstOutputMs()); // nothing was there to paint
    draft.apply(token(1, 0, "a"));
    draft.notePainted();
    const double first = *draft.firstOutputMs();
    draft.notePainted();
    QCOMPARE(*draft.firstOutputMs(), first); // only the first paint counts
    engine::RunEnded end = ended(1, StopReason::EndToken);
    end.timing.endedMs = 1234;
    draft.apply(end);
    QCOMPARE(*draft.completionMs(), 1234.0);
}

void TestDraft::theReadRateOfAnEndedDraftNoLongerChanges()
{
    Draft draft = draftOfRun(1);
    draft.apply(engine::PrefillProgress { 1, 0, 64, 0 });
    QTest::qWait(2);
    draft.apply(engine::PrefillProgress { 1, 32, 64, 0 });
    draft.apply(ended(1, StopReason::Cancelled)); // while it read the prompt
    const auto rate = draft.readRate();
    QVERIFY(rate);
    QTest::qWait(5);
    QCOMPARE(*draft.readRate(), *rate);
}

QTEST_GUILESS_MAIN(TestDraft)
#include "tst_draft.moc"
