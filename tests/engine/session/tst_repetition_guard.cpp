#include "engine/session/repetition_guard.h"

#include <QtTest>

using namespace engine;

namespace {
/// A guard that has seen these tokens one by one.
RepetitionGuard guardAfter(const TokenIds& ids, const RepetitionLimits& limits)
{
    RepetitionGuard guard(limits);
    for (size_t count = 1; count <= ids.size(); ++count)
        guard.note(std::span(ids).first(count));
    return guard;
}

/// The repeats counted the plain way: for each period, backwards from the end.
Repetition countedPlainly(const TokenIds& ids, int longestPeriod)
{
    Repetition best;
    for (int period = 1; period <= longestPeriod; ++period) {
        int equal = 0;
        for (size_t i = ids.size(); i-- > size_t(period) && ids[i] == ids[i - size_t(period)];)
            ++equal;
        if (1 + equal / period > best.count)
            best = { period, 1 + equal / period };
    }
    return best;
}
}

class TestRepetitionGuard : public QObject {
    Q_OBJECT
private slots:
    void nothingIsNearBeforeTheFirstToken()
    {
        QVERIFY(!guardAfter({}, { 4, 2 }).nearest());
        QVERIFY(!guardAfter({}, { 4, 2 }).holds());
    }
    void aPeriodHoldsWhenItsLastRepeatIsWholeAndNotBefore()
    {
        const TokenIds ids { 9, 1, 2, 3, 1, 2, 3, 1, 2, 3 };
        for (size_t count = 1; count < ids.size(); ++count)
            QVERIFY(
                !guardAfter(TokenIds(ids.begin(), ids.begin() + long(count)), { 8, 3 }).holds());
        const RepetitionGuard whole = guardAfter(ids, { 8, 3 });
        QVERIFY(whole.holds());
        QCOMPARE(*whole.nearest(), (Repetition { 3, 3 }));
    }
    void aPeriodLongerThanTheLimitDoesNotCount()
    {
        const TokenIds ids { 1, 2, 3, 1, 2, 3, 1, 2, 3 };
        QVERIFY(guardAfter(ids, { 3, 3 }).holds());
        QVERIFY(!guardAfter(ids, { 2, 3 }).holds());
    }
    void ofPeriodsAlikeTheShortestIsTold()
    {
        // 5 5 5 5 is also twice "5 5".
        QCOMPARE(*guardAfter({ 5, 5, 5, 5 }, { 4, 9 }).nearest(), (Repetition { 1, 4 }));
    }
    void anotherTokenBreaksEveryPeriod()
    {
        QCOMPARE(*guardAfter({ 1, 2, 1, 2, 1, 2, 7 }, { 4, 3 }).nearest(), (Repetition { 1, 1 }));
    }
    void itCountsWhatCountingBackwardsCounts()
    {
        uint32_t state = 1;
        TokenIds ids;
        RepetitionGuard guard({ 12, 5 });
        for (int i = 0; i < 3000; ++i) {
            state = state * 1664525u + 1013904223u;
            // Long stretches that repeat, broken now and then.
            const bool breaks = state >> 24 < 12;
            ids.push_back(ids.size() < 5 || breaks ? TokenId(state >> 30) : ids[ids.size() - 5]);
            guard.note(ids);
            QCOMPARE(*guard.nearest(), countedPlainly(ids, 12));
        }
    }
    void limitsThatMakeNoSenseAreRefused_data()
    {
        QTest::addColumn<int>("period");
        QTest::addColumn<int>("count");
        QTest::addColumn<bool>("usable");
        QTest::newRow("no period") << 0 << 8 << false;
        QTest::newRow("too long") << RepetitionLimits::kLongestPeriod + 1 << 8 << false;
        QTest::newRow("once is no repeat") << 8 << 1 << false;
        QTest::newRow("least") << 1 << 2 << true;
        QTest::newRow("most") << RepetitionLimits::kLongestPeriod << RepetitionLimits::kMostRepeats
                              << true;
    }
    void limitsThatMakeNoSenseAreRefused()
    {
        QFETCH(int, period);
        QFETCH(int, count);
        QFETCH(bool, usable);
        QCOMPARE(bool(checkRepetitionLimits({ period, count })), usable);
    }
};

QTEST_APPLESS_MAIN(TestRepetitionGuard)
#include "tst_repetition_guard.moc"
