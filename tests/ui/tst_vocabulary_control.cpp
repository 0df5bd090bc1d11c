#include "tests/ui/window_fixture.h"
#include "ui/inspect/candidate_list.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/inspect/token_details.h"
#include "ui/inspect/token_strip.h"
#include "ui/inspect/tokens_tab.h"
#include "ui/inspect/vocabulary_control.h"
#include "ui/inspect/vocabulary_search.h"

#include <QLineEdit>
#include <QScrollArea>
#include <QToolButton>

using engine::StopReason;

namespace {
/// An answer "AB" whose tokens are looked at; the fake model has one token for each byte.
struct Inspected : tests::WindowFixture {
    explicit Inspected(engine::SamplerSettings sampling = {})
    {
        loadModel();
        app::ChatSettings settings = chat().settings();
        settings.sampling = std::move(sampling);
        chat().setSettings(settings);
        QTest::keyClick(&window, Qt::Key_I, Qt::ControlModifier);
        send("Hi");
        for (const char letter : { 'A', 'B' })
            engine.token(std::string(1, letter), letter);
        engine.end(StopReason::LengthCap, [](engine::RunEnded& end) { end.text = "AB"; });
        settle();
        strip().setFocus();
        QTest::keyClick(&strip(), Qt::Key_End);
        settle();
    }
    ui::TokenStrip& strip() { return window.inspectorPane().tokens().strip(); }
    ui::TokenDetails& details() { return window.inspectorPane().tokens().details(); }
    ui::VocabularySearch& search() { return details().search(); }
    ui::CandidateList& matches() { return search().matches(); }
    QLineEdit* field() { return search().findChild<QLineEdit*>("vocabularyField"); }
    QString state()
    {
        auto* label = search().findChild<QLabel*>("vocabularyState");
        return label->isVisible() ? label->text() : QString();
    }
    /// 'A' is likelier than 'B' than all others, which are alike.
    void answer(int reused = 41)
    {
        auto scores = std::make_shared<std::vector<float>>(258, 0.0f);
        (*scores)['A'] = 9;
        (*scores)['B'] = 8;
        engine.push(engine::ScoresRead { engine.scoreRequests.back().id, scores, reused, 1 });
        QVERIFY(QTest::qWaitFor([&] { return window.vocabulary().scores().state() == app::ScoreState::Ready; }));
        settle();
    }
};
}

/// The search of the whole vocabulary, by keys and mouse in the window.
class TestVocabularyControl : public QObject {
    Q_OBJECT
private slots:
    void typingReadsTheScoresOfThisPlaceAndListsWhatMatches()
    {
        Inspected room;
        QVERIFY(room.field()->isEnabled());
        QVERIFY(room.engine.scoreRequests.empty()); // not before somebody asks
        QTest::mouseClick(room.field(), Qt::LeftButton);
        QTest::keyClicks(room.field(), "b");
        QCOMPARE(room.engine.scoreRequests.size(), size_t(1));
        engine::TokenIds prefix = room.engine.requests.back().promptIds;
        prefix.push_back('A');
        QCOMPARE(room.engine.scoreRequests[0].prefix, prefix);
        QCOMPARE(room.state(), QString("Waiting for the model…"));
        room.engine.push(engine::ScoresProgress { room.engine.scoreRequests[0].id, 30, 42, 20 });
        room.settle();
        QCOMPARE(room.state(), QString("Reading what stood before: 30 of 42 (20 from the cache)"));
        room.answer();
        QCOMPARE(room.state(), QString("Recomputed now: 41 read from the cache, 1 computed · 2 tokens match"));
        QCOMPARE(room.matches().rowCount(), 2);
        const ui::CandidateWords first = room.matches().row(0)->words();
        QCOMPARE(first.id, engine::TokenId('B'));
        QVERIFY2(first.raw.startsWith("rank 2 · "), qPrintable(first.raw));
        QVERIFY(first.isChosen);
        const ui::CandidateWords second = room.matches().row(1)->words(); // b
        QVERIFY2(second.outcome.startsWith("✕ "), qPrintable(second.outcome));
        QVERIFY2(second.spoken.startsWith("match 2, ‘b’, token 98, rank 99, raw "), qPrintable(second.spoken));
        QTest::keyClick(room.field(), Qt::Key_Backspace);
        QTest::keyClicks(room.field(), "#90");
        QCOMPARE(room.engine.scoreRequests.size(), size_t(1)); // what was read serves every text
        QCOMPARE(room.matches().rowCount(), 1);
        QCOMPARE(room.matches().row(0)->words().id, engine::TokenId(90));
        QTest::keyClicks(room.field(), "000");
        QVERIFY(room.state().endsWith("no token matches"));
        QCOMPARE(room.matches().rowCount(), 0);
    }

    void aMatchIsUsedLikeAnyCandidate()
    {
        Inspected room;
        room.field()->setFocus();
        QTest::keyClicks(room.field(), "#90");
        room.answer();
        QTest::keyClick(room.field(), Qt::Key_Down);
        QCOMPARE(room.window.focusWidget(), static_cast<QWidget*>(room.matches().row(0)));
        auto* fork = room.details().findChild<QToolButton*>("forkHere");
        QCOMPARE(fork->text(), QString("Fork with ‘Z’"));
        QTest::keyClick(room.window.focusWidget(), Qt::Key_F);
        room.settle();
        QCOMPARE(room.engine.requests.back().forcedIds, (engine::TokenIds { 'Z' }));
        QCOMPARE(room.engine.requests.back().draftTokenCount, 1);
    }

    void aMatchIsBannedByItsButton()
    {
        Inspected room;
        room.field()->setFocus();
        QTest::keyClicks(room.field(), "#90");
        room.answer();
        QTest::mouseClick(room.matches().row(0), Qt::LeftButton);
        auto* ban = room.details().findChild<QToolButton*>("banEverywhere");
        ban->setFocus();
        QTest::keyClick(ban, Qt::Key_Space);
        room.settle();
        QCOMPARE(room.engine.requests.back().sampling.bannedIds, (engine::TokenIds { 'Z' }));
        QCOMPARE(room.chat().settings().bannedTokens[0].text, QString("Z"));
    }

    void anotherTokenIsReadAnewAndTheOldReadingCancelled()
    {
        Inspected room;
        room.field()->setFocus();
        QTest::keyClicks(room.field(), "a");
        const auto first = room.engine.scoreRequests.back().id;
        room.strip().setFocus();
        QTest::keyClick(&room.strip(), Qt::Key_Left);
        room.settle();
        QCOMPARE(room.engine.cancelledScores, (std::vector { first }));
        QCOMPARE(room.engine.scoreRequests.size(), size_t(2)); // the text still stands there
        QCOMPARE(room.engine.scoreRequests[1].prefix, room.engine.requests.back().promptIds);
        room.field()->clear();
        QCOMPARE(room.matches().rowCount(), 0);
        QVERIFY(room.state().isEmpty());
    }

    void whatAForkKeptHasTheStagesOfTheRunThatChoseIt()
    {
        Inspected room({ .topK = 1 });
        QVERIFY(room.workspace.fork(room.chat(), *room.chat().lastAnswerTurn(), 2, engine::TokenId('Z')));
        room.engine.token("Z", 'Z');
        room.engine.end(StopReason::LengthCap, [](engine::RunEnded& end) { end.text = "Z"; });
        room.settle();
        room.strip().setFocus();
        QTest::keyClick(&room.strip(), Qt::Key_End);
        QTest::keyClick(&room.strip(), Qt::Key_Left); // B, which the branch before chose
        room.field()->setFocus();
        QTest::keyClicks(room.field(), "b");
        room.answer();
        QCOMPARE(room.matches().rowCount(), 2);
        QCOMPARE(room.matches().row(0)->words().id, engine::TokenId('B'));
        QVERIFY(room.matches().row(0)->words().isChosen);
        QCOMPARE(room.matches().row(0)->words().outcome, QString("✕ top-k"));
    }

    void whyNothingCanBeSearchedIsSaid()
    {
        Inspected room;
        room.workspace.unloadModel();
        room.settle();
        QVERIFY(!room.field()->isEnabled());
        QVERIFY2(room.state().contains("load tiny.gguf"), qPrintable(room.state()));
        room.engine.description.fileBytes = 1;
        room.window.openModel("/models/other.gguf");
        room.engine.finishLoad();
        room.settle();
        QVERIFY(!room.field()->isEnabled());
        QVERIFY2(room.state().contains("another model is loaded"), qPrintable(room.state()));
    }

    void aFaultStandsWhereTheWorkWas()
    {
        Inspected room;
        room.field()->setFocus();
        QTest::keyClicks(room.field(), "a");
        room.engine.push(engine::ScoresFailed {
            room.engine.scoreRequests.back().id, engine::Error::contextFull("The text needs 9 positions.") });
        room.settle();
        QCOMPARE(room.state(), QString("The text needs 9 positions."));
        QCOMPARE(room.matches().rowCount(), 0);
    }

    void manyMatchesAreBoundedAndShownWithinAFrame()
    {
        Inspected room;
        room.field()->setFocus();
        QTest::keyClicks(room.field(), "#65");
        room.answer();
        const auto all = [&] {
            std::vector<app::RowToken> tokens;
            for (int id = 0; id < 200; ++id)
                tokens.push_back({ id, 1e-5, id + 1, 0, engine::SamplerStage::TopK });
            return ui::rowWords(tokens,
                { .names = ui::pieceNames(*room.window.inspectorPane().tokens().track(), room.strip().current()),
                    .chosen = 'A',
                    .isGreedy = false,
                    .hasStages = true });
        }();
        QCOMPARE(all[0].raw, QString("rank 1 · 0.001 %"));
        double longestMs = 0;
        QElapsedTimer step;
        step.start();
        room.search().setMatches(all);
        QVERIFY(room.matches().rowCount() < 200); // the rest comes a portion at a time
        QVERIFY(room.matches().rowCount() > 8); // what is in view is there at once
        QCoreApplication::processEvents(); // laid out and painted
        longestMs = double(step.nsecsElapsed()) / 1e6;
        auto* area = room.search().findChild<QScrollArea*>("vocabularyMatches");
        const int height = area->minimumHeight();
        QVERIFY(room.matches().rowCount() < 200);
        step.start();
        while (room.matches().rowCount() < 200) {
            QCoreApplication::processEvents();
            longestMs = std::max(longestMs, double(step.nsecsElapsed()) / 1e6);
            step.start();
        }
        qInfo("the longest step: %.1f ms", longestMs);
        room.settle();
        QCOMPARE(area->height(), height); // nothing below it has moved meanwhile
        for (int i = 0; i < 200; ++i)
            QCOMPARE(room.matches().row(i)->words().id, engine::TokenId(i));
        room.matches().row(0)->setFocus();
        QTest::keyClick(room.window.focusWidget(), Qt::Key_End);
        QCOMPARE(room.window.focusWidget(), static_cast<QWidget*>(room.matches().row(199)));
        const QWidget* last = room.matches().row(199);
        const QRect shown(last->mapTo(area->viewport(), QPoint()), last->size());
        QVERIFY2(area->viewport()->rect().contains(shown),
            qPrintable(QString("%1 %2 in %3").arg(shown.y()).arg(shown.height()).arg(area->viewport()->height())));
        // A shorter list takes the place of one that is not all there yet.
        room.search().setMatches({});
        room.search().setMatches(all);
        room.search().setMatches({ all.begin() + 5, all.begin() + 7 });
        room.settle();
        QCOMPARE(room.matches().rowCount(), 2);
        QCOMPARE(room.matches().row(0)->words().id, engine::TokenId(5));
        QVERIFY(!room.matches().row(2)->isVisible());
    }
};

QTEST_MAIN(TestVocabularyControl)
#include "tst_vocabulary_control.moc"
