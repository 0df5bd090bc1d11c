#include "engine/session/generation.h"
#include "engine/session/session.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/support/reference_data.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>
#include <cstring>
#include <set>

using namespace engine;

namespace {
/// The two clocks are joined at one moment only.
constexpr double kClockToleranceMs = 0.5;

std::vector<TraceSpan> spansNamed(const TraceLog& log, const std::string& name)
{
    std::vector<TraceSpan> found;
    for (const TraceSpan& span : log.spans())
        if (span.name == name)
            found.push_back(span);
    return found;
}

double endOf(const TraceSpan& span) { return span.startMs + span.durationMs; }

bool lies(const TraceSpan& inner, const TraceSpan& outer)
{
    return inner.startMs >= outer.startMs - kClockToleranceMs && endOf(inner) <= endOf(outer) + kClockToleranceMs;
}
}

/// What a run leaves in a log, and that nothing else changes by it.
class TestTrace : public QObject {
    Q_OBJECT

    struct Opened {
        std::unique_ptr<DeviceModel> model;
        std::optional<PagePool> pool;
        std::unique_ptr<Session> session;
    };

    tests::VulkanFixture m_vulkan;

    bool open(const std::string& name, Opened& opened)
    {
        const auto path = tests::tinyModel(name);
        if (!path)
            return false;
        auto file = GgufFile::open(*path);
        auto model = file ? DeviceModel::create(m_vulkan.device(), *file, {}) : file.error();
        if (!model)
            qFatal("%s", model.error().message.c_str());
        opened.model = std::move(*model);
        opened.pool.emplace(opened.model->pageCount());
        opened.session = std::make_unique<Session>(*opened.model, *opened.pool, "test", 0);
        return true;
    }

    static TokenIds promptOf(int count)
    {
        TokenIds ids;
        for (int i = 0; i < count; ++i)
            ids.push_back(TokenId(3 + i * 7 % 50));
        return ids;
    }

    /// A greedy run of a prompt and some tokens.
    static RunEnded run(Opened& opened, int promptCount, int tokenCount, TraceLog* log)
    {
        tests::RecordedEvents events;
        GenerationRequest request;
        request.promptIds = promptOf(promptCount);
        request.sampling.temperature = 0;
        request.lengthCap = tokenCount;
        Generation(request,
            {
                .timeline = *opened.session,
                .pieceBytes = [](TokenId) { return std::string("a"); },
                .endTokenIds = {},
                .vocabularySize = int(opened.model->config().vocabularySize),
            },
            { .sink = events, .cancelled = [] { return std::nullopt; }, .submitted = TraceLog::Clock::now(), .trace = log })
            .run();
        return events.waitForEnd(request.runId).value_or(RunEnded {});
    }

    static void nameRows()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : { "arch-llama", "arch-gemma3", "type-q4_k" })
            QTest::newRow(name) << QString(name);
    }

private slots:
    void initTestCase() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
    void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }

    void everyPartOfARunHasItsSpans_data() { nameRows(); }
    void everyPartOfARunHasItsSpans()
    {
        QFETCH(QString, name);
        Opened opened;
        if (!open(name.toStdString(), opened))
            QSKIP(tests::kNoReference);
        TraceLog log;
        QCOMPARE(run(opened, 70, 4, &log).tokenIds.size(), size_t(4));
        QCOMPARE(spansNamed(log, "prefill chunk").size(), size_t(2)); // 64 rows and 6
        QCOMPARE(spansNamed(log, "decode step").size(), size_t(3)); // the prompt gives the first token
        QCOMPARE(spansNamed(log, "choose").size(), size_t(4));
        QCOMPARE(spansNamed(log, "emit").size(), size_t(4));
        QCOMPARE(spansNamed(log, "submit").size(), spansNamed(log, "wait").size());
        QVERIFY(spansNamed(log, "record").size() >= 3);
        QCOMPARE(spansNamed(log, "prefill chunk")[0].rowCount, 64u);
        QCOMPARE(spansNamed(log, "prefill chunk")[1].rowCount, 6u);
        QCOMPARE(spansNamed(log, "decode step")[0].pass, 3u);
    }

    void everyOperationOfEveryLayerIsTimedAndItsWorkKnown_data() { nameRows(); }
    void everyOperationOfEveryLayerIsTimedAndItsWorkKnown()
    {
        QFETCH(QString, name);
        Opened opened;
        qputenv("TOKENGLASS_MEETING", "0"); // each operation a dispatch of its own
        const bool isOpen = open(name.toStdString(), opened);
        qunsetenv("TOKENGLASS_MEETING");
        if (!isOpen)
            QSKIP(tests::kNoReference);
        if (!m_vulkan.device().capabilities().timestamps)
            QSKIP("this device has no timestamps");
        TraceLog log;
        run(opened, 70, 4, &log);
        QVERIFY(spansNamed(log, "whole_layer").empty());
        const size_t layerPasses = 4 * opened.model->config().layerCount; // two chunks, every other step
        for (const char* operation : { "query_key_value", "rope_store", "attention", "attention_output", "gate_up", "down" })
            QCOMPARE(spansNamed(log, operation).size(), layerPasses);
        QCOMPARE(spansNamed(log, "output").size(), size_t(3));
        uint64_t decodeBytes = 0;
        for (const TraceSpan& span : log.spans())
            if (span.track == TraceTrack::Device) {
                QVERIFY2(span.work, span.name.c_str());
                QVERIFY(!span.work->shape.empty());
                QVERIFY(span.work->bytes > 0);
                if (span.pass == 3)
                    decodeBytes += span.work->bytes;
            }
        // A decode step reads every matrix once, and of the embedding one row beside the scores.
        QVERIFY(decodeBytes >= opened.model->weightBytes());
        QVERIFY(spansNamed(log, "down")[0].work->multiplyAdds >= 64 * spansNamed(log, "down").back().work->multiplyAdds);
    }

    void aLayerInOneDispatchIsTimedAsOneOperation_data() { nameRows(); }
    void aLayerInOneDispatchIsTimedAsOneOperation()
    {
        QFETCH(QString, name);
        Opened opened;
        if (!open(name.toStdString(), opened))
            QSKIP(tests::kNoReference);
        if (!m_vulkan.device().capabilities().timestamps)
            QSKIP("this device has no timestamps");
        TraceLog log;
        run(opened, 70, 4, &log);
        const uint32_t layers = opened.model->config().layerCount;
        // Two chunks and every other step. On a busy machine a step may be done by single operations, or twice.
        QVERIFY(spansNamed(log, "gate_up").size() >= 2 * layers);
        QVERIFY(spansNamed(log, "gate_up").size() + spansNamed(log, "whole_layer").size() >= 4 * layers);
        for (const TraceSpan& span : spansNamed(log, "whole_layer"))
            QVERIFY(span.work && span.work->bytes > 0 && span.work->multiplyAdds > 0);
    }

    void timesAreOrderedAndNested_data() { nameRows(); }
    void timesAreOrderedAndNested()
    {
        QFETCH(QString, name);
        Opened opened;
        if (!open(name.toStdString(), opened))
            QSKIP(tests::kNoReference);
        TraceLog log;
        run(opened, 70, 4, &log);
        std::vector<TraceSpan> passes = spansNamed(log, "prefill chunk");
        for (const TraceSpan& step : spansNamed(log, "decode step"))
            passes.push_back(step);
        double deviceEndMs = 0;
        for (const TraceSpan& span : log.spans()) {
            QVERIFY(span.startMs >= 0 && span.durationMs >= 0);
            if (span.track == TraceTrack::Device) {
                QVERIFY(span.startMs >= deviceEndMs - 1e-6); // one operation after the other
                deviceEndMs = endOf(span);
            }
            const bool isPart = std::set<std::string> { "record", "submit", "wait" }.contains(span.name)
                || span.track == TraceTrack::Device;
            if (isPart)
                QVERIFY2(lies(span, passes[span.pass - 1]), span.name.c_str());
        }
        for (size_t i = 1; i < passes.size(); ++i)
            QVERIFY(passes[i].startMs >= endOf(passes[i - 1]));
    }

    void resultsAreTheSameWhetherOrNotAnybodyLooks()
    {
        Opened opened;
        if (!open("arch-llama", opened))
            QSKIP(tests::kNoReference);
        const auto scoresAfter = [&](TraceLog* log) {
            opened.session->dropFrom(0);
            opened.session->setTrace(log);
            const auto synced = opened.session->sync(promptOf(9), {});
            const auto appended = opened.session->append(5);
            if (!synced || !appended)
                qFatal("%s", (synced ? appended.error() : synced.error()).message.c_str());
            const std::span<const float> scores = opened.session->logits();
            return std::vector<float>(scores.begin(), scores.end());
        };
        TraceLog log;
        const std::vector<float> plain = scoresAfter(nullptr);
        const std::vector<float> traced = scoresAfter(&log);
        const size_t spanCount = log.spans().size();
        const std::vector<float> plainAgain = scoresAfter(nullptr);
        QVERIFY(spanCount > 0);
        QCOMPARE(log.spans().size(), spanCount);
        for (const std::vector<float>& other : { traced, plainAgain })
            QVERIFY(std::memcmp(plain.data(), other.data(), plain.size() * sizeof(float)) == 0);
    }
};

QTEST_GUILESS_MAIN(TestTrace)
#include "tst_trace.moc"
