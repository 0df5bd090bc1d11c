#include "engine/vulkan/buffer.h"
#include "engine/vulkan/texel_view.h"
#include "engine/vulkan/transfer.h"
#include "engine/vulkan/uploader.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>
#include <cstring>
#include <numeric>

using namespace engine;

namespace {
std::vector<std::byte> countingBytes(size_t count)
{
    std::vector<std::byte> bytes(count);
    for (size_t i = 0; i < count; ++i)
        bytes[i] = std::byte(i * 7 + i / 256);
    return bytes;
}

QString words(const Error& error) { return QString::fromStdString(error.message); }
}

class TestBuffer : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
    void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }

    void everyDomainReturnsWhatWasWritten_data()
    {
        QTest::addColumn<int>("domain");
        for (int domain = 0; domain < int(vk::BufferDomain::Count); ++domain)
            QTest::newRow(vk::domainName(vk::BufferDomain(domain))) << domain;
    }
    void everyDomainReturnsWhatWasWritten()
    {
        QFETCH(int, domain);
        auto buffer = vk::Buffer::create(m_vulkan.device(),
            { .bytes = 5'000'000, .domain = vk::BufferDomain(domain), .purpose = "round trip" });
        QVERIFY2(buffer.has_value(), qPrintable(buffer ? "" : words(buffer.error())));
        const auto written = countingBytes(4'999'996);
        QVERIFY(vk::writeBuffer(m_vulkan.device(), *buffer, 4, written).has_value());
        const auto read = vk::readBuffer(m_vulkan.device(), *buffer, 4, written.size());
        QVERIFY(read.has_value());
        QVERIFY(*read == written);
        const auto part = vk::readBuffer(m_vulkan.device(), *buffer, 1001, 3);
        QVERIFY(part.has_value());
        QVERIFY(std::memcmp(part->data(), written.data() + 997, 3) == 0);
    }
    void hostDomainsAreAlwaysMapped()
    {
        for (vk::BufferDomain domain :
            { vk::BufferDomain::Upload, vk::BufferDomain::Readback, vk::BufferDomain::Uniform }) {
            const auto buffer = vk::Buffer::create(
                m_vulkan.device(), { .bytes = 100, .domain = domain, .purpose = "mapped" });
            QVERIFY(buffer.has_value());
            QCOMPARE(buffer->mapped().size(), size_t(112)); // rounded to whole texels
        }
    }
    void deviceMemoryIsMappedOnUnifiedMemory()
    {
        const auto buffer
            = vk::Buffer::create(m_vulkan.device(), { .bytes = 64, .purpose = "unified" });
        QVERIFY(buffer.has_value());
        if (!m_vulkan.device().capabilities().unifiedMemory)
            QVERIFY(buffer->mapped().empty());
        else if (m_vulkan.device().capabilities().softwareDevice)
            QCOMPARE(buffer->mapped().size(), size_t(64));
    }
    void anAllocationIsCountedByDomainUntilItGoes()
    {
        const vk::AllocationCounter& counter = m_vulkan.device().allocations();
        const uint64_t before = counter.bytes(vk::BufferDomain::Weights);
        const uint64_t totalBefore = counter.totalBytes();
        {
            auto first = vk::Buffer::create(m_vulkan.device(),
                { .bytes = 1 << 20, .domain = vk::BufferDomain::Weights, .purpose = "counted" });
            QVERIFY(first.has_value());
            const vk::Buffer moved = std::move(*first);
            QCOMPARE(counter.bytes(vk::BufferDomain::Weights), before + (1 << 20));
            QCOMPARE(counter.totalBytes(), totalBefore + (1 << 20));
        }
        QCOMPARE(counter.bytes(vk::BufferDomain::Weights), before);
        QCOMPARE(counter.totalBytes(), totalBefore);
        QVERIFY(counter.peakBytes(vk::BufferDomain::Weights) >= before + (1 << 20));
    }
    void memoryThatTheHostCannotSeeIsFilledByCopies()
    {
        tests::VulkanFixture card;
        QVERIFY2(card.open({ .hidesUnifiedMemory = true }), qPrintable(card.problem()));
        {
            const auto target = vk::Buffer::create(card.device(),
                { .bytes = 13'000'000, .domain = vk::BufferDomain::Weights, .purpose = "weights" });
            QVERIFY(target.has_value());
            QVERIFY(target->mapped().empty());
            const auto written = countingBytes(12'999'992); // three pieces and a rest
            vk::Uploader uploader(card.device());
            QVERIFY(uploader.write(*target, 0, std::span(written).first(4)).has_value());
            QVERIFY(uploader.write(*target, 4, std::span(written).subspan(4)).has_value());
            QVERIFY(uploader.finish().has_value());
            const auto read = vk::readBuffer(card.device(), *target, 0, written.size());
            QVERIFY(read.has_value());
            QVERIFY(*read == written);
            QCOMPARE(
                uploader.write(*target, 13'000'000, written).error().code, ErrorCode::BadRequest);
            QCOMPARE(uploader.write(*target, 2, std::span(written).first(4)).error().code,
                ErrorCode::BadRequest);
            QVERIFY(uploader.write(*target, 8, std::span(written).first(8))
                        .has_value()); // dropped in flight
        }
        QCOMPARE(card.close(), QString());
    }
    void smallWritesShareASubmission()
    {
        tests::VulkanFixture card;
        QVERIFY2(card.open({ .hidesUnifiedMemory = true }), qPrintable(card.problem()));
        {
            const auto target = vk::Buffer::create(card.device(),
                { .bytes = 4096, .domain = vk::BufferDomain::Weights, .purpose = "weights" });
            QVERIFY(target.has_value());
            const auto written = countingBytes(4096);
            const uint64_t before = card.device().calls().callCount(vk::CallKind::QueueSubmit);
            vk::Uploader uploader(card.device(), 2048); // two turns, and the second waits for none
            for (size_t at = 0; at < written.size(); at += 64)
                QVERIFY(uploader.write(*target, at, std::span(written).subspan(at, 64)).has_value());
            QVERIFY(uploader.finish().has_value());
            QCOMPARE(card.device().calls().callCount(vk::CallKind::QueueSubmit), before + 2);
            const auto read = vk::readBuffer(card.device(), *target, 0, written.size());
            QVERIFY(read.has_value());
            QVERIFY(*read == written);
        }
        QCOMPARE(card.close(), QString());
    }
    void moreThanTheHeapIsRefusedBeforeAskingWithBytesAndPurpose()
    {
        const uint64_t calls = m_vulkan.device().calls().callCount(vk::CallKind::AllocateMemory);
        const uint64_t available = m_vulkan.device().availableBytes(vk::BufferDomain::Device);
        const auto buffer = vk::Buffer::create(
            m_vulkan.device(), { .bytes = available + 16, .purpose = "the KV cache" });
        QVERIFY(!buffer);
        QCOMPARE(buffer.error().code, ErrorCode::OutOfMemory);
        QVERIFY2(words(buffer.error()).contains("the KV cache"), qPrintable(words(buffer.error())));
        QVERIFY2(words(buffer.error()).contains(QString::number(available + 16)),
            qPrintable(words(buffer.error())));
        QCOMPARE(m_vulkan.device().calls().callCount(vk::CallKind::AllocateMemory), calls);
    }
    void anEmptyBufferIsRefused()
    {
        const auto buffer
            = vk::Buffer::create(m_vulkan.device(), { .bytes = 0, .purpose = "nothing" });
        QCOMPARE(buffer.error().code, ErrorCode::BadRequest);
    }
    void aTexelViewKeepsToItsBufferAndAlignment()
    {
        const auto buffer
            = vk::Buffer::create(m_vulkan.device(), { .bytes = 1024, .purpose = "texels" });
        QVERIFY(buffer.has_value());
        const auto create = [&](uint64_t offset, uint64_t bytes,
                                vk::TexelFormat format = vk::TexelFormat::UInt4) {
            return vk::TexelView::create(
                m_vulkan.device(), *buffer, { .offset = offset, .bytes = bytes, .format = format });
        };
        QCOMPARE(create(0, 0)->texelCount(), uint64_t(64));
        QCOMPARE(create(256, 512, vk::TexelFormat::Float1)->texelCount(), uint64_t(128));
        QVERIFY(!create(8, 16)); // offset off the alignment
        QVERIFY(!create(256, 24)); // half a texel
        QVERIFY(!create(768, 512)); // past the end
        QVERIFY(!create(1024, 0)); // nothing left
    }
    void readbackAndUniformBuffersHaveNoTexelViews()
    {
        const auto buffer = vk::Buffer::create(m_vulkan.device(),
            { .bytes = 64, .domain = vk::BufferDomain::Readback, .purpose = "record" });
        QCOMPARE(vk::TexelView::create(m_vulkan.device(), *buffer, {}).error().code,
            ErrorCode::BadRequest);
    }

private:
    tests::VulkanFixture m_vulkan;
};

QTEST_APPLESS_MAIN(TestBuffer)
#include "tst_buffer.moc"
