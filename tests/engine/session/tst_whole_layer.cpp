#include "engine/session/recorded_step.h"
#include "engine/session/session.h"
#include "tests/support/vulkan_fixture.h"

#include <QtTest>

#include <array>
#include <cstring>

using namespace engine;

namespace {
template <typename T> T need(Result<T> result)
{
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return std::move(*result);
}

TokenIds promptOf(int count)
{
    TokenIds ids;
    for (int i = 0; i < count; ++i)
        ids.push_back(TokenId((i * 37 + 11) % 300));
    return ids;
}

/// A tiny model whose layers are one dispatch each where meets says so.
struct OpenModel {
    OpenModel(vk::Device& device, const QString& name, bool meets)
    {
        const auto path = std::filesystem::path(TOKENGLASS_GOLDEN) / "models" / (name.toStdString() + ".gguf");
        const GgufFile file = need(GgufFile::open(path));
        if (!meets)
            qputenv("TOKENGLASS_MEETING", "0");
        for (int i = 0; i < 40 && (!model || (meets && !model->forward().meeting())); ++i) // the machine may be busy
            model = need(DeviceModel::create(device, file, {}));
        qunsetenv("TOKENGLASS_MEETING");
        step = need(RecordedStep::create(*model, { 2, 7 }));
        pool.emplace(model->pageCount());
        session = std::make_unique<Session>(*model, *pool, "test", 0, step.get());
    }

    /// Scores after the prompt and after each further token.
    std::vector<std::vector<float>> scoresOf(const TokenIds& prompt, const TokenIds& further)
    {
        std::vector<std::vector<float>> scores;
        const auto note = [&] { scores.emplace_back(session->logits().begin(), session->logits().end()); };
        need(session->sync(prompt, {}));
        note();
        for (const TokenId id : further) {
            if (!session->append(id))
                qFatal("append failed");
            note();
        }
        return scores;
    }

    std::unique_ptr<DeviceModel> model;
    std::unique_ptr<RecordedStep> step;
    std::optional<PagePool> pool;
    std::unique_ptr<Session> session;
};

bool sameBits(const std::vector<float>& a, const std::vector<float>& b)
{
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}

/// engine/kernels/whole_layer.h through the forward pass: its operations one after the other are the reference.
class TestWholeLayer : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
    void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }

    void oneDispatchGivesTheBitsOfItsOperations_data()
    {
        QTest::addColumn<int>("promptLength");
        for (const char* name : { "arch-llama", "arch-llama31", "arch-qwen2", "arch-qwen3", "arch-gemma3", "type-q4_0",
                 "type-q4_1", "type-q4_k", "type-q5_0", "type-q5_k", "type-q6_k" })
            QTest::newRow(name) << 5;
        // Beyond one split of attention, and beyond the window of local layers.
        QTest::newRow("arch-llama, two splits") << 126;
        QTest::newRow("arch-gemma3, two splits") << 126;
    }
    void oneDispatchGivesTheBitsOfItsOperations()
    {
        QFETCH(int, promptLength);
        const QString name = QString(QTest::currentDataTag()).section(',', 0, 0);
        OpenModel whole(m_vulkan.device(), name, true);
        QVERIFY(whole.model->forward().meeting());
        QVERIFY(whole.model->forward().canStepWhole(2));
        OpenModel apart(m_vulkan.device(), name, false);
        QVERIFY(!apart.model->forward().meeting());
        const TokenIds prompt = promptOf(promptLength);
        const TokenIds further { 5, 250, 17, 99, 3 };
        const auto expected = apart.scoresOf(prompt, further);
        const auto scores = whole.scoresOf(prompt, further);
        for (size_t i = 0; i < scores.size(); ++i)
            QVERIFY2(sameBits(scores[i], expected[i]), qPrintable(QString("token %1").arg(i)));
        QCOMPARE(m_vulkan.messages(), QString());
    }

    void aMissedMeetingIsNoticedAndThePassRunAgain()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama", true);
        const TokenIds prompt = promptOf(9);
        const TokenIds further { 5, 250, 17 };
        const auto expected = opened.scoresOf(prompt, further);
        need(opened.session->sync(prompt, {}));
        const uint32_t before = opened.model->forward().missedMeetings();
        for (size_t i = 0; i < further.size(); ++i) {
            missAMeeting(opened);
            QVERIFY(opened.session->append(further[i]));
            const std::vector<float> scores(opened.session->logits().begin(), opened.session->logits().end());
            QVERIFY(sameBits(scores, expected[i + 1]));
        }
        QVERIFY(opened.model->forward().missedMeetings() > before);
    }

    /// Waiting uses up rounds of loops, and the device ends every loop when they are gone.
    void workThatIsCutShortIsNoticed()
    {
        OpenModel whole(m_vulkan.device(), "arch-llama", true);
        OpenModel apart(m_vulkan.device(), "arch-llama", false);
        const TokenIds prompt = promptOf(9);
        const TokenIds further(50, 5);
        const auto expected = apart.scoresOf(prompt, further);
        ForwardPass& forward = whole.model->forward();
        const uint32_t before = forward.missedMeetings();
        for (uint32_t taken = 65'000; taken < 65'536; ++taken) {
            if (taken % 50 == 0)
                need(whole.session->sync(prompt, {}));
            forward.trustMeeting();
            forward.meeting()->buffer().mappedAs<uint32_t>()[2] = taken;
            QVERIFY(whole.session->append(5));
            const std::vector<float> scores(
                whole.session->logits().begin(), whole.session->logits().end());
            QVERIFY2(sameBits(scores, expected[1 + taken % 50]),
                qPrintable(QString("%1 rounds taken").arg(taken)));
        }
        QVERIFY(forward.missedMeetings()
            > before + 30); // the layers of this model need at least so many rounds
    }

    void chosenTokensAreTheSameAfterMissedMeetings_data()
    {
        QTest::addColumn<bool>("looksAhead");
        QTest::newRow("one by one") << false;
        QTest::newRow("looking ahead") << true;
    }
    void chosenTokensAreTheSameAfterMissedMeetings()
    {
        QFETCH(bool, looksAhead);
        constexpr int kCount = 12;
        OpenModel opened(m_vulkan.device(), "arch-llama", true);
        const auto choose = [&](std::initializer_list<int> missedAt) {
            need(opened.session->sync(promptOf(9), {}));
            SamplerSettings settings;
            settings.temperature = 1.2f;
            settings.seed = 5;
            const auto begun = opened.session->beginChoosing(
                { .sampling = settings, .firstDrawStep = 0, .mostTokens = kCount, .looksAhead = looksAhead });
            if (!begun)
                qFatal("%s", begun.error().message.c_str());
            TokenIds ids;
            for (int i = 0; i < kCount; ++i) {
                if (std::ranges::find(missedAt, i) != missedAt.end())
                    missAMeeting(opened);
                ids.push_back(need(opened.session->nextToken()).id);
            }
            const int discarded = opened.session->endChoosing();
            return std::pair(ids, discarded);
        };
        const auto [expected, none] = choose({});
        const auto [ids, discarded] = choose({ 0, 1, 5, 11 });
        QCOMPARE(ids, expected);
        QVERIFY(discarded > none);
        QVERIFY(opened.model->forward().missedMeetings() > 0);
    }

    void aTokenIsOneSubmissionAndNoAllocation()
    {
        OpenModel opened(m_vulkan.device(), "arch-llama", true);
        constexpr int kTokens = 21; // the first is a choice alone, from the prompt's scores
        vk::DeviceCalls& calls = m_vulkan.device().calls();
        std::array<uint64_t, size_t(vk::CallKind::Count)> made {};
        uint32_t missed = 1;
        for (int round = 0; round < 20 && missed > 0; ++round) { // a missed meeting costs more: the machine may be busy
            const uint32_t missedBefore = opened.model->forward().missedMeetings();
            need(opened.session->sync(promptOf(100), {}));
            std::array<uint64_t, made.size()> before {};
            for (size_t kind = 0; kind < before.size(); ++kind)
                before[kind] = calls.callCount(vk::CallKind(kind));
            SamplerSettings greedy;
            greedy.temperature = 0;
            QVERIFY(opened.session->beginChoosing({ .sampling = greedy, .mostTokens = kTokens }).has_value());
            for (int i = 0; i < kTokens; ++i)
                need(opened.session->nextToken());
            for (size_t kind = 0; kind < before.size(); ++kind)
                made[kind] = calls.callCount(vk::CallKind(kind)) - before[kind];
            opened.session->endChoosing();
            missed = opened.model->forward().missedMeetings() - missedBefore;
        }
        QCOMPARE(missed, 0u);
        // Counted from the first choice on, for a pass may be on its way before the caller has the token before it.
        for (size_t kind = 0; kind < made.size(); ++kind)
            if (vk::CallKind(kind) == vk::CallKind::QueueSubmit)
                QCOMPARE(made[kind], uint64_t(kTokens));
            else if (vk::CallKind(kind) != vk::CallKind::WaitSemaphores)
                QVERIFY2(made[kind] == 0, vk::callKindName(vk::CallKind(kind)));
    }

private:
    /// As a workgroup does that waited in vain.
    static void missAMeeting(OpenModel& opened)
    {
        opened.model->forward().meeting()->buffer().mappedAs<uint32_t>()[1] = 1;
    }

    tests::VulkanFixture m_vulkan;
};

QTEST_GUILESS_MAIN(TestWholeLayer)
#include "tst_whole_layer.moc"
