#include "tests/ui/window_fixture.h"
#include "ui/inspect/inspector_control.h"

#include <QAction>
#include <QElapsedTimer>

#include <algorithm>
#include <iostream>

/// How a very long answer feels (case G-39): 20,000 tokens at 500 a second, half of them in one
/// code fence, in a chat that already has 500 messages. Prints what an update costs as the answer
/// grows and the largest gap in the event loop. With "inspector" as second argument it is open
/// beside the answer. A benchmark: nothing here passes or fails.
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const int tokens = argc > 1 ? std::atoi(argv[1]) : 20'000;
    constexpr int kTokensPerTick = 8; // 500 a second at 16 ms
    tests::WindowFixture fixture;
    fixture.engine.description.contextLength = 1 << 24;
    fixture.loadModel();
    app::Conversation& chat = fixture.chat();
    for (int i = 0; i < 250; ++i) {
        app::Turn* parent = chat.turns().empty() ? nullptr : chat.turns().back();
        app::Turn& question = chat.addPersonTurn(
            QStringLiteral("Question %1, which is not very long.").arg(i), parent, 2 * i + 1);
        app::DraftOrigin origin;
        origin.request.runId = engine::RunId(1'000'000 + i);
        auto draft = std::make_unique<app::Draft>(std::move(origin));
        engine::RunEnded end;
        end.runId = draft->runId();
        end.ledger.reason = engine::StopReason::EndToken;
        end.text = "An answer with a **few** words.\n\n- one\n- two\n";
        draft->apply(end);
        chat.addAnswer({}, std::move(draft), &question, 2 * i + 2);
    }
    if (argc > 2 && QByteArrayView(argv[2]) == "inspector")
        fixture.window.inspector().action()->setChecked(true);
    fixture.edit()->setFocus();
    fixture.send(QStringLiteral("Write a long program."));
    std::vector<double> costs;
    QElapsedTimer whole;
    whole.start();
    double largestGapMs = 0;
    for (int i = 0; i < tokens; i += kTokensPerTick) {
        QElapsedTimer tick;
        tick.start();
        for (int j = i; j < i + kTokensPerTick; ++j) {
            if (j == tokens / 2)
                fixture.engine.token("\n\n```cpp\n");
            const bool inCode = j > tokens / 2;
            fixture.engine.token(j % 12 == 11 ? (inCode ? "\n    " : "\n\n") : "word ");
        }
        QCoreApplication::processEvents();
        costs.push_back(double(tick.nsecsElapsed()) / 1e6);
        largestGapMs = std::max(largestGapMs, costs.back());
        const int restMs = app::EngineClient::kBatchIntervalMs - int(tick.elapsed());
        if (restMs > 0)
            QTest::qWait(restMs);
    }
    fixture.engine.end(engine::StopReason::LengthCap);
    fixture.settle();
    const auto mean = [&](size_t from, size_t to) {
        double sum = 0;
        for (size_t i = from; i < to; ++i)
            sum += costs[i];
        return sum / double(std::max<size_t>(1, to - from));
    };
    const size_t thousand = std::min(costs.size(), size_t(1000 / kTokensPerTick));
    std::cout << tokens << " tokens in " << whole.elapsed() / 1000.0 << " s\n"
              << "mean cost of an update, first 1,000 tokens: " << mean(0, thousand) << " ms\n"
              << "mean cost of an update, last 1,000 tokens:  "
              << mean(costs.size() - thousand, costs.size()) << " ms\n"
              << "largest gap: " << largestGapMs << " ms\n";
    fixture.window.showConversation(
        &fixture.workspace.addConversation(app::ConversationKind::Chat));
    fixture.settle();
    QElapsedTimer opening;
    opening.start();
    fixture.window.showConversation(&chat);
    fixture.window.repaint();
    std::printf("opening this chat again: %.0f ms\n", double(opening.nsecsElapsed()) / 1e6);
    return 0;
}
