#include "app/engine_client.h"
#include "tests/support/fake_engine.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>

#include <thread>

using Events = std::vector<engine::GenerationEvent>;

class TestEngineClient : public QObject {
    Q_OBJECT
private slots:
    void manyTokensArriveInFewBatchesAndInOrder();
    void theFirstTokenAndTheEndDoNotWait();
    void modelAndRunEventsKeepTheirOrder();
    void eventsArriveOnTheThreadOfTheClient();
};

void TestEngineClient::manyTokensArriveInFewBatchesAndInOrder()
{
    constexpr int kTokens = 3000;
    tests::FakeEngine fake;
    app::EngineClient client(fake.factory());
    int batches = 0;
    std::vector<int> indices;
    std::vector<int> chunks;
    bool ended = false;
    connect(&client, &app::EngineClient::runEvents, this, [&](const Events& events) {
        ++batches;
        for (const auto& event : events) {
            if (const auto* token = std::get_if<engine::TokenDecoded>(&event)) {
                indices.push_back(token->index);
                chunks.push_back(token->record.chunk);
            }
            ended = ended || std::holds_alternative<engine::RunEnded>(event);
        }
    });
    client.generate({ .runId = 1 });
    QElapsedTimer timer;
    timer.start();
    std::thread worker([&] {
        for (int i = 0; i < kTokens; ++i) {
            fake.token("a");
            if (i % 10 == 0)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        fake.end(engine::StopReason::LengthCap);
    });
    QTRY_VERIFY_WITH_TIMEOUT(ended, 20'000);
    worker.join();
    QCOMPARE(int(indices.size()), kTokens);
    for (int i = 0; i < kTokens; ++i)
        QCOMPARE(indices[size_t(i)], i);
    QVERIFY(std::is_sorted(chunks.begin(), chunks.end()));
    // One batch per interval, and one each for the first token and the end.
    QVERIFY(batches <= int(timer.elapsed()) / app::EngineClient::kBatchIntervalMs + 4);
    QVERIFY(batches < kTokens / 4);
}

void TestEngineClient::theFirstTokenAndTheEndDoNotWait()
{
    tests::FakeEngine fake;
    app::EngineClient client(fake.factory());
    QSignalSpy batches(&client, &app::EngineClient::runEvents);
    client.generate({ .runId = 1 });
    fake.prefill(1, 2);
    QCoreApplication::processEvents();
    const int before = int(batches.count());
    fake.token("first"); // the interval since the last batch has not passed
    QCoreApplication::processEvents();
    QCOMPARE(int(batches.count()), before + 1);
    fake.token("second");
    fake.end(engine::StopReason::EndToken);
    QCoreApplication::processEvents();
    QCOMPARE(int(batches.count()), before + 2);
}

void TestEngineClient::modelAndRunEventsKeepTheirOrder()
{
    tests::FakeEngine fake;
    app::EngineClient client(fake.factory());
    QStringList order;
    connect(
        &client, &app::EngineClient::runEvents, this, [&](const Events&) { order.append("run"); });
    connect(&client, &app::EngineClient::modelEvent, this,
        [&](const engine::ModelEvent&) { order.append("model"); });
    client.load({ .path = "a.gguf" });
    client.generate({ .runId = 1 });
    fake.token("a");
    fake.finishLoad();
    fake.token("b");
    QCoreApplication::processEvents();
    QCOMPARE(order, QStringList({ "run", "model", "run" }));
}

void TestEngineClient::eventsArriveOnTheThreadOfTheClient()
{
    tests::FakeEngine fake;
    app::EngineClient client(fake.factory());
    QThread* seen = nullptr;
    connect(
        &client, &app::EngineClient::runEvents, this,
        [&](const Events&) { seen = QThread::currentThread(); }, Qt::DirectConnection);
    client.generate({ .runId = 1 });
    std::thread([&] { fake.token("a"); }).join();
    QTRY_COMPARE(seen, thread());
}

QTEST_GUILESS_MAIN(TestEngineClient)
#include "tst_engine_client.moc"
