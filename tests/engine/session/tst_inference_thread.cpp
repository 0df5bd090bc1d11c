#include "engine/session/inference_thread.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/support/scripted_model.h"

#include <QTemporaryDir>
#include <QtTest>
#include <random>
#include <thread>

using namespace engine;
using namespace tests;

namespace {
const WordFile kWords { { "Hello", "!", " How", " are", " you", "?" } };

Script greeting()
{
    TokenIds ids;
    for (size_t i = 0; i < kWords.words.size(); ++i)
        ids.push_back(kWords.word(i));
    ids.push_back(WordFile::kEnd);
    return Script::ofTokens(ids, kWords.vocabularySize());
}

ScriptedModelOptions slow(int tokenMs)
{
    return {
        .script = greeting(),
        .beforeAppend
        = [tokenMs] { std::this_thread::sleep_for(std::chrono::milliseconds(tokenMs)); },
    };
}

/// Loading takes until it is cancelled.
ScriptedModelOptions endlessLoad()
{
    return {
        .script = greeting(),
        .whileLoading = [](const ModelLoadControl& control) -> Result<void> {
            while (!control.cancelled())
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            return Error::cancelled("The model was not opened: cancelled.");
        },
    };
}

GenerationRequest requestOf(RunId runId, int lengthCap = 1024)
{
    GenerationRequest request;
    request.runId = runId;
    request.promptIds = { WordFile::kBos, WordFile::kStart };
    request.lengthCap = lengthCap;
    request.sampling.temperature = 0;
    return request;
}

/// Waits until this run has written a token.
bool waitForToken(RecordedEvents& events, RunId runId)
{
    while (const std::optional<GenerationEvent> event = events.nextOfRun())
        if (std::holds_alternative<TokenDecoded>(*event) && runIdOf(*event) == runId)
            return true;
    return false;
}
}

class TestInferenceThread : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath("words.gguf").toStdString();
        kWords.save(m_path);
    }
    void aLoadedModelAnswers()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = greeting() }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(7));
        const std::optional<ModelLoaded> loaded = events.waitForModel();
        QVERIFY(loaded);
        QCOMPARE(loaded->description.path, m_path);
        QCOMPARE(loaded->text->tokenizer->vocabulary().size(), kWords.vocabularySize());
        const std::optional<RunEnded> ended = events.waitForEnd(7);
        QVERIFY(ended);
        QCOMPARE(ended->ledger.reason, StopReason::EndToken);
        QCOMPARE(ended->text, std::string("Hello! How are you?"));
    }
    void withoutAModelARunFailsInWords()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = greeting() }));
        thread.generate(requestOf(1));
        const std::optional<RunEnded> ended = events.waitForEnd(1);
        QVERIFY(ended);
        QCOMPARE(ended->ledger.reason, StopReason::Failed);
        QVERIFY(!ended->ledger.error->message.empty());
    }
    void aModelThatCannotBeOpenedIsReported()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = greeting() }));
        thread.load({ .path = m_path + ".absent" });
        events.nextOfModel(); // progress
        const std::optional<ModelEvent> event = events.nextOfModel();
        QVERIFY(event);
        const auto* failed = std::get_if<ModelLoadFailed>(&*event);
        QVERIFY(failed);
        QCOMPARE(failed->request.path, m_path + ".absent");
    }
    void runsWaitForEachOtherAndKnowTheirPlace()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory(slow(5)));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        QVERIFY(waitForToken(events, 1));
        thread.generate(requestOf(2));
        thread.generate(requestOf(3));
        std::vector<RunId> order;
        std::vector<GenerationEvent> queued;
        while (order.size() < 3) {
            const std::optional<GenerationEvent> event = events.nextOfRun();
            QVERIFY(event);
            if (std::holds_alternative<RunEnded>(*event))
                order.push_back(runIdOf(*event));
            if (std::holds_alternative<RunQueued>(*event))
                queued.push_back(*event);
        }
        QCOMPARE(order, (std::vector<RunId> { 1, 2, 3 }));
        QCOMPARE(queued,
            (std::vector<GenerationEvent> {
                RunQueued { 2, 1 }, RunQueued { 3, 2 }, RunQueued { 3, 1 } }));
    }
    void cancellingARunningRunActsAtOnce()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory(slow(20)));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        QVERIFY(waitForToken(events, 1));
        thread.cancel(1);
        const std::optional<RunEnded> ended = events.waitForEnd(1);
        QVERIFY(ended);
        QCOMPARE(ended->ledger.reason, StopReason::Cancelled);
        QCOMPARE(ended->ledger.cancelledBy, std::optional(CancelledBy::User));
        QVERIFY(ended->tokenIds.size() <= 2); // within one token
        thread.generate(requestOf(2)); // G-23: nothing is left behind
        QCOMPARE(events.waitForEnd(2)->text, std::string("Hello! How are you?"));
    }
    void cancellingAQueuedRunLeavesTheOthersAlone()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory(slow(10)));
        thread.load({ .path = m_path });
        for (RunId id : { 1, 2, 3 })
            thread.generate(requestOf(id));
        thread.cancel(2);
        std::vector<RunEnded> ends;
        while (ends.size() < 3) {
            const std::optional<GenerationEvent> event = events.nextOfRun();
            QVERIFY(event);
            if (const auto* ended = std::get_if<RunEnded>(&*event))
                ends.push_back(*ended);
        }
        for (const RunEnded& ended : ends)
            QCOMPARE(ended.ledger.reason,
                ended.runId == 2 ? StopReason::Cancelled : StopReason::EndToken);
        QCOMPARE(ends.front().runId, RunId(2));
    }
    void cancellingTwiceOrTooLateChangesNothing()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = greeting() }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        QVERIFY(events.waitForEnd(1));
        thread.cancel(1);
        thread.cancel(99);
        thread.generate(requestOf(2));
        QCOMPARE(events.waitForEnd(2)->ledger.reason, StopReason::EndToken);
        QVERIFY(events.takeAll().empty());
    }
    void unloadingEndsTheRunsOfTheModel()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory(slow(20)));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        QVERIFY(waitForToken(events, 1));
        thread.generate(requestOf(2));
        thread.unload();
        thread.generate(requestOf(3));
        for (RunId id : { 2, 1 }) { // the queued one at once, the running one after its token
            const std::optional<RunEnded> ended = events.waitForEnd(id);
            QVERIFY(ended);
            QCOMPARE(ended->ledger.reason, StopReason::Cancelled);
            QCOMPARE(ended->ledger.cancelledBy, std::optional(CancelledBy::ModelUnloaded));
        }
        QCOMPARE(events.waitForEnd(3)->ledger.reason, StopReason::Failed);
        QVERIFY(events.waitForModel());
        QVERIFY(std::holds_alternative<ModelUnloaded>(*events.nextOfModel()));
    }
    void scoresOfAnyPrefixAreReadWhole()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = greeting() }));
        thread.load({ .path = m_path });
        thread.readScores({ 5, { WordFile::kBos, WordFile::kStart, kWords.word(0) }, {} });
        const auto event = events.waitForScores();
        QVERIFY(event);
        const auto* row = std::get_if<ScoresRead>(&*event);
        QVERIFY(row);
        QCOMPARE(row->id, ScoreReadId(5));
        QCOMPARE(int(row->scores->size()), kWords.vocabularySize());
        QCOMPARE(std::max_element(row->scores->begin(), row->scores->end()) - row->scores->begin(),
            ptrdiff_t(kWords.word(1)));
        QCOMPARE(row->reusedPositions, 0);
        QCOMPARE(row->computedPositions, 3);
        thread.readScores({ 6, { WordFile::kBos, WordFile::kStart, kWords.word(0), kWords.word(1) }, {} });
        const auto next = events.waitForScores();
        QVERIFY(next && std::holds_alternative<ScoresRead>(*next));
        QCOMPARE(std::get<ScoresRead>(*next).reusedPositions, 3);
        QCOMPARE(std::get<ScoresRead>(*next).computedPositions, 1);
    }
    void scoresThatCannotBeReadAreAnErrorInWords()
    {
        RecordedEvents events;
        Script script = greeting();
        script.contextLength = 4;
        InferenceThread thread(events, scriptedFactory({ .script = script }));
        const auto problem = [&](ScoreRequest request) {
            thread.readScores(std::move(request));
            const auto event = events.waitForScores();
            const auto* failed = event ? std::get_if<ScoresFailed>(&*event) : nullptr;
            return failed ? failed->error.message : std::string();
        };
        QVERIFY(problem({ 1, { 0, 2 }, {} }).find("No model is open") != std::string::npos);
        thread.load({ .path = m_path });
        QVERIFY(events.waitForModel());
        QVERIFY(problem({ 2, TokenIds(5, 3), {} }).find("context") != std::string::npos);
        QVERIFY(problem({ 3, {}, {} }).find("No token stands before") != std::string::npos);
        QVERIFY(problem({ 4, { 0, 2 }, "another" }).find("Another model") != std::string::npos);
        thread.readScores({ 5, { 0, 2 }, {} }); // and it goes on
        QVERIFY(std::holds_alternative<ScoresRead>(*events.waitForScores()));
    }
    void aRunUnderWayDoesNotNoticeThatScoresAreRead()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory(slow(10)));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        QVERIFY(waitForToken(events, 1));
        thread.readScores({ 1, { WordFile::kBos, kWords.word(4) }, {} });
        const auto row = events.waitForScores();
        QVERIFY(row && std::holds_alternative<ScoresRead>(*row));
        const std::optional<RunEnded> ended = events.waitForEnd(1); // which was not over yet
        QVERIFY(ended);
        QCOMPARE(ended->text, std::string("Hello! How are you?"));
        QCOMPARE(ended->ledger.reason, StopReason::EndToken);
        QCOMPARE(ended->decodePassCount, int(ended->tokenIds.size()) - 1);
    }
    void aPausedRunDoesNotNoticeEither()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = greeting() }));
        thread.load({ .path = m_path });
        GenerationRequest request = requestOf(1);
        request.pace.tokens = 2;
        thread.generate(request);
        while (const auto event = events.nextOfRun())
            if (std::holds_alternative<RunPaused>(*event))
                break;
        thread.readScores({ 1, { WordFile::kBos, kWords.word(4) }, {} });
        QVERIFY(std::holds_alternative<ScoresRead>(*events.waitForScores()));
        thread.resume(1, {});
        QCOMPARE(events.waitForEnd(1)->text, std::string("Hello! How are you?"));
    }
    void aReadingCanBeCancelledAndEndsWithItsModel()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory(slow(100)));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        QVERIFY(waitForToken(events, 1));
        thread.readScores({ 1, { 0, 2 }, {} });
        thread.cancelScores(1); // while it waits for the token
        const auto cancelled = events.waitForScores();
        QVERIFY(cancelled && std::holds_alternative<ScoresFailed>(*cancelled));
        QCOMPARE(std::get<ScoresFailed>(*cancelled).error.code, ErrorCode::Cancelled);
        thread.cancelScores(1); // too late changes nothing
        thread.readScores({ 2, { 0, 2 }, {} });
        thread.unload();
        const auto closed = events.waitForScores();
        QVERIFY(closed && std::holds_alternative<ScoresFailed>(*closed));
        QVERIFY(std::get<ScoresFailed>(*closed).error.message.find("closed") != std::string::npos);
    }
    void aTokenBannedFirstMayComeLater()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = { .vocabularySize = kWords.vocabularySize(),
                                                             .steps = { { { kWords.word(0), 0 }, { kWords.word(1), -1 } } } } }));
        thread.load({ .path = m_path });
        GenerationRequest request = requestOf(1, 3);
        request.bannedFirstIds = { kWords.word(0) };
        thread.generate(request);
        QCOMPARE(events.waitForEnd(1)->tokenIds, (TokenIds { kWords.word(1), kWords.word(0), kWords.word(0) }));
        request.runId = 2;
        request.sampling.bannedIds = { kWords.word(0) };
        thread.generate(request);
        QCOMPARE(events.waitForEnd(2)->tokenIds, TokenIds(3, kWords.word(1)));
    }
    void aRunWithEveryTokenBannedFailsInWords()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = greeting() }));
        thread.load({ .path = m_path });
        GenerationRequest request = requestOf(1);
        for (TokenId id = 0; id < kWords.vocabularySize(); ++id)
            request.bannedFirstIds.push_back(id);
        thread.generate(request);
        const std::optional<RunEnded> ended = events.waitForEnd(1);
        QVERIFY(ended);
        QCOMPARE(ended->ledger.reason, StopReason::Failed);
        QVERIFY(ended->ledger.error->message.find("every token of the vocabulary is banned") != std::string::npos);
        request.runId = 2;
        request.bannedFirstIds.clear();
        thread.generate(request); // nothing is left behind
        QCOMPARE(events.waitForEnd(2)->text, std::string("Hello! How are you?"));
    }
    void aLoadCanBeCancelled()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory(endlessLoad()));
        thread.load({ .path = m_path });
        QVERIFY(std::holds_alternative<ModelLoadProgress>(*events.nextOfModel()));
        thread.cancelLoad();
        const ModelEvent event = *events.nextOfModel();
        QCOMPARE(std::get<ModelLoadFailed>(event).error.code, ErrorCode::Cancelled);
    }
    void aNewerLoadEndsAnOlderOne()
    {
        RecordedEvents events;
        int loadCount = 0;
        ScriptedModelOptions options = endlessLoad();
        const auto endless = options.whileLoading;
        options.whileLoading = [&](const ModelLoadControl& control) {
            return ++loadCount == 1 ? endless(control) : Result<void>();
        };
        InferenceThread thread(events, scriptedFactory(options));
        thread.load({ .path = m_path, .contextLength = 10 });
        QVERIFY(std::holds_alternative<ModelLoadProgress>(*events.nextOfModel()));
        thread.load({ .path = m_path, .contextLength = 20 });
        QCOMPARE(std::get<ModelLoadFailed>(*events.nextOfModel()).request.contextLength, 10);
        QCOMPARE(events.waitForModel()->description.contextLength, 20);
    }
    void closingEndsEveryRunOnceAndStopsALoad()
    {
        RecordedEvents events;
        {
            InferenceThread thread(events, scriptedFactory(slow(20)));
            thread.load({ .path = m_path });
            thread.generate(requestOf(1));
            QVERIFY(waitForToken(events, 1));
            thread.generate(requestOf(2));
        }
        const std::vector<GenerationEvent> rest = events.takeAll();
        for (RunId id : { 1, 2 })
            QCOMPARE(endCount(rest, id), 1);
        for (const GenerationEvent& event : rest)
            if (const auto* ended = std::get_if<RunEnded>(&event))
                QCOMPARE(ended->ledger.cancelledBy, std::optional(CancelledBy::Closing));
        {
            InferenceThread thread(events, scriptedFactory(endlessLoad()));
            thread.load({ .path = m_path });
            thread.generate(requestOf(3));
        }
        QCOMPARE(endCount(events.takeAll(), 3), 1);
    }
    void g23_fiftyRunsCancelledAtRandomTimesEndOnceEach()
    {
        std::mt19937 random(1);
        RecordedEvents events;
        std::vector<GenerationEvent> all;
        {
            ScriptedModelOptions options = slow(0);
            options.beforeAppend
                = [] { std::this_thread::sleep_for(std::chrono::microseconds(300)); };
            InferenceThread thread(events, scriptedFactory(options));
            thread.load({ .path = m_path });
            for (RunId id = 1; id <= 50; ++id) {
                thread.generate(requestOf(id));
                std::this_thread::sleep_for(std::chrono::microseconds(random() % 3000));
                thread.cancel(id);
                if (id % 10 == 0)
                    thread.load({ .path = m_path });
            }
        }
        all = events.takeAll();
        for (RunId id = 1; id <= 50; ++id)
            QCOMPARE(endCount(all, id), 1);
        for (const GenerationEvent& event : all)
            if (const auto* ended = std::get_if<RunEnded>(&event))
                QVERIFY(std::string_view("Hello! How are you?").starts_with(ended->text));
    }

private:
    QTemporaryDir m_folder;
    std::string m_path;
};

QTEST_APPLESS_MAIN(TestInferenceThread)
#include "tst_inference_thread.moc"
