#include "engine/session/engine.h"
#include "engine/session/inference_thread.h"
#include "engine/session/model_text.h"
#include "engine/session/side_runs.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/support/reference_data.h"
#include "tests/support/scripted_model.h"
#include "tests/support/scripted_side.h"

#include <QTemporaryDir>
#include <QtTest>

#include <limits>
#include <map>
#include <thread>

using namespace engine;
using namespace tests;

namespace {
const WordFile kWords { { "1", ",", " 2", " 3", " 4", " 5", " 6", " 7", " 8", " 9" } };
constexpr int kRoomForAll = std::numeric_limits<int>::max();

Script counting()
{
    TokenIds ids;
    for (size_t i = 0; i < kWords.words.size(); ++i)
        ids.push_back(kWords.word(i));
    ids.push_back(WordFile::kEnd);
    return Script::ofTokens(ids, kWords.vocabularySize());
}

/// A model of a script, with sequences that are computed together.
class SideModel : public LoadedModel {
public:
    SideModel(std::shared_ptr<const ModelText> text, const Script& script, int count, int room,
        std::function<void()> beforePass = {})
        : m_text(std::move(text))
        , m_timeline(script)
        , side(script, count, room, std::move(beforePass))
        , m_hasSide(count > 0)
    {
    }
    const ModelDescription& description() const override { return m_description; }
    std::shared_ptr<const ModelText> text() const override { return m_text; }
    Timeline& timeline() override { return m_timeline; }
    SideBySide* sideBySide() override { return m_hasSide ? &side : nullptr; }

private:
    ModelDescription m_description;
    std::shared_ptr<const ModelText> m_text;
    ScriptedTimeline m_timeline;

public:
    ScriptedSide side;

private:
    bool m_hasSide;
};

GenerationRequest requestOf(RunId runId, int lengthCap = 1024)
{
    GenerationRequest request;
    request.runId = runId;
    request.promptIds = { WordFile::kBos, WordFile::kStart };
    request.lengthCap = lengthCap;
    request.sampling.temperature = 0;
    return request;
}

std::map<RunId, RunEnded> endings(RecordedEvents& events)
{
    std::map<RunId, RunEnded> ended;
    for (const GenerationEvent& event : events.takeAll())
        if (const auto* end = std::get_if<RunEnded>(&event)) {
            if (ended.contains(end->runId))
                qFatal("two ends");
            ended.emplace(end->runId, *end);
        }
    return ended;
}

std::vector<StartRun> starts(const std::vector<GenerationRequest>& requests)
{
    std::vector<StartRun> all;
    for (const GenerationRequest& request : requests)
        all.push_back({ request, std::chrono::steady_clock::now() });
    return all;
}
}

/// Runs written side by side: the same as one after the other, in fewer passes.
class TestSideRuns : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        m_path = m_folder.filePath("words.gguf").toStdString();
        kWords.save(m_path);
        const auto file = GgufFile::open(m_path);
        QVERIFY(file);
        m_text = *readModelText(*file);
    }

    void eachEndsByItsOwnConditionInSharedPasses()
    {
        SideModel model(m_text, counting(), 4, kRoomForAll);
        std::vector<GenerationRequest> requests { requestOf(1), requestOf(2, 3), requestOf(3), requestOf(4, 0) };
        requests[2].stopStrings = { " 4 5" };
        const auto ended = runAll(model, requests);
        QCOMPARE(ended.at(1).ledger.reason, StopReason::EndToken);
        QCOMPARE(ended.at(1).text, std::string("1, 2 3 4 5 6 7 8 9"));
        QCOMPARE(ended.at(2).ledger.reason, StopReason::LengthCap);
        QCOMPARE(ended.at(2).text, std::string("1, 2"));
        QCOMPARE(ended.at(3).ledger.reason, StopReason::StopString);
        QCOMPARE(ended.at(3).text, std::string("1, 2 3"));
        QCOMPARE(ended.at(4).ledger.reason, StopReason::LengthCap);
        // Ten passes for 11 + 3 + 6 tokens, of which each run's first is the prefill's.
        QCOMPARE(model.side.passSizes, (std::vector<int> { 3, 3, 2, 2, 2, 1, 1, 1, 1, 1 }));
        QCOMPARE(ended.at(1).decodePassCount, 10);
        QCOMPARE(ended.at(3).decodePassCount, 5);
        QVERIFY(!ended.at(1).overlap.isUsed);
    }

    void moreRunsThanSequencesWaitTheirTurn()
    {
        SideModel model(m_text, counting(), 2, kRoomForAll);
        std::vector<GenerationRequest> requests;
        for (RunId id = 1; id <= 7; ++id)
            requests.push_back(requestOf(id));
        const auto ended = runAll(model, requests);
        QCOMPARE(ended.size(), size_t(7));
        for (const auto& [id, end] : ended)
            QCOMPARE(end.text, std::string("1, 2 3 4 5 6 7 8 9"));
        QVERIFY(*std::ranges::max_element(model.side.passSizes) == 2);
    }

    void aFullCacheLetsRunsWaitAndChangesNothing()
    {
        SideModel model(m_text, counting(), 4, 24); // each needs 12
        std::vector<GenerationRequest> requests;
        for (RunId id = 1; id <= 4; ++id)
            requests.push_back(requestOf(id));
        const auto ended = runAll(model, requests);
        QCOMPARE(ended.size(), size_t(4));
        for (const auto& [id, end] : ended) {
            QCOMPARE(end.text, std::string("1, 2 3 4 5 6 7 8 9"));
            QCOMPARE(end.tokenIds.size(), size_t(11));
        }
        QVERIFY(model.side.passSizes.front() == 4);
    }

    void aCacheTooSmallForOneFailsItInWords()
    {
        SideModel model(m_text, counting(), 2, 6);
        const auto ended = runAll(model, { requestOf(1), requestOf(2, 3) });
        QCOMPARE(ended.at(1).ledger.reason, StopReason::Failed);
        QCOMPARE(ended.at(1).ledger.error->code, ErrorCode::OutOfMemory);
        QCOMPARE(ended.at(2).ledger.reason, StopReason::LengthCap);
    }

    void oneIsCancelledAndTheOthersGoOn()
    {
        SideRuns* runs = nullptr;
        int passes = 0;
        SideModel model(m_text, counting(), 2, kRoomForAll, [&] {
            if (++passes == 3) {
                QVERIFY(runs->cancel(1, CancelledBy::User));
                QVERIFY(runs->cancel(3, CancelledBy::User)); // waits for a sequence
                QVERIFY(!runs->cancel(9, CancelledBy::User));
            }
        });
        RecordedEvents events;
        SideRuns side(model, starts({ requestOf(1), requestOf(2), requestOf(3), requestOf(4) }),
            { events, [] {}, [] {} });
        runs = &side;
        side.run();
        const auto ended = endings(events);
        QCOMPARE(ended.at(1).ledger.reason, StopReason::Cancelled);
        QCOMPARE(ended.at(1).tokenIds.size(), size_t(4));
        QCOMPARE(ended.at(3).ledger.reason, StopReason::Cancelled);
        QVERIFY(ended.at(3).tokenIds.empty());
        QCOMPARE(ended.at(2).ledger.reason, StopReason::EndToken);
        QCOMPARE(ended.at(4).ledger.reason, StopReason::EndToken);
    }

    void aModelWithoutSuchSequencesRunsThemOneAfterTheOther()
    {
        SideModel model(m_text, counting(), 0, 0);
        const auto ended = runAll(model, { requestOf(1), requestOf(2, 3) });
        QCOMPARE(ended.at(1).text, std::string("1, 2 3 4 5 6 7 8 9"));
        QCOMPARE(ended.at(2).text, std::string("1, 2"));
    }

    void theThreadQueuesThemAsAWholeAndCancelsEach()
    {
        RecordedEvents events;
        InferenceThread thread(events, scriptedFactory({ .script = counting(), .beforeAppend = [] {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        } }));
        thread.load({ .path = m_path });
        thread.generate(requestOf(1));
        thread.generateTogether({ requestOf(2), requestOf(3), requestOf(4) });
        thread.generate(requestOf(5));
        thread.cancel(3);
        std::vector<RunId> order;
        std::map<RunId, StopReason> reasons;
        while (order.size() < 5) {
            const auto event = events.nextOfRun();
            QVERIFY(event);
            if (const auto* ended = std::get_if<RunEnded>(&*event)) {
                order.push_back(ended->runId);
                reasons[ended->runId] = ended->ledger.reason;
            }
        }
        QCOMPARE(order.back(), RunId(5));
        QCOMPARE(reasons[3], StopReason::Cancelled);
        for (RunId id : { 1, 2, 4, 5 })
            QCOMPARE(reasons[id], StopReason::EndToken);
    }

    void closingEndsEachOnce()
    {
        RecordedEvents events;
        {
            InferenceThread thread(events, scriptedFactory({ .script = counting(), .beforeAppend = [] {
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            } }));
            thread.load({ .path = m_path });
            QVERIFY(events.waitForModel());
            thread.generateTogether({ requestOf(1), requestOf(2) });
            thread.generateTogether({ requestOf(3), requestOf(4) });
        }
        const auto ended = endings(events);
        QCOMPARE(ended.size(), size_t(4));
        QCOMPARE(ended.at(4).ledger.cancelledBy, std::optional(CancelledBy::Closing));
    }

    // A real model: eight runs with other settings each, drawn and greedy, together and alone.
    void eightRunsTogetherSayWhatEachSaysAlone()
    {
        const auto model = realModel(kSmolLM2);
        if (!model)
            QSKIP(kNoModel);
        RecordedEvents events;
        InferenceThread thread(events, vulkanEngineFactory());
        thread.load({ .path = model->string(), .contextLength = 512 });
        const auto loaded = events.waitForModel();
        QVERIFY(loaded);
        const Tokenizer& tokenizer = *loaded->text->tokenizer;
        std::vector<GenerationRequest> requests;
        for (RunId id = 1; id <= 8; ++id) {
            GenerationRequest request = requestOf(id, 12 + int(id) * 3);
            request.promptIds = tokenizer.encodeText(
                id == 8 ? "Another beginning altogether, and" : "The museum in the old town opens every day, and the");
            request.sampling.temperature = id % 3 == 0 ? 0 : 0.9f;
            request.sampling.seed = id;
            request.sampling.topK = id % 2 ? 40 : 0;
            request.sampling.repeatPenalty = id == 5 ? 1.3f : 1;
            if (id == 2)
                request.stopStrings = { "." };
            requests.push_back(request);
        }
        thread.generateTogether(requests);
        std::map<RunId, RunEnded> together;
        while (together.size() < requests.size()) {
            const auto event = events.nextOfRun();
            QVERIFY(event);
            if (const auto* ended = std::get_if<RunEnded>(&*event))
                together.emplace(ended->runId, *ended);
        }
        int reused = 0;
        for (GenerationRequest request : requests) {
            const RunEnded& one = together.at(request.runId);
            reused += one.cache.reusedTokens > 0;
            request.runId += 100;
            thread.generate(request);
            const auto alone = events.waitForEnd(request.runId);
            QVERIFY(alone);
            QVERIFY2(one.tokenIds == alone->tokenIds, (one.text + " | " + alone->text).c_str());
            QCOMPARE(one.ledger.reason, alone->ledger.reason);
            QCOMPARE(one.text, alone->text);
        }
        GenerationRequest fresh = requests[1];
        fresh.runId = 500;
        fresh.reusesCache = false;
        thread.generate(fresh);
        const auto computed = events.waitForEnd(500);
        QVERIFY(computed);
        QCOMPARE(computed->cache.reusedTokens, 0);
        QCOMPARE(computed->cache.computedTokens, int(fresh.promptIds.size()));
        QCOMPARE(computed->tokenIds, together.at(2).tokenIds);
        QCOMPARE(reused, 6); // of seven with the same prompt, one read it
    }

private:
    std::map<RunId, RunEnded> runAll(SideModel& model, const std::vector<GenerationRequest>& requests)
    {
        RecordedEvents events;
        SideRuns side(model, starts(requests), { events, [] {}, [] {} });
        side.run();
        return endings(events);
    }

    QTemporaryDir m_folder;
    std::string m_path;
    std::shared_ptr<const ModelText> m_text;
};

QTEST_APPLESS_MAIN(TestSideRuns)
#include "tst_side_runs.moc"
