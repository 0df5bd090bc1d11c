#include "tests/ui/window_fixture.h"

#include <QElapsedTimer>

#include <algorithm>
#include <ctime>
#include <numeric>

namespace {

constexpr int kTokenCount = 20'000;
constexpr int kTokensPerTick = 8; // 500 a second at 16 ms
constexpr int kMessageCount = 500;
constexpr double kLongestGapMs = 100;
constexpr double kOpenMs = 300;

/// What this thread computed so far. A gap on the clock would also hold what other programs did on
/// a busy machine.
double threadMs()
{
    timespec now {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

void fill(app::Conversation& chat)
{
    for (int i = 0; i < kMessageCount / 2; ++i) {
        app::Turn* parent = chat.turns().empty() ? nullptr : chat.turns().back();
        app::Turn& question = chat.addPersonTurn(
            QString("Question %1, which is not very long.").arg(i), parent, 1'000'000 + 2 * i);
        app::DraftOrigin origin;
        origin.request.runId = engine::RunId(2'000'000 + i);
        auto draft = std::make_unique<app::Draft>(std::move(origin));
        engine::RunEnded end;
        end.runId = draft->runId();
        end.ledger.reason = engine::StopReason::EndToken;
        end.text = "An answer with a **few** words.\n\n- one\n- two\n";
        draft->apply(end);
        chat.addAnswer({}, std::move(draft), &question, 1'000'001 + 2 * i);
    }
}

double mean(const std::vector<double>& costs, size_t from, size_t count)
{
    return std::accumulate(costs.begin() + std::ptrdiff_t(from),
               costs.begin() + std::ptrdiff_t(from + count), 0.0)
        / double(count);
}

}

/// cases.md G-39 Long answers freeze the window: 20,000 tokens at 500 a second, half of them in one
/// code fence, in a chat that already has 500 messages. bench_long_answer prints more.
class TestLongAnswer : public QObject {
    Q_OBJECT
private slots:
    void g39_longAnswersDoNotFreezeTheWindow();
};

void TestLongAnswer::g39_longAnswersDoNotFreezeTheWindow()
{
    tests::WindowFixture fixture;
    fixture.engine.description.contextLength = 1 << 24;
    fixture.loadModel();
    app::Conversation& chat = fixture.chat();
    fill(chat);
    fixture.send("Write a long program.");
    std::vector<double> costs; // of each update
    for (int i = 0; i < kTokenCount; i += kTokensPerTick) {
        QElapsedTimer tick;
        tick.start();
        for (int j = i; j < i + kTokensPerTick; ++j) {
            if (j == kTokenCount / 2)
                fixture.engine.token("\n\n```cpp\n");
            fixture.engine.token(
                j % 12 == 11 ? (j > kTokenCount / 2 ? "\n    " : "\n\n") : "word ");
        }
        const double before = threadMs();
        QCoreApplication::processEvents();
        costs.push_back(threadMs() - before);
        if (const int restMs = app::EngineClient::kBatchIntervalMs - int(tick.elapsed());
            restMs > 0)
            QTest::qWait(restMs);
    }
    fixture.engine.end(engine::StopReason::LengthCap);
    fixture.settle();
    QVERIFY(chat.lastDraft()->tokenCount() > kTokenCount);

    const size_t thousand = 1000 / kTokensPerTick;
    const double first = mean(costs, 0, thousand);
    const double last = mean(costs, costs.size() - thousand, thousand);
    const double longest = *std::max_element(costs.begin(), costs.end());
    QTest::keyClick(&fixture.window, Qt::Key_N, Qt::ControlModifier);
    fixture.settle();
    const double before = threadMs();
    fixture.window.showConversation(&chat);
    QCoreApplication::processEvents();
    const double open = threadMs() - before;
    qInfo("an update costs %.2f ms at first and %.2f ms at last, at most %.1f; opening %.0f ms",
        first, last, longest, open);
    QVERIFY2(longest < kLongestGapMs, qPrintable(QString::number(longest)));
    QVERIFY2(last <= 2 * first + 1, qPrintable(QString("%1 after %2").arg(last).arg(first)));
    QVERIFY2(open < kOpenMs, qPrintable(QString::number(open)));
}

QTEST_MAIN(TestLongAnswer)
#include "tst_long_answer.moc"
