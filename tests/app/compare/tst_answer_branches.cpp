#include "app/compare/cross_score.h"
#include "app/compare/draft_run.h"
#include "app/compare/run_difference.h"
#include "app/conversation/workspace.h"
#include "tests/support/fake_engine.h"
#include "tests/support/tiny_vocabulary.h"

#include <QSignalSpy>
#include <QTest>

using app::ComparedRun;
using app::ScoredStretch;
using app::StopWish;
using app::Turn;
using engine::StopReason;

namespace {

engine::TokenRecord scored(const std::string& bytes, float logprob, engine::TokenId id = 1)
{
    engine::TokenRecord token;
    token.id = id;
    token.bytes = bytes;
    token.logprob = logprob;
    return token;
}

ComparedRun textOf(std::vector<engine::TokenRecord> tokens)
{
    ComparedRun run;
    run.tokens = std::move(tokens);
    return run;
}

/// A chat whose answer is "1, 2, 3" of single letters, at its cap of 8, drawn with seed 5.
struct Room {
    tests::FakeEngine engine;
    app::Workspace workspace { engine.factory() };
    app::Conversation& chat = workspace.addConversation(app::ConversationKind::Chat);

    Room()
    {
        workspace.loadModel({ .path = "tiny.gguf", .contextLength = 0 });
        engine.finishLoad();
        QCoreApplication::processEvents();
        app::ChatSettings settings;
        settings.fixedSeed = 5;
        settings.lengthCap = 7;
        settings.stopStrings = { "STOP" };
        chat.setSettings(settings);
        if (!workspace.send(chat, "Count"))
            qFatal("not sent");
        write("1, 2, 3");
        engine.end(StopReason::LengthCap);
        settle();
    }
    void write(const std::string& text)
    {
        for (char letter : text)
            engine.token(std::string(1, letter), engine::TokenId(uint8_t(letter)));
    }
    void settle() { QTest::qWait(30); }
    Turn& answer() { return *chat.lastAnswerTurn(); }
    const engine::GenerationRequest& asked() const { return engine.requests.back(); }
};

}

/// Answers as runs to compare, what is branched off them, and texts scored under other runs.
class TestAnswerBranches : public QObject {
    Q_OBJECT
private slots:
    void stretchesAreOneTokenWhereBothCutAlike()
    {
        const auto stretches = app::scoredStretches(
            textOf({ scored("mu", -1), scored("seum", -2) }), textOf({ scored("mu", -0.5f), scored("seum", -4) }));
        QCOMPARE(stretches.size(), size_t(2));
        QCOMPARE(stretches[0].difference(), std::optional(0.5));
        QCOMPARE(stretches[1].difference(), std::optional(-2.0));
        QCOMPARE(stretches[1].firstToken, size_t(1));
    }

    void otherCutsAreSummedUpToTheSameByte()
    {
        const auto stretches = app::scoredStretches(textOf({ scored("the", -1), scored(" mus", -2), scored("eum", -0.25f) }),
            textOf({ scored("the", -1.5f), scored(" museum", -3) }));
        QCOMPARE(stretches.size(), size_t(2));
        QCOMPARE(stretches[1].bytes, std::string(" museum"));
        QCOMPARE(stretches[1].tokenCount, size_t(2));
        QCOMPARE(stretches[1].otherTokenCount, size_t(1));
        QCOMPARE(stretches[1].ownLogprob, std::optional(-2.25));
        QCOMPARE(stretches[1].difference(), std::optional(-0.75));
        QVERIFY(!stretches[1].ownFinal); // not one token in both
    }

    void whatWasNotObservedHasNoDifference()
    {
        engine::TokenRecord silent = scored("b", 0);
        silent.logprob.reset();
        const auto stretches
            = app::scoredStretches(textOf({ scored("a", -1), silent, scored("c", -1) }), textOf({ scored("a", -1), scored("bc", -1) }));
        QCOMPARE(stretches.size(), size_t(2));
        QVERIFY(!stretches[1].ownLogprob);
        QVERIFY(!stretches[1].difference());
    }

    void aTextIsScoredByARunThatChoosesNothing()
    {
        Room room;
        const ComparedRun text = app::comparedAnswer(*room.answer().answer);
        ComparedRun under = text;
        under.request->promptIds.push_back('!');
        under.request->sampling.temperature = 0.25f;
        app::CrossScore score(room.workspace);
        QSignalSpy changes(&score, &app::CrossScore::changed);
        QCOMPARE(score.start(text, under), QString());
        QVERIFY(score.isUnderWay());
        QCOMPARE(room.asked().forcedIds, (engine::TokenIds { '1', ',', ' ', '2', ',', ' ', '3' }));
        QCOMPARE(room.asked().promptIds, under.request->promptIds);
        QCOMPARE(room.asked().sampling.temperature, 0.25f);
        QCOMPARE(room.asked().lengthCap, 7);
        QVERIFY(room.asked().stopStrings.empty() && room.asked().ignoreEndTokens);
        room.write("1, 2, 3");
        room.engine.end(StopReason::LengthCap);
        room.settle();
        QVERIFY(!score.isUnderWay());
        QCOMPARE(score.stretches().size(), size_t(7));
        QCOMPARE(room.chat.turnCount(), size_t(2)); // of no conversation
        QCOMPARE(changes.size(), 2);
    }

    void aScoreThatEndsEarlySaysSo()
    {
        Room room;
        const ComparedRun text = app::comparedAnswer(*room.answer().answer);
        app::CrossScore score(room.workspace);
        QCOMPARE(score.start(text, text), QString());
        room.write("1,");
        room.engine.end(StopReason::Failed, [](engine::RunEnded& ended) {
            ended.ledger.error = engine::Error::badRequest("The device was lost.");
        });
        room.settle();
        QCOMPARE(score.failure(), QString("The device was lost."));
        QVERIFY(score.stretches().empty());
    }

    void aTextOfAnotherModelIsReadWithoutABlankInFront()
    {
        tests::TinyVocabulary vocabulary = tests::TinyVocabulary::sentencePiece();
        vocabulary.add("▁", engine::TokenKind::Normal, -2);
        const engine::TokenId ing = vocabulary.add("ing", engine::TokenKind::Normal, -1);
        vocabulary.add("▁ing", engine::TokenKind::Normal, -0.5f);
        for (const char* letters : { "i", "n", "g", "in", "ng" })
            vocabulary.add(letters, engine::TokenKind::Normal, -3);
        auto text = std::make_shared<engine::ModelText>();
        text->tokenizer = std::move(*vocabulary.tokenizer());
        engine::ModelDescription description = tests::FakeEngine::tinyModel();
        description.path = "words.gguf";

        tests::FakeEngine fake;
        engine::EventSink* sink = nullptr;
        app::Workspace workspace([&](engine::EventSink& to) {
            sink = &to;
            return fake.factory()(to);
        });
        workspace.loadModel({ .path = "words.gguf", .contextLength = 0 });
        sink->push(engine::ModelEvent(engine::ModelLoaded { description, text }));
        QCoreApplication::processEvents();
        ComparedRun own = textOf({ scored("ing", -1) });
        own.checkpointFile = "other.gguf";
        ComparedRun under;
        under.checkpointFile = "words.gguf";
        under.checkpointBytes = description.fileBytes;
        under.request.emplace().promptIds = { 1 };
        app::CrossScore score(workspace);
        QCOMPARE(score.start(own, under), QString());
        QCOMPARE(fake.requests.back().forcedIds, (engine::TokenIds { ing }));
    }

    void aScoreThatNobodyWaitsForIsStopped()
    {
        Room room;
        const ComparedRun text = app::comparedAnswer(*room.answer().answer);
        {
            app::CrossScore score(room.workspace);
            QCOMPARE(score.start(text, text), QString());
            QVERIFY(room.engine.cancelled.empty());
        }
        QCOMPARE(room.engine.cancelled, std::vector<engine::RunId> { room.asked().runId });
    }

    void anotherModelMustBeLoadedFirst()
    {
        Room room;
        const ComparedRun text = app::comparedAnswer(*room.answer().answer);
        ComparedRun under = text;
        under.checkpointFile = "other.gguf";
        app::CrossScore score(room.workspace);
        QVERIFY2(score.start(text, under).startsWith("other.gguf is not loaded"), qPrintable(score.start(text, under)));
        QVERIFY(!score.isUnderWay());
    }

    void aSwapKeepsEverythingButOneToken()
    {
        Room room;
        app::ChatSettings changed = room.chat.settings(); // since the run: must not matter
        changed.sampling.temperature = 1.75f;
        changed.lengthCap = 500;
        changed.stopStrings = {};
        const engine::GenerationRequest first = room.asked();
        room.chat.setSettings(changed);
        Turn& asked = room.answer();
        QVERIFY(room.workspace.swapToken(room.chat, asked, 3, '9'));
        engine::GenerationRequest wanted = first;
        wanted.runId = room.asked().runId;
        wanted.promptIds.insert(wanted.promptIds.end(), { '1', ',', ' ' });
        wanted.draftTokenCount = 3;
        wanted.forcedIds = { '9' };
        wanted.lengthCap = 4; // it ends where the answer would have
        QCOMPARE(room.asked(), wanted);
        room.write("9, 4");
        room.engine.end(StopReason::LengthCap);
        room.settle();

        const ComparedRun old = app::comparedAnswer(*asked.answer);
        const ComparedRun fork = app::comparedAnswer(*room.answer().answer);
        QCOMPARE(fork.text, std::string("1, 9, 4"));
        QCOMPARE(fork.tokens.size(), size_t(7));
        QCOMPARE(fork.request->promptIds, first.promptIds);
        QCOMPARE(fork.request->lengthCap, 7);
        QCOMPARE(app::commonTokens(old, fork), size_t(3));
    }

    void aForksOwnRunBeginsAtItsAnswerToo()
    {
        Room room;
        QVERIFY(room.workspace.swapToken(room.chat, room.answer(), 3, '9'));
        room.write("9, 4");
        room.engine.end(StopReason::LengthCap);
        room.settle();
        const app::Answer& answer = *room.answer().answer;
        const ComparedRun whole = app::comparedAnswer(answer);
        ComparedRun run = app::comparedRun(*answer.draft()); // as its record tells it
        QCOMPARE(run.tokens.size(), size_t(4));
        app::beginAtAnswer(run, room.workspace.model()->text->tokenizer.get());
        QCOMPARE(run.newIds(), whole.newIds());
        QCOMPARE(run.tokens[2].bytes, std::string(" "));
        QCOMPARE(run.tokens[2].position, int(run.request->promptIds.size()) + 2);
        QCOMPARE(*run.request, *whole.request);
        QVERIFY(!run.samplingAt(2)); // the record does not tell what chose those
        QCOMPARE(*run.samplingAt(3), run.request->sampling);
        const ComparedRun once = run;
        app::beginAtAnswer(run, nullptr);
        QCOMPARE(run, once);
    }

    void aContinuedAnswerIsOneRunWhoseSettingsChange()
    {
        Room room;
        app::ChatSettings changed = room.chat.settings();
        changed.sampling.temperature = 1.75f;
        room.chat.setSettings(changed);
        QVERIFY(room.workspace.continueAnswer(room.chat));
        room.write(", 4");
        room.engine.end(StopReason::LengthCap);
        room.settle();
        const ComparedRun run = app::comparedAnswer(*room.answer().answer);
        QCOMPARE(run.text, std::string("1, 2, 3, 4"));
        QCOMPARE(run.tokens.size(), size_t(10));
        QCOMPARE(run.request->promptIds, room.engine.requests.front().promptIds);
        QCOMPARE(run.request->lengthCap, 14);
        QVERIFY(run.samplingAt(6)->temperature != 1.75f);
        QCOMPARE(run.samplingAt(7)->temperature, 1.75f);
    }

    void extendingKeepsAllAndTheCapCountsTheWholeRun()
    {
        Room room;
        const engine::GenerationRequest first = room.asked();
        QVERIFY(!room.workspace.extend(room.chat, room.answer(), { 7, {}, false })); // nothing to go on to
        QVERIFY(room.workspace.extend(room.chat, room.answer(), { 12, { "." }, true }));
        QCOMPARE(room.asked().lengthCap, 5);
        QCOMPARE(room.asked().stopStrings, std::vector<std::string> { "." });
        QVERIFY(room.asked().ignoreEndTokens);
        QCOMPARE(room.asked().draftTokenCount, 7);
        QCOMPARE(room.asked().sampling, first.sampling);
        QVERIFY(room.asked().forcedIds.empty());
        room.write(", 4");
        room.engine.end(StopReason::LengthCap);
        room.settle();
        QCOMPARE(room.answer().answer->text(), std::string("1, 2, 3, 4"));
        QCOMPARE(room.chat.tree().siblings(room.answer()).size(), size_t(2)); // the run before stays
    }

    void nothingIsBranchedOffAnAnswerUnderWay()
    {
        Room room;
        QVERIFY(room.workspace.regenerate(room.chat));
        QVERIFY(!room.workspace.swapToken(room.chat, room.answer(), 0, 'x'));
        QVERIFY(!room.workspace.extend(room.chat, room.answer(), { 99, {}, false }));
    }
};

QTEST_GUILESS_MAIN(TestAnswerBranches)
#include "tst_answer_branches.moc"
