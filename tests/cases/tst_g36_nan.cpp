#include "engine/session/generation.h"
#include "engine/session/session.h"
#include "engine/vulkan/transfer.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/support/reference_data.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

#include <cstring>

using namespace engine;

namespace {
/// Passes everything on to a session, and does something to its model before one append.
class DisturbedTimeline : public Timeline {
public:
    DisturbedTimeline(Session& session, int appendNumber, std::function<void()> disturb)
        : m_session(session)
        , m_appendsLeft(appendNumber)
        , m_disturb(std::move(disturb))
    {
    }

    Result<SyncReport> sync(std::span<const TokenId> ids, const SyncControl& control) override
    {
        return m_session.sync(ids, control);
    }
    Result<void> append(TokenId id) override
    {
        if (m_appendsLeft-- == 0)
            m_disturb();
        return m_session.append(id);
    }
    std::span<const float> logits() const override { return m_session.logits(); }
    void dropFrom(int position) override { m_session.dropFrom(position); }
    int tokenCount() const override { return m_session.tokenCount(); }
    int contextLength() const override { return m_session.contextLength(); }

private:
    Session& m_session;
    int m_appendsLeft;
    std::function<void()> m_disturb;
};

constexpr int kDisturbedAppend = 4;
}

/// Case G-36: one number that is not one ends the run, and does not outlive it.
class TestNan : public QObject {
    Q_OBJECT

    tests::VulkanFixture m_vulkan;
    RunId m_lastRunId = 0;

    struct OpenModel {
        std::unique_ptr<DeviceModel> model;
        std::optional<PagePool> pool;
        std::unique_ptr<Session> session;
    };
    bool open(OpenModel& opened)
    {
        const auto path = tests::tinyModel("arch-llama");
        const auto file = GgufFile::open(*path);
        auto model = DeviceModel::create(m_vulkan.device(), *file, {});
        if (!model)
            return false;
        opened.model = std::move(*model);
        opened.pool.emplace(opened.model->pageCount());
        opened.session = std::make_unique<Session>(*opened.model, *opened.pool, "test", 0);
        return true;
    }

    struct Answer {
        RunEnded ended;
        std::vector<std::optional<float>> logprobs;
    };
    Answer run(OpenModel& opened, Timeline& timeline)
    {
        GenerationRequest request;
        request.runId = ++m_lastRunId;
        request.promptIds = { 8, 150, 293, 217, 53, 253, 162, 171, 81, 265 };
        request.lengthCap = 12;
        request.sampling.temperature = 0;
        tests::RecordedEvents events;
        Generation generation(request,
            { .timeline = timeline,
                .pieceBytes = [](TokenId id) { return std::to_string(id) + " "; },
                .endTokenIds = {},
                .vocabularySize = int(opened.model->config().vocabularySize) },
            { .sink = events,
                .cancelled = [] { return std::nullopt; },
                .submitted = std::chrono::steady_clock::now() });
        generation.run();
        Answer answer;
        for (const GenerationEvent& event : events.takeAll()) {
            if (const auto* token = std::get_if<TokenDecoded>(&event))
                answer.logprobs.push_back(token->record.logprob);
            if (const auto* ended = std::get_if<RunEnded>(&event))
                answer.ended = *ended;
        }
        return answer;
    }

private slots:
    void initTestCase() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
    void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }

    void aBrokenNumberEndsTheRunAndTheNextIsRight_data()
    {
        QTest::addColumn<bool>("inKeys");
        QTest::newRow("among the keys of the last layer") << true;
        QTest::newRow("among the values of the first layer") << false;
    }
    void aBrokenNumberEndsTheRunAndTheNextIsRight()
    {
        QFETCH(bool, inKeys);
        if (!tests::tinyModel("arch-llama"))
            QSKIP(tests::kNoReference);
        OpenModel opened;
        QVERIFY(open(opened));
        const Answer right = run(opened, *opened.session);
        QCOMPARE(right.ended.ledger.reason, StopReason::LengthCap);
        QCOMPARE(right.ended.tokenIds.size(), size_t(12));
        opened.session->dropFrom(0);

        // One texel of the page, at position 3: all eight halves NaN.
        DisturbedTimeline disturbed(*opened.session, kDisturbedAppend, [&] {
            const std::vector<uint16_t> nans(8, 0x7E00);
            const std::vector<KvPages>& layers = opened.model->buffers().pages;
            for (uint32_t page = 0; page < opened.model->pageCount(); ++page) {
                const vk::Buffer& buffer
                    = inKeys ? layers.back().keys() : layers.front().values();
                const uint64_t offset = page * layers.front().pageBytes() + 3 * 16;
                QVERIFY(vk::writeBuffer(
                    m_vulkan.device(), buffer, offset, std::as_bytes(std::span(nans))));
            }
        });
        const Answer broken = run(opened, disturbed);
        const Ledger& ledger = broken.ended.ledger;
        QCOMPARE(ledger.reason, StopReason::Failed);
        QCOMPARE(stopReasonInfo(ledger.reason).verdict, Verdict::Partial);
        QVERIFY(ledger.error.has_value());
        QCOMPARE(ledger.error->code, ErrorCode::NotFinite);
        const QString message = QString::fromStdString(ledger.error->message);
        qInfo("%s", qPrintable(message));
        // The prompt's scores give token 0; the fifth append gives the scores of token 5.
        QVERIFY(message.contains(QString("token %1").arg(kDisturbedAppend + 1)));
        QCOMPARE(broken.ended.tokenIds.size(), size_t(kDisturbedAppend + 1));
        QVERIFY(std::equal(broken.ended.tokenIds.begin(), broken.ended.tokenIds.end(),
            right.ended.tokenIds.begin()));

        // Nothing of that run is used again, and the next one is what the first was.
        QCOMPARE(opened.session->tokenCount(), 0);
        const Answer next = run(opened, *opened.session);
        QCOMPARE(next.ended.cache.reusedTokens, 0);
        QCOMPARE(next.ended.tokenIds, right.ended.tokenIds);
        QCOMPARE(next.logprobs, right.logprobs); // to the last bit
    }
};

QTEST_GUILESS_MAIN(TestNan)
#include "tst_g36_nan.moc"
