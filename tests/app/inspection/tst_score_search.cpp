#include "app/inspection/score_search.h"
#include "tests/support/fake_engine.h"

#include <QSignalSpy>
#include <QTest>

using app::ScoreState;

namespace {
struct Room {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::ScoreSearch search { workspace };

    void load(const QString& path = "tiny.gguf")
    {
        workspace.loadModel({ .path = path.toStdString() });
        engine.finishLoad();
        QTest::qWait(5);
    }
    /// 'A' is the likeliest, then 'B', then all others alike.
    void answer(engine::ScoreReadId id, int reused = 41)
    {
        auto scores = std::make_shared<std::vector<float>>(258, 0.0f);
        (*scores)['A'] = 9;
        (*scores)['B'] = 8;
        engine.push(engine::ScoresRead { id, scores, reused, 1 });
    }
    bool becomes(ScoreState state)
    {
        return QTest::qWaitFor([&] { return search.state() == state; }, 5000);
    }
};
}

class TestScoreSearch : public QObject {
    Q_OBJECT
private slots:
    void scoresAreReadOnceForAPlaceAndSearchedOften()
    {
        Room room;
        room.search.read(); // no place, no model
        QVERIFY(room.engine.scoreRequests.empty());
        room.load();
        room.search.setPlace(app::ScorePlace { { 1, 2, 3 }, {} });
        QCOMPARE(room.search.state(), ScoreState::NotAsked);
        room.search.read();
        room.search.read();
        QCOMPARE(room.engine.scoreRequests.size(), size_t(1));
        QCOMPARE(room.engine.scoreRequests[0].prefix, (engine::TokenIds { 1, 2, 3 }));
        const auto id = room.engine.scoreRequests[0].id;
        room.engine.push(engine::ScoresProgress { id, 2, 3, 1 });
        QVERIFY(QTest::qWaitFor([&] { return room.search.progress().has_value(); }));
        QCOMPARE(room.search.progress()->done, 2);
        room.answer(id);
        QVERIFY(room.becomes(ScoreState::Ready));
        QCOMPARE(room.search.reusedPositions(), 41);
        QCOMPARE(room.search.computedPositions(), 1);
        auto matches = room.search.find("b", 200);
        QCOMPARE(matches.count, 2); // of both cases
        QCOMPARE(matches.best[0].id, engine::TokenId('B'));
        QCOMPARE(matches.best[0].rank, 2);
        matches = room.search.find("#65", 200);
        QCOMPARE(matches.best[0].rank, 1);
        QCOMPARE(room.search.find("zz", 200).count, 0);
        room.search.setPlace(room.search.place()); // nothing new
        QCOMPARE(room.search.state(), ScoreState::Ready);
    }

    void whatIsReadForAPlaceThatWasLeftIsCancelledAndForgotten()
    {
        Room room;
        room.load();
        room.search.setPlace(app::ScorePlace { { 1 }, {} });
        room.search.read();
        const auto first = room.engine.scoreRequests[0].id;
        room.search.setPlace(app::ScorePlace { { 1, 2 }, {} });
        QCOMPARE(room.engine.cancelledScores, (std::vector { first }));
        room.search.read();
        room.answer(first); // too late
        QTest::qWait(20);
        QCOMPARE(room.search.state(), ScoreState::Reading);
        room.answer(room.engine.scoreRequests[1].id, 2);
        room.search.setPlace(app::ScorePlace { { 1, 2, 3 }, {} }); // while it is computed, or before
        QTest::qWait(50);
        QCOMPARE(room.search.state(), ScoreState::NotAsked);
        QVERIFY(room.search.find("A", 5).best.empty());
        room.search.read();
        room.answer(room.engine.scoreRequests[2].id, 3);
        QVERIFY(room.becomes(ScoreState::Ready));
        QCOMPARE(room.search.reusedPositions(), 3);
    }

    void aFaultIsToldInWords()
    {
        Room room;
        room.load();
        room.search.setPlace(app::ScorePlace { { 1 }, {} });
        room.search.read();
        room.engine.push(engine::ScoresFailed {
            room.engine.scoreRequests[0].id, engine::Error::contextFull("The text needs 9 positions") });
        QVERIFY(room.becomes(ScoreState::Failed));
        QCOMPARE(room.search.problem(), QString("The text needs 9 positions"));
    }

    void bansOfThePlaceAreSeen()
    {
        Room room;
        room.load();
        app::ScorePlace place { { 1 }, {} };
        place.settings.bannedIds = { 'A' };
        room.search.setPlace(place);
        room.search.read();
        room.answer(room.engine.scoreRequests[0].id);
        QVERIFY(room.becomes(ScoreState::Ready));
        QCOMPARE(room.search.find("#65", 1).best[0].droppedBy, engine::SamplerStage::LogitBias);
    }

    void itMayGoWhileItComputes()
    {
        tests::FakeEngine engine;
        app::Workspace workspace(engine.factory());
        workspace.loadModel({ .path = "tiny.gguf" });
        engine.finishLoad();
        QTest::qWait(5);
        {
            app::ScoreSearch search(workspace);
            search.setPlace(app::ScorePlace { { 1 }, {} });
            search.read();
            engine.push(engine::ScoresRead { engine.scoreRequests[0].id,
                std::make_shared<const std::vector<float>>(200'000, 1.0f), 0, 1 });
            QCoreApplication::processEvents();
        }
        QTest::qWait(5);
    }
};

QTEST_MAIN(TestScoreSearch)
#include "tst_score_search.moc"
