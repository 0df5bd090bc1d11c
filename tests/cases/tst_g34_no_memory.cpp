#include "engine/model/device_model.h"
#include "engine/session/session.h"
#include "tests/support/reference_data.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

using namespace engine;

/// Case G-34: memory runs out while a model is opened, at every place where it can.
class TestNoMemory : public QObject {
    Q_OBJECT

    tests::VulkanFixture m_vulkan;

    static Result<std::unique_ptr<DeviceModel>> open(
        vk::Device& device, const std::filesystem::path& path, uint32_t contextLength = 0)
    {
        TRY_ASSIGN(const GgufFile file, GgufFile::open(path));
        return DeviceModel::create(device, file, { .contextLength = contextLength });
    }

    /// Whether the model answers: one pass over a few tokens with finite scores.
    static bool answers(DeviceModel& model)
    {
        PagePool pool(model.pageCount());
        Session session(model, pool, "test", 0);
        const TokenIds ids { 1, 2, 3, 4, 5 };
        return session.sync(ids, {}).has_value()
            && std::ranges::all_of(session.logits(), [](float x) { return std::isfinite(x); });
    }

private slots:
    void init() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
    void cleanup() { QCOMPARE(m_vulkan.close(), QString()); } // objects left over are messages

    void everyFailingAllocationNamesSizeAndPurposeAndLeavesNothing()
    {
        const auto path = tests::tinyModel("arch-gemma3");
        if (!path)
            QSKIP(tests::kNoReference);
        vk::Device& device = m_vulkan.device();
        QSet<QString> purposes;
        uint64_t callNumber = 1;
        for (;; ++callNumber) {
            device.calls().injectFault({ vk::CallKind::AllocateMemory, callNumber });
            const auto model = open(device, *path);
            if (!device.calls().faultFired()) {
                QVERIFY(model.has_value());
                break;
            }
            QVERIFY2(!model.has_value(), qPrintable(QString("allocation %1").arg(callNumber)));
            QCOMPARE(model.error().code, ErrorCode::OutOfMemory);
            const QString message = QString::fromStdString(model.error().message);
            const QRegularExpression form("not enough memory for (.+): it needs .+ \\((\\d+) bytes\\)");
            const auto match = form.match(message);
            QVERIFY2(match.hasMatch(), qPrintable(message));
            QVERIFY2(match.captured(2).toULongLong() > 0, qPrintable(message));
            purposes.insert(match.captured(1));
            QCOMPARE(device.allocations().count(), uint64_t(0));
            QCOMPARE(device.allocations().totalBytes(), uint64_t(0));
            QCOMPARE(m_vulkan.messages(), QString());
        }
        qInfo("%d allocations, %d purposes", int(callNumber) - 1, int(purposes.size()));
        // Weights by the tensor's name, the cache by its layer, buffers by what they hold.
        QVERIFY(purposes.contains("token_embd.weight"));
        QVERIFY(purposes.contains("KV cache of layer 0, keys"));
        QVERIFY(purposes.contains("logits"));
        device.calls().clearFault();
        // And the device is as good as new.
        const auto model = open(device, *path);
        QVERIFY(model.has_value());
        QVERIFY(answers(**model));
    }

    void everyFailingCallIsAnErrorAndLeavesNothing()
    {
        const auto path = tests::tinyModel("type-q4_1");
        if (!path)
            QSKIP(tests::kNoReference);
        vk::Device& device = m_vulkan.device();
        // Every seventh: any two neighbours are much alike, and all of them take a minute.
        uint64_t callNumber = 1;
        for (;; callNumber += 7) {
            device.calls().injectFault(
                { std::nullopt, callNumber, VK_ERROR_OUT_OF_HOST_MEMORY });
            const auto model = open(device, *path);
            if (!device.calls().faultFired()) {
                QVERIFY(model.has_value());
                break;
            }
            QVERIFY2(!model.has_value(), qPrintable(QString("call %1").arg(callNumber)));
            QCOMPARE(model.error().code, ErrorCode::OutOfMemory);
            QCOMPARE(device.allocations().count(), uint64_t(0));
            QCOMPARE(m_vulkan.messages(), QString());
        }
        device.calls().clearFault();
        QVERIFY(callNumber > 200); // the loop went through the whole loading
    }

    void aContextThatDoesNotFitIsRefusedAndASmallerOneOpens()
    {
        const auto path = tests::tinyModel("arch-llama");
        if (!path)
            QSKIP(tests::kNoReference);
        // Room for what the model needs at a short context, and little more.
        uint64_t needed = 0;
        uint32_t trained = 0;
        {
            const auto model = open(m_vulkan.device(), *path, 64);
            QVERIFY(model.has_value());
            needed = m_vulkan.device().allocations().totalBytes();
            trained = (*model)->config().contextLength;
        }
        const uint32_t asked = trained;
        QVERIFY(asked > 64);
        auto tight = tests::openTestDevice(
            m_vulkan.instance(), { .heapLimitBytes = needed + needed / 50 });
        QVERIFY(tight.has_value());
        const auto refused = open(*tight, *path, asked);
        QVERIFY(!refused.has_value());
        QCOMPARE(refused.error().code, ErrorCode::OutOfMemory);
        const QString message = QString::fromStdString(refused.error().message);
        qInfo("%s", qPrintable(message));
        QVERIFY(message.contains(QRegularExpression("needs .*(MiB|bytes)")));
        QCOMPARE(tight->allocations().count(), uint64_t(0));

        const auto model = open(*tight, *path, 64);
        QVERIFY2(model.has_value(), model ? "" : model.error().message.c_str());
        QCOMPARE((*model)->contextLength(), 64u);
        QVERIFY(answers(**model));
    }
};

QTEST_GUILESS_MAIN(TestNoMemory)
#include "tst_g34_no_memory.moc"
