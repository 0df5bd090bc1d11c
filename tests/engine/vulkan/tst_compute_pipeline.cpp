#include "engine/vulkan/compute_pipeline.h"
#include "engine/vulkan/recorder.h"
#include "engine/vulkan/submission.h"
#include "engine/vulkan/transfer.h"
#include "shaders/test_scale.h"
#include "shaders/test_scale_negated.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

using namespace engine;

namespace {
struct ScalePush {
    float addend;
    uint32_t texelCount;
};

vk::PipelineOptions scaleOptions(std::span<const uint32_t> spirv)
{
    return { .name = "test_scale",
        .spirv = spirv,
        .constants = { { 0, 8 }, vk::SpecConstant::ofFloat(1, 3.0f) },
        .bindings = { vk::BindingType::UniformTexel, vk::BindingType::StorageBuffer },
        .pushConstantBytes = sizeof(ScalePush) };
}
}

class TestComputePipeline : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
    void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }

    void texelsConstantsAndPushConstantsReachTheShader()
    {
        const auto result = scaled(shaders::test_scale());
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        for (size_t i = 0; i < result->size(); ++i)
            QCOMPARE((*result)[i], float(i) * 3.5f);
    }
    void aVariantByDefineIsAnotherShader()
    {
        const auto result = scaled(shaders::test_scale_negated());
        QVERIFY2(result.has_value(), result ? "" : result.error().message.c_str());
        for (size_t i = 0; i < result->size(); ++i)
            QCOMPARE((*result)[i], float(i) * -3.5f);
    }
    void aSubgroupSizeTheDeviceLacksIsRefused()
    {
        auto options = scaleOptions(shaders::test_scale());
        options.requiredSubgroupSize = m_vulkan.device().capabilities().maxSubgroupSize * 2;
        QCOMPARE(vk::ComputePipeline::create(m_vulkan.device(), options).error().code,
            ErrorCode::Unsupported);
        options.requiredSubgroupSize = m_vulkan.device().capabilities().subgroupSize;
        options.constants[0].value = options.requiredSubgroupSize;
        QVERIFY(vk::ComputePipeline::create(m_vulkan.device(), options).has_value());
    }
    void tooManyPushConstantsAreRefused()
    {
        auto options = scaleOptions(shaders::test_scale());
        options.pushConstantBytes = m_vulkan.device().capabilities().maxPushConstantBytes + 4;
        QCOMPARE(vk::ComputePipeline::create(m_vulkan.device(), options).error().code,
            ErrorCode::Unsupported);
    }
    void resourcesThatDoNotFitTheBindingsAreRefused()
    {
        vk::Device& device = m_vulkan.device();
        const auto pipeline
            = vk::ComputePipeline::create(device, scaleOptions(shaders::test_scale()));
        QVERIFY(pipeline.has_value());
        const auto buffer = vk::Buffer::create(device, { .bytes = 1024, .purpose = "values" });
        const auto view
            = vk::TexelView::create(device, *buffer, { .format = vk::TexelFormat::Float4 });
        QVERIFY(vk::BindingSet::create(device, *pipeline, { *view, *buffer }).has_value());
        QVERIFY(!vk::BindingSet::create(device, *pipeline, { *view })); // one missing
        QVERIFY(!vk::BindingSet::create(device, *pipeline, { *buffer, *buffer })); // not texels
        QVERIFY(!vk::BindingSet::create(
            device, *pipeline, { *view, vk::BoundResource(*buffer, 3, 16) })); // alignment
        QVERIFY(!vk::BindingSet::create(
            device, *pipeline, { *view, vk::BoundResource(*buffer, 256, 1024) })); // end
    }
    void mistakesInARecordingComeOutOfFinish()
    {
        vk::Device& device = m_vulkan.device();
        const auto pipeline
            = vk::ComputePipeline::create(device, scaleOptions(shaders::test_scale()));
        const auto buffer = vk::Buffer::create(device, { .bytes = 1024, .purpose = "values" });
        const auto view
            = vk::TexelView::create(device, *buffer, { .format = vk::TexelFormat::Float4 });
        const auto set = vk::BindingSet::create(device, *pipeline, { *view, *buffer });
        const auto errorOf = [&](auto record) {
            auto recorder = vk::Recorder::create(device, "mistake");
            record(*recorder);
            const auto recording = recorder->finish();
            return recording ? QString() : QString::fromStdString(recording.error().message);
        };
        QVERIFY(
            errorOf([&](vk::Recorder& r) { r.dispatch(1); }).contains("without a bound kernel"));
        QVERIFY(errorOf([&](vk::Recorder& r) {
            r.bind(*pipeline, *set), r.dispatch(1);
        }).contains("push constants"));
        QVERIFY(errorOf([&](vk::Recorder& r) {
            r.bind(*pipeline, *set), r.push(1.0f);
        }).contains("takes 8"));
        QVERIFY(
            errorOf([&](vk::Recorder& r) { r.fill(*buffer, 0, 512, 1024); }).contains("values"));
        QVERIFY(errorOf([&](vk::Recorder& r) {
            r.copy(*buffer, *buffer, { 0, 0, 6 });
        }).contains("whole words"));
        QVERIFY(errorOf([&](vk::Recorder& r) {
            r.bind(*pipeline, *set), r.push(ScalePush {}), r.dispatch(1, ~0u);
        }).contains("workgroups"));
        QCOMPARE(errorOf([](vk::Recorder&) {}), QString());
    }

private:
    Result<std::vector<float>> scaled(std::span<const uint32_t> spirv)
    {
        constexpr uint32_t kTexelCount = 100;
        vk::Device& device = m_vulkan.device();
        std::vector<float> inputs(kTexelCount * 4);
        for (size_t i = 0; i < inputs.size(); ++i)
            inputs[i] = float(i);
        TRY_ASSIGN(const vk::Buffer input,
            vk::Buffer::create(device,
                { .bytes = kTexelCount * 16,
                    .domain = vk::BufferDomain::Weights,
                    .purpose = "input" }));
        TRY_ASSIGN(const vk::Buffer output,
            vk::Buffer::create(device,
                { .bytes = kTexelCount * 16,
                    .domain = vk::BufferDomain::Readback,
                    .purpose = "output" }));
        TRY(vk::writeBuffer(device, input, 0, std::as_bytes(std::span(inputs))));
        TRY_ASSIGN(const vk::TexelView texels,
            vk::TexelView::create(device, input, { .format = vk::TexelFormat::Float4 }));
        TRY_ASSIGN(const vk::ComputePipeline pipeline,
            vk::ComputePipeline::create(device, scaleOptions(spirv)));
        TRY_ASSIGN(
            const vk::BindingSet set, vk::BindingSet::create(device, pipeline, { texels, output }));
        TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(device, "scale"));
        recorder.bind(pipeline, set);
        recorder.push(ScalePush { 0.5f, kTexelCount });
        recorder.dispatch((kTexelCount + 7) / 8);
        recorder.hostReadBarrier();
        TRY_ASSIGN(vk::Recording recording, recorder.finish());
        TRY(vk::runAndWait(device, recording));
        const std::span<float> values = output.mappedAs<float>();
        return std::vector<float>(values.begin(), values.end());
    }

    tests::VulkanFixture m_vulkan;
};

QTEST_APPLESS_MAIN(TestComputePipeline)
#include "tst_compute_pipeline.moc"
