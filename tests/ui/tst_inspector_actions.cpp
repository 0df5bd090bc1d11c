#include "tests/ui/window_fixture.h"
#include "ui/inspect/candidate_list.h"
#include "ui/inspect/fork_line.h"
#include "ui/inspect/inspector_actions.h"
#include "ui/inspect/inspector_control.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/sampler_panel.h"
#include "ui/inspect/step_bar.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"

#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

using engine::StopReason;

namespace {
struct Inspected : tests::WindowFixture {
    ui::TokenStrip& strip() { return window.inspectorPane().tokens().strip(); }
    ui::StepBar& steps() { return window.inspectorActions().steps(); }
    void open()
    {
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        settle();
    }
    void press(Qt::Key key)
    {
        QTest::keyClick(window.focusWidget(), key);
        settle();
    }
    /// A token that could have been 'Z' too.
    void token(char letter, int index)
    {
        engine::TokenDecoded event;
        event.runId = engine.requests.back().runId;
        event.index = index;
        event.record.id = letter;
        event.record.bytes = std::string(1, letter);
        event.record.logprob = -0.2f;
        event.record.rank = 1;
        event.record.logSumExp = 3.0f;
        event.record.entropy = 0.5f;
        event.record.draw = 0.3;
        event.record.position = int(engine.requests.back().promptIds.size()) + index;
        event.record.top = { { letter, -0.2f, 0.9f, engine::SamplerStage::None },
            { 'Z', -1.8f, 0.1f, engine::SamplerStage::None } };
        event.text = event.record.bytes;
        engine.push(event);
        settle();
    }
    void answer(const std::string& letters, bool ends = true)
    {
        send("Hi");
        for (size_t i = 0; i < letters.size(); ++i)
            token(letters[i], int(i));
        if (ends)
            engine.end(StopReason::LengthCap, [&](engine::RunEnded& end) { end.text = letters; });
        settle();
    }
    QToolButton* button(const QString& words)
    {
        for (QToolButton* button : steps().findChildren<QToolButton*>())
            if (button->text() == words)
                return button;
        return nullptr;
    }
};
}

/// ui/inspect/inspector_actions.h in the whole window.
class TestInspectorActions : public QObject {
    Q_OBJECT
private slots:
    void anAlternativeBecomesABranchByKeys()
    {
        Inspected room;
        room.loadModel();
        room.answer("ABC");
        const app::Turn* old = room.chat().lastAnswerTurn();
        room.open();
        QCOMPARE(room.window.focusWidget(), static_cast<QWidget*>(&room.strip()));
        room.press(Qt::Key_End);
        room.press(Qt::Key_Left); // B
        ui::CandidateList& candidates = room.window.inspectorPane().tokens().details().candidates();
        candidates.setFocus();
        QTest::keyClick(&candidates, Qt::Key_Down); // Z
        QTest::keyClick(&candidates, Qt::Key_F);
        room.settle();
        const engine::GenerationRequest& fork = room.engine.requests.back();
        QCOMPARE(fork.forcedIds, (engine::TokenIds { 'Z' }));
        QCOMPARE(fork.draftTokenCount, 1);
        QCOMPARE(fork.promptIds.back(), engine::TokenId('A'));
        QVERIFY(room.chat().lastAnswerTurn() != old);
        QCOMPARE(old->answer->text(), std::string("ABC"));
        QCOMPARE(room.chat().lastAnswer()->text(), std::string("A"));
        room.token('Z', 0);
        room.engine.end(StopReason::EndToken, [](engine::RunEnded& end) { end.text = "Z"; });
        room.settle();
        QVERIFY2(room.footerText().contains("forked after 1 token") || room.figures().contains("forked after 1 token"),
            qPrintable(room.figures()));
    }

    void aForkOfAForkTellsWhatItKeptThatNobodySampled()
    {
        Inspected room;
        room.loadModel();
        room.answer("A");
        QVERIFY(room.workspace.fork(room.chat(), *room.chat().lastAnswerTurn(), 1, engine::TokenId('Z')));
        engine::TokenDecoded forced;
        forced.runId = room.engine.requests.back().runId;
        forced.text = forced.record.bytes = "Z";
        forced.record.id = 'Z';
        forced.record.source = engine::TokenSource::Forced;
        room.engine.push(forced);
        room.engine.end(StopReason::LengthCap, [](engine::RunEnded& end) { end.text = "Z"; });
        room.settle();
        QVERIFY2(room.figures().contains("forked after 1 token"), qPrintable(room.figures()));
        QVERIFY(!room.figures().contains("of them"));
        QVERIFY(room.workspace.fork(room.chat(), *room.chat().lastAnswerTurn(), 2, engine::TokenId('Y')));
        room.settle();
        QVERIFY2(room.figures().contains("forked after 2 tokens, 1 of them not sampled"), qPrintable(room.figures()));
    }

    void aTokenIsBannedHereOrInTheChat()
    {
        Inspected room;
        room.loadModel();
        room.answer("ABC");
        room.open();
        room.press(Qt::Key_End);
        room.press(Qt::Key_Left); // B
        ui::TokenDetails& details = room.window.inspectorPane().tokens().details();
        auto* here = details.findChild<QToolButton*>("banHere");
        QCOMPARE(here->text(), QString("Ban here"));
        QCOMPARE(here->accessibleName(), QString("Ban ‘B’ here"));
        here->setFocus();
        QTest::keyClick(here, Qt::Key_Space);
        room.settle();
        QCOMPARE(room.engine.requests.back().bannedFirstIds, (engine::TokenIds { 'B' }));
        QVERIFY(room.engine.requests.back().sampling.bannedIds.empty());
        QCOMPARE(room.engine.requests.back().draftTokenCount, 1);
        room.token('D', 0);
        room.engine.end(StopReason::LengthCap, [](engine::RunEnded& end) { end.text = "D"; });
        room.settle();
        room.strip().setFocus();
        room.press(Qt::Key_End); // D
        auto* inChat = details.findChild<QToolButton*>("banEverywhere");
        QCOMPARE(inChat->accessibleName(), QString("Ban ‘D’ in this chat"));
        QTest::mouseClick(inChat, Qt::LeftButton);
        room.settle();
        const engine::GenerationRequest& request = room.engine.requests.back();
        QCOMPARE(request.sampling.bannedIds, (engine::TokenIds { 'D' }));
        QVERIFY(request.bannedFirstIds.empty());
        QCOMPARE(request.draftTokenCount, 1);
        QCOMPARE(room.chat().settings().bannedTokens.size(), size_t(1));
        room.engine.end(StopReason::LengthCap, [](engine::RunEnded& end) { end.text = ""; });
        room.settle();
        room.send("Again"); // and from now on
        QCOMPARE(room.engine.requests.back().sampling.bannedIds, (engine::TokenIds { 'D' }));
    }

    void settingsOfARunWithBansLeaveThoseOfTheChatAlone()
    {
        Inspected room;
        room.loadModel();
        engine::SamplerSettings tried;
        tried.bannedIds = { 5 };
        emit room.window.inspectorPane().sampler().settingsChosen(tried);
        QVERIFY(room.chat().settings().sampling.bannedIds.empty());
    }

    void ownWordsBecomeABranch()
    {
        Inspected room;
        room.loadModel();
        room.answer("ABC");
        room.open();
        room.press(Qt::Key_End);
        auto* line = room.window.inspectorActions().forkLine().findChild<QLineEdit*>();
        line->setFocus();
        QTest::keyClicks(line, "no");
        QTest::keyClick(line, Qt::Key_Return);
        room.settle();
        QCOMPARE(room.engine.requests.back().forcedIds, (engine::TokenIds { 'n', 'o' }));
        QCOMPARE(room.engine.requests.back().draftTokenCount, 2);
        QVERIFY(line->text().isEmpty());
    }

    void aForkOfAnAnswerThatIsWrittenWaitsForItsEnd()
    {
        Inspected room;
        room.loadModel();
        room.open();
        room.answer("AB", false);
        const size_t runs = room.engine.requests.size();
        room.strip().setFocus();
        room.press(Qt::Key_End);
        ui::CandidateList& candidates = room.window.inspectorPane().tokens().details().candidates();
        candidates.setFocus();
        QTest::keyClick(&candidates, Qt::Key_Down);
        QTest::keyClick(&candidates, Qt::Key_F);
        room.settle();
        QCOMPARE(room.engine.cancelled.size(), size_t(1));
        QCOMPARE(room.engine.requests.size(), runs);
        room.engine.end(StopReason::Cancelled, [](engine::RunEnded& end) { end.text = "AB"; });
        room.settle();
        QCOMPARE(room.engine.requests.size(), runs + 1);
        QCOMPARE(room.engine.requests.back().draftTokenCount, 1);
    }

    void triedSettingsBecomeThoseOfTheChat()
    {
        Inspected room;
        room.loadModel();
        room.answer("ABC");
        room.open();
        engine::SamplerSettings tried;
        tried.temperature = 0.3f;
        tried.topK = 7;
        tried.seed = 99;
        const auto seed = room.chat().settings().sampling.seed;
        emit room.window.inspectorPane().sampler().settingsChosen(tried);
        QCOMPARE(room.chat().settings().sampling.topK, 7);
        QCOMPARE(room.chat().settings().sampling.temperature, 0.3f);
        QCOMPARE(room.chat().settings().sampling.seed, seed);
    }

    void tokensAreSavedAsATable()
    {
        Inspected room;
        room.loadModel();
        room.answer("ABC");
        room.open();
        ui::InspectorActions& actions = room.window.inspectorActions();
        const auto contents = [&](const QString& name) {
            QFile file(room.folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(actions.saveTokens(room.folder.filePath("tokens.csv")));
        QVERIFY(contents("tokens.csv").startsWith("index,place,id,text"));
        QCOMPARE(contents("tokens.csv").count("answer"), 3);
        QVERIFY(actions.saveTokens(room.folder.filePath("tokens.json")));
        QVERIFY(contents("tokens.json").startsWith("{"));
        QVERIFY(!actions.saveTokens(room.folder.filePath("no such folder/tokens.csv")));
        QVERIFY(room.chat().problem());
        QVERIFY(room.chat().problem()->message.contains("no such folder"));
    }

    void typedTokensAreTakenNextInAPause()
    {
        Inspected room;
        room.loadModel();
        room.open();
        room.answer("AB", false);
        room.engine.pause(engine::PauseCause::Asked);
        room.settle();
        room.strip().setFocus();
        room.press(Qt::Key_T);
        auto* field = room.steps().findChild<QLineEdit*>("nextTokens");
        QCOMPARE(room.window.focusWidget(), static_cast<QWidget*>(field));
        QTest::keyClicks(field, "no");
        QCOMPARE(room.steps().findChild<QLabel*>("nextWords")->text(), QString("2 tokens: ‘n’ ‘o’"));
        QTest::keyClick(field, Qt::Key_Return);
        room.settle();
        QCOMPARE(room.engine.resumed.size(), size_t(1));
        QCOMPARE(room.engine.resumed[0].second.forcedIds, (engine::TokenIds { 'n', 'o' }));
        QCOMPARE(room.engine.resumed[0].second.tokens, std::optional(2));
        QVERIFY(field->text().isEmpty());
        room.engine.resume();
        engine::TokenDecoded event;
        event.runId = room.engine.requests.back().runId;
        event.index = 2;
        event.record.id = 'n';
        event.record.bytes = event.text = "n";
        event.record.source = engine::TokenSource::Forced;
        room.engine.push(event);
        room.settle();
        const app::TokenTrack* track = room.window.inspectorPane().tokens().track();
        QCOMPARE(track->tokens().back().source, engine::TokenSource::Forced);
        room.engine.pause(engine::PauseCause::StepsDone);
        room.settle();
        QTest::keyClicks(field, "x");
        QTest::mouseClick(room.button("Take"), Qt::LeftButton);
        QCOMPARE(room.engine.resumed.size(), size_t(2));
        QCOMPARE(room.engine.resumed[1].second.forcedIds, (engine::TokenIds { 'x' }));
    }

    void stepModeByKeysAndMouse()
    {
        Inspected room;
        room.loadModel();
        room.open();
        room.answer("AB", false);
        room.strip().setFocus();
        room.press(Qt::Key_Space);
        QCOMPARE(room.engine.paused.size(), size_t(1));
        room.engine.pause(engine::PauseCause::Asked);
        room.settle();
        QVERIFY(room.stateLabel()->text().contains("paused"));
        room.press(Qt::Key_Period);
        QCOMPARE(room.engine.resumed.size(), size_t(1));
        QCOMPARE(room.engine.resumed[0].second.tokens, std::optional(1));
        room.engine.resume();
        room.token('C', 2);
        room.engine.pause(engine::PauseCause::StepsDone);
        room.settle();
        QTest::mouseClick(room.button("Go on"), Qt::LeftButton);
        QCOMPARE(room.engine.resumed.size(), size_t(2));
        room.engine.resume();
        room.engine.end(StopReason::LengthCap, [](engine::RunEnded& end) { end.text = "ABC"; });
        room.settle();
        QVERIFY(!room.button("Pause")->isEnabled());
    }
};

QTEST_MAIN(TestInspectorActions)
#include "tst_inspector_actions.moc"
