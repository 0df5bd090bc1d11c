#include "engine/session/engine.h"
#include "engine/session/inference_thread.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/support/reference_data.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

using namespace engine;

namespace {
/// Records events, and takes the device away at one token of one run. On the inference thread,
/// which alone submits: the device is idle while it tells us.
class LosingSink : public EventSink {
public:
    void push(GenerationEvent event) override
    {
        if (const auto* token = std::get_if<TokenDecoded>(&event))
            if (token->runId == losesInRun && token->index == losesAtIndex)
                calls->injectFault({ callKind, 1, VK_ERROR_DEVICE_LOST });
        events.push(std::move(event));
    }
    void push(ScoreEvent event) override { events.push(std::move(event)); }
    void push(ModelEvent event) override { events.push(std::move(event)); }

    tests::RecordedEvents events;
    vk::DeviceCalls* calls = nullptr; ///< of the model that is open
    vk::CallKind callKind = vk::CallKind::QueueSubmit;
    RunId losesInRun = 0;
    int losesAtIndex = 0;
};

GenerationRequest requestOf(RunId runId)
{
    GenerationRequest request;
    request.runId = runId;
    request.promptIds = { 8, 150, 93, 217, 53, 253, 162, 171, 81, 65 };
    request.lengthCap = 8;
    request.ignoreEndTokens = true;
    request.sampling.temperature = 0;
    return request;
}
}

/// A graphics device that goes away while an answer is written: the answer fails in words and stays
/// partial, the program lives on, and the model opens again.
class TestDeviceLostInARun : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { tests::keepSoftwareDriverLoaded(); }

    void theRunFailsAndANewLoadWorks_data()
    {
        QTest::addColumn<int>("kind");
        for (const vk::CallKind kind :
            { vk::CallKind::QueueSubmit, vk::CallKind::WaitSemaphores })
            QTest::newRow(vk::callKindName(kind)) << int(kind);
    }
    void theRunFailsAndANewLoadWorks()
    {
        QFETCH(int, kind);
        const auto path = tests::tinyModel("arch-llama-spm");
        if (!path)
            QSKIP(tests::kNoReference);
        LosingSink sink;
        sink.callKind = vk::CallKind(kind);
        sink.losesInRun = 2;
        sink.losesAtIndex = 3;
        const EngineFactory factory
            = [&sink](const ModelLoadRequest& request,
                  const ModelLoadControl& control) -> Result<std::unique_ptr<LoadedModel>> {
            TRY_ASSIGN(std::unique_ptr<Engine> engine, Engine::open(request, control));
            sink.calls = &engine->model().device().calls();
            return std::unique_ptr<LoadedModel>(std::move(engine));
        };
        InferenceThread thread(sink, factory);
        const ModelLoadRequest model { .path = path->string() };
        thread.load(model);
        QVERIFY(sink.events.waitForModel().has_value());
        thread.generate(requestOf(1));
        const auto right = sink.events.waitForEnd(1);
        QVERIFY(right.has_value());
        QCOMPARE(right->ledger.reason, StopReason::LengthCap);
        QCOMPARE(right->tokenIds.size(), size_t(8));

        thread.generate(requestOf(2));
        thread.generate(requestOf(3)); // waits behind the one that fails
        const auto lost = sink.events.waitForEnd(2);
        QVERIFY(lost.has_value());
        QCOMPARE(lost->ledger.reason, StopReason::Failed);
        QVERIFY(lost->ledger.error.has_value());
        QCOMPARE(lost->ledger.error->code, ErrorCode::DeviceLost);
        qInfo("%s", lost->ledger.error->message.c_str());
        // What was written before it is kept.
        QCOMPARE(lost->tokenIds,
            TokenIds(right->tokenIds.begin(), right->tokenIds.begin() + 4));
        const auto after = sink.events.waitForEnd(3);
        QVERIFY(after.has_value());
        QCOMPARE(after->ledger.reason, StopReason::Failed);
        QCOMPARE(after->ledger.error->code, ErrorCode::DeviceLost);
        QVERIFY(after->tokenIds.empty());

        thread.load(model);
        QVERIFY(sink.events.waitForModel().has_value());
        thread.generate(requestOf(4));
        const auto again = sink.events.waitForEnd(4);
        QVERIFY(again.has_value());
        QCOMPARE(again->ledger.reason, StopReason::LengthCap);
        QCOMPARE(again->tokenIds, right->tokenIds);
    }
};

QTEST_GUILESS_MAIN(TestDeviceLostInARun)
#include "tst_device_lost_in_a_run.moc"
