#include "engine/vulkan/recorder.h"
#include "engine/vulkan/submission.h"
#include "engine/vulkan/transfer.h"
#include "shaders/test_increment.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

using namespace engine;

namespace {
constexpr uint32_t kGroupCount = 64;
constexpr uint64_t kBytes = kGroupCount * 8 * sizeof(uint32_t);

/// x -> 2 x + 1, count times, from start.
uint32_t iterated(uint32_t start, int count)
{
    for (int i = 0; i < count; ++i)
        start = start * 2 + 1;
    return start;
}
}

class TestSubmission : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem()));
        vk::Device& device = m_vulkan.device();
        auto pipeline = vk::ComputePipeline::create(device,
            { .name = "test_increment",
                .spirv = shaders::test_increment(),
                .bindings = { vk::BindingType::StorageBuffer } });
        QVERIFY(pipeline.has_value());
        m_pipeline.emplace(std::move(*pipeline));
        auto values = vk::Buffer::create(device, { .bytes = kBytes, .purpose = "values" });
        QVERIFY(values.has_value());
        m_values.emplace(std::move(*values));
        auto set = vk::BindingSet::create(device, *m_pipeline, { *m_values });
        QVERIFY(set.has_value());
        m_set.emplace(std::move(*set));
    }
    void cleanupTestCase()
    {
        m_set.reset();
        m_values.reset();
        m_pipeline.reset();
        QCOMPARE(m_vulkan.close(), QString());
    }
    void init() { QVERIFY(vk::writeBuffer(m_vulkan.device(), *m_values, 0, zeros()).has_value()); }

    void aBarrierOrdersDispatchesOfOneRecording()
    {
        auto recording = recorded(10);
        QVERIFY(recording.has_value());
        QVERIFY(vk::runAndWait(m_vulkan.device(), *recording).has_value());
        QVERIFY(allValuesAre(iterated(0, 10)));
    }
    void aRecordingThatDispatchesNothingLeavesBuffersAlone()
    {
        auto recorder = vk::Recorder::create(m_vulkan.device(), "nothing");
        QVERIFY(recorder.has_value());
        recorder->dispatchNothing();
        recorder->bind(*m_pipeline, *m_set);
        recorder->dispatch(kGroupCount);
        auto recording = recorder->finish();
        QVERIFY(recording.has_value());
        QVERIFY(vk::runAndWait(m_vulkan.device(), *recording).has_value());
        QVERIFY(allValuesAre(0));
    }
    void theNextSubmissionIsQueuedBeforeThisOneIsWaitedForAndRunsAfterIt()
    {
        vk::Device& device = m_vulkan.device();
        auto fill = vk::Recorder::create(device, "fill");
        fill->fill(*m_values, 5);
        auto filling = fill->finish();
        auto first = recorded(3);
        auto second = recorded(4);
        auto a = vk::Submission::create(device, *filling);
        auto b = vk::Submission::create(device, *first);
        auto c = vk::Submission::create(device, *second);
        QVERIFY(a && b && c);
        QVERIFY(c->wait().has_value());
        QVERIFY(*a->isDone() && *b->isDone()); // in order: the last one is the end of all
        QVERIFY(a->wait().has_value());
        QVERIFY(allValuesAre(iterated(5, 7)));
    }
    void aRecordingRunsAnyNumberOfTimes()
    {
        auto recording = recorded(1);
        for (int i = 0; i < 20; ++i) {
            auto submission = vk::Submission::create(m_vulkan.device(), *recording);
            QVERIFY(submission.has_value());
            QVERIFY(submission->wait().has_value());
        }
        QVERIFY(allValuesAre(iterated(0, 20)));
    }
    void startingARecordingAgainWaitsForItsLastRun()
    {
        auto recording = recorded(2);
        auto first = vk::Submission::create(m_vulkan.device(), *recording);
        auto second = vk::Submission::create(m_vulkan.device(), *recording);
        QVERIFY(first && second);
        QVERIFY(*first->isDone());
        QVERIFY(second->wait().has_value());
        QVERIFY(allValuesAre(iterated(0, 4)));
    }
    void aRecordingsMemoryIsUsedAgain()
    {
        vk::Device& device = m_vulkan.device();
        auto recording = recorded(2);
        const uint64_t pools = device.calls().callCount(vk::CallKind::CreateCommandPool);
        QVERIFY(vk::runAndWait(device, *recording).has_value());
        auto recorder = vk::Recorder::create(device, std::move(*recording));
        QVERIFY(recorder.has_value());
        recorder->bind(*m_pipeline, *m_set);
        recorder->dispatch(kGroupCount);
        auto again = recorder->finish();
        QVERIFY(again.has_value());
        QVERIFY(vk::runAndWait(device, *again).has_value());
        QCOMPARE(device.calls().callCount(vk::CallKind::CreateCommandPool), pools);
        QVERIFY(allValuesAre(iterated(0, 3)));
    }
    void whatIsDroppedInFlightIsWaitedFor()
    {
        {
            auto recording = recorded(50);
            auto submission = vk::Submission::create(m_vulkan.device(), *recording);
            QVERIFY(submission.has_value());
        } // validation reports a command pool that is freed while it runs
        QCOMPARE(m_vulkan.messages(), QString());
        QVERIFY(allValuesAre(iterated(0, 50)));
    }
    void aStepThatIsReusedWritesNoDescriptorsAndAllocatesNothing()
    {
        vk::Device& device = m_vulkan.device();
        auto recording = recorded(1);
        QVERIFY(vk::runAndWait(device, *recording).has_value());
        device.calls().resetCounts();
        for (int i = 0; i < 5; ++i)
            QVERIFY(vk::runAndWait(device, *recording).has_value());
        QCOMPARE(device.calls().callCount(vk::CallKind::QueueSubmit), uint64_t(5));
        QCOMPARE(device.calls().callCount(vk::CallKind::UpdateDescriptorSets), uint64_t(0));
        QCOMPARE(device.calls().callCount(vk::CallKind::AllocateMemory), uint64_t(0));
        QCOMPARE(device.calls().callCount(vk::CallKind::BeginCommandBuffer), uint64_t(0));
    }
    void indirectGroupCountsOfZeroDispatchNothing()
    {
        vk::Device& device = m_vulkan.device();
        const auto counts = vk::Buffer::create(device, { .bytes = 32, .purpose = "group counts" });
        const uint32_t words[] = { kGroupCount, 1, 1, 0, 1, 1, 0, 0 };
        QVERIFY(vk::writeBuffer(device, *counts, 0, std::as_bytes(std::span(words))).has_value());
        auto recorder = vk::Recorder::create(device, "indirect");
        recorder->bind(*m_pipeline, *m_set);
        recorder->dispatchIndirect(*counts, 0);
        recorder->barrier();
        recorder->dispatchIndirect(*counts, 12);
        auto recording = recorder->finish();
        QVERIFY(recording.has_value());
        QVERIFY(vk::runAndWait(device, *recording).has_value());
        QVERIFY(allValuesAre(iterated(0, 1)));
    }
    void timestampsMeasureEachSpanOfTheLastRun()
    {
        vk::Device& device = m_vulkan.device();
        if (!device.capabilities().timestamps)
            QSKIP("this device has no timestamps");
        auto timestamps = vk::Timestamps::create(device, 3);
        QVERIFY(timestamps.has_value());
        QVERIFY(timestamps->read()->empty()); // nothing has run yet
        auto recorder = vk::Recorder::create(device, "timed");
        recorder->startTimestamps(*timestamps);
        recorder->bind(*m_pipeline, *m_set);
        recorder->dispatch(kGroupCount);
        recorder->mark(*timestamps, "one dispatch");
        for (int i = 0; i < 20; ++i) {
            recorder->barrier();
            recorder->dispatch(kGroupCount);
        }
        recorder->mark(*timestamps, "twenty dispatches");
        auto recording = recorder->finish();
        QVERIFY(recording.has_value());
        for (int run = 0; run < 2; ++run) {
            QElapsedTimer clock;
            clock.start();
            QVERIFY(vk::runAndWait(device, *recording).has_value());
            const double elapsedMs = double(clock.nsecsElapsed()) * 1e-6;
            const auto spans = timestamps->read();
            QVERIFY(spans.has_value());
            QCOMPARE(spans->size(), size_t(2));
            QCOMPARE((*spans)[0].label, std::string("one dispatch"));
            QVERIFY((*spans)[0].ms >= 0 && (*spans)[1].ms > 0);
            QVERIFY((*spans)[0].ms + (*spans)[1].ms <= elapsedMs);
        }
    }
    void tooManyMarksAreRefused()
    {
        auto timestamps = vk::Timestamps::create(m_vulkan.device(), 1);
        auto recorder = vk::Recorder::create(m_vulkan.device(), "marks");
        recorder->startTimestamps(*timestamps);
        recorder->mark(*timestamps, "one too many");
        QVERIFY(recorder->finish().error().message.find("one too many") != std::string::npos);
    }

private:
    static std::span<const std::byte> zeros()
    {
        static const std::vector<std::byte> bytes(kBytes);
        return bytes;
    }
    Result<vk::Recording> recorded(int dispatchCount)
    {
        TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(m_vulkan.device(), "increments"));
        recorder.bind(*m_pipeline, *m_set);
        for (int i = 0; i < dispatchCount; ++i) {
            recorder.dispatch(kGroupCount);
            recorder.barrier();
        }
        return recorder.finish();
    }
    bool allValuesAre(uint32_t expected)
    {
        const auto bytes = vk::readBuffer(m_vulkan.device(), *m_values, 0, kBytes);
        if (!bytes)
            return false;
        const auto* values = reinterpret_cast<const uint32_t*>(bytes->data());
        return std::all_of(values, values + bytes->size() / sizeof(uint32_t),
            [&](uint32_t value) { return value == expected; });
    }

    tests::VulkanFixture m_vulkan;
    std::optional<vk::ComputePipeline> m_pipeline;
    std::optional<vk::Buffer> m_values;
    std::optional<vk::BindingSet> m_set;
};

QTEST_APPLESS_MAIN(TestSubmission)
#include "tst_submission.moc"
