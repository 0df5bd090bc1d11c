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
