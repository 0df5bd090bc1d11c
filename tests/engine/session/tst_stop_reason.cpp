#include "engine/session/stop_reason.h"

#include <QtTest>
#include <set>

using namespace engine;

class TestStopReason : public QObject {
    Q_OBJECT
private slots:
    void rowsStandInTheOrderOfTheEnum()
    {
        QCOMPARE(stopReasonTable().size(), size_t(StopReason::Interrupted) + 1);
        for (size_t i = 0; i < stopReasonTable().size(); ++i)
            QCOMPARE(size_t(stopReasonTable()[i].reason), i);
    }
    void everyNameIsFoundAgainAndUsedOnce()
    {
        std::set<std::string> names;
        for (const StopReasonInfo& info : stopReasonTable()) {
            QCOMPARE(findStopReason(info.name), std::optional(info.reason));
            QCOMPARE(&stopReasonInfo(info.reason), &info);
            names.insert(info.name);
        }
        QCOMPARE(names.size(), stopReasonTable().size());
        QVERIFY(!findStopReason("stop"));
    }
    void onlyAnEndTokenIsComplete()
    {
        for (const StopReasonInfo& info : stopReasonTable())
            QCOMPARE(info.verdict == Verdict::Complete, info.reason == StopReason::EndToken);
    }
    void whatDidNotEndByAnsweringStaysPartial()
    {
        for (StopReason reason :
            { StopReason::Cancelled, StopReason::Failed, StopReason::Interrupted })
            QCOMPARE(stopReasonInfo(reason).verdict, Verdict::Partial);
        for (StopReason reason : { StopReason::LengthCap, StopReason::ContextFull,
                 StopReason::ThinkingCap, StopReason::TimeCap, StopReason::Repetition })
            QCOMPARE(stopReasonInfo(reason).verdict, Verdict::Capped);
        QCOMPARE(stopReasonInfo(StopReason::StopString).verdict, Verdict::Stopped);
    }
};

QTEST_APPLESS_MAIN(TestStopReason)
#include "tst_stop_reason.moc"
