#include "engine/base/job.h"

#include <QtTest>
#include <atomic>
#include <memory>
#include <thread>

using namespace engine;
using namespace std::chrono_literals;

namespace {
/// Works until it is asked to stop.
Result<int> workUntilStopped(std::stop_token stop)
{
    while (!stop.stop_requested())
        std::this_thread::sleep_for(1ms);
    return Error::cancelled("stopped");
}
}

class TestJob : public QObject {
    Q_OBJECT
private slots:
    void aJobEndsInItsValueFromAnotherThread()
    {
        Job<std::thread::id> job(
            [](std::stop_token) { return Result(std::this_thread::get_id()); });
        const auto id = job.take({});
        QVERIFY(id.has_value());
        QVERIFY(*id != std::this_thread::get_id());
    }

    void aJobEndsInItsError()
    {
        Job<int> job([](std::stop_token) -> Result<int> { return Error::io("no such file"); });
        const auto value = job.take({});
        QVERIFY(!value.has_value());
        QCOMPARE(value.error().message, std::string("no such file"));
    }

    void aCancelStopsTheWorkWithin250Ms()
    {
        Job<int> job(workUntilStopped);
        QVERIFY(!job.isDone());
        const auto start = std::chrono::steady_clock::now();
        const auto value = job.take([] { return true; });
        QVERIFY(std::chrono::steady_clock::now() - start < 250ms);
        QVERIFY(!value.has_value());
        QCOMPARE(value.error().code, ErrorCode::Cancelled);
    }

    void nothingRunsOnAfterAJobIsGone()
    {
        std::atomic<bool> ended = false;
        {
            Job<int> job([&ended](std::stop_token stop) {
                const Result<int> result = workUntilStopped(stop);
                ended = true;
                return result;
            });
        }
        QVERIFY(ended);
    }

    void aMoveOnlyValueComesOut()
    {
        Job<std::unique_ptr<int>> job(
            [](std::stop_token) { return Result<std::unique_ptr<int>>(std::make_unique<int>(7)); });
        const auto value = job.take({});
        QVERIFY(value.has_value());
        QCOMPARE(**value, 7);
    }
};

QTEST_APPLESS_MAIN(TestJob)
#include "tst_job.moc"
