#include "shaders/rms_norm.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>
#include <stop_token>

using namespace engine;
using enum vk::BindingType;

namespace {
vk::PipelineOptions normOf(uint32_t adds)
{
    return { .name = "rms_norm",
        .spirv = shaders::rms_norm(),
        .constants = { { 3, adds }, { 4, 0 } },
        .bindings = { UniformTexel, UniformTexel, StorageBuffer, UniformTexel },
        .pushConstantBytes = 12 };
}
}

class TestKernelContext : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(m_fixture.open(), qPrintable(m_fixture.problem())); }
    void cleanupTestCase() { QCOMPARE(m_fixture.close(), QString()); }

    void aPipelineIsMadeOnceForTheSameConstants()
    {
        KernelContext context(m_fixture.device(), nullptr);
        const auto first = context.pipeline(normOf(0));
        const auto again = context.pipeline(normOf(0));
        const auto other = context.pipeline(normOf(1));
        QVERIFY(first && again && other);
        QCOMPARE(*first, *again);
        QVERIFY(*first != *other);
        QCOMPARE(context.pipelineCount(), size_t(2));
    }

    void aStartedPipelineIsTheOneThatIsGivenOut()
    {
        KernelContext context(m_fixture.device(), nullptr);
        m_fixture.device().calls().resetCounts();
        context.startPipeline(normOf(0));
        context.startPipeline(normOf(0));
        QCOMPARE(context.pipelineCount(), size_t(0));
        const auto first = context.pipeline(normOf(0));
        context.startPipeline(normOf(0)); // there already
        const auto again = context.pipeline(normOf(0));
        QVERIFY(first && again);
        QCOMPARE(*first, *again);
        QCOMPARE(m_fixture.device().calls().callCount(vk::CallKind::CreateComputePipelines),
            uint64_t(1));
    }

    void aPipelineThatWasStartedForNothingDoesNoHarm()
    {
        KernelContext context(m_fixture.device(), nullptr);
        context.startPipeline(normOf(1));
    }

    void anErrorOfAStartedPipelineIsTheCallers()
    {
        KernelContext context(m_fixture.device(), nullptr);
        vk::PipelineOptions broken = normOf(0);
        broken.spirv = {};
        context.startPipeline(broken);
        const auto refused = context.pipeline(broken);
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::BadRequest);
    }

    void afterAStopNoFurtherPipelineIsMade()
    {
        KernelContext context(m_fixture.device(), nullptr);
        std::stop_source stop;
        context.setStop(stop.get_token());
        QVERIFY(context.pipeline(normOf(0)).has_value());
        stop.request_stop();
        QVERIFY(context.pipeline(normOf(0)).has_value()); // there already
        const auto refused = context.pipeline(normOf(1));
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::Cancelled);
    }

private:
    tests::KernelFixture m_fixture;
};

QTEST_APPLESS_MAIN(TestKernelContext)
#include "tst_kernel_context.moc"
