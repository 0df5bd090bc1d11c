#include "engine/sampling/choose_token.h"

#include "engine/sampling/random_draw.h"
#include "engine/sampling/sampler.h"
#include "engine/vulkan/transfer.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace engine;
using tests::need;

namespace {
// Sums of weights in f32 against the host's, whose last step is in double.
constexpr float kTolerance = 2e-5f;
const float kMost = std::numeric_limits<float>::max();

SamplerSettings sampled(int topK, float topP, float minP, float temperature)
{
    SamplerSettings settings;
    settings.topK = topK;
    settings.topP = topP;
    settings.minP = minP;
    settings.temperature = temperature;
    settings.seed = 11;
    return settings;
}

const std::vector<std::pair<const char*, SamplerSettings>>& settingsTable()
{
    static const std::vector<std::pair<const char*, SamplerSettings>> kTable {
        { "greedy", sampled(40, 0.95f, 0.05f, 0) },
        { "the window's defaults", sampled(40, 0.95f, 0.05f, 0.8f) },
        { "top-k below the record's 20", sampled(5, 1, 0, 1) },
        { "top-k 1", sampled(1, 0.5f, 0.5f, 1) },
        { "all that the device keeps", sampled(64, 1, 0, 1.7f) },
        { "top-p cuts", sampled(64, 0.6f, 0, 1) },
        { "min-p cuts, cold", sampled(50, 1, 0.3f, 0.05f) },
        { "top-p 0", sampled(30, 0, 0, 1) },
    };
    return kTable;
}

std::vector<float> scoresOf(const QByteArray& kind, size_t count)
{
    std::mt19937 random { uint32_t(count) };
    std::normal_distribution<float> normal(-2, 3);
    std::vector<float> scores(count);
    for (size_t i = 0; i < count; ++i)
        if (kind == "random")
            scores[i] = normal(random);
        else if (kind == "ties")
            scores[i] = std::round(normal(random) / 4);
        else if (kind == "all equal")
            scores[i] = -1.5f;
        else if (kind == "ascending")
            scores[i] = 1e-3f * float(i);
        else if (kind == "descending")
            scores[i] = -1e-3f * float(i);
        else if (kind == "two zeros")
            scores[i] = i % 2 ? 0.0f : -0.0f;
        else if (kind == "extremes")
            scores[i] = i % 3 == 0 ? -kMost : i % 3 == 1 ? 0.0f : 1e30f;
        else // "lowest"
            scores[i] = -kMost;
    return scores;
}

bool near(std::optional<float> a, std::optional<float> b)
{
    if (!a || !b)
        return a.has_value() == b.has_value();
    return *a == *b || std::abs(*a - *b) <= kTolerance * std::max(1.0f, std::abs(*b));
}

/// Where two records differ; "" when they agree.
QString differenceOf(const TokenRecord& device, const TokenRecord& host)
{
    if (device.id != host.id)
        return QString("token %1, not %2").arg(device.id).arg(host.id);
    if (device.rank != host.rank)
        return "rank";
    if (!near(device.logprob, host.logprob) || !near(device.logSumExp, host.logSumExp))
        return "logprob";
    if (!near(device.entropy, host.entropy))
        return QString("entropy %1, not %2").arg(double(*device.entropy)).arg(double(*host.entropy));
    if (!near(device.endProbability, host.endProbability))
        return "end probability";
    if (device.draw != host.draw || device.source != host.source)
        return "draw or source";
    if (device.top.size() != host.top.size())
        return "number of candidates";
    for (size_t i = 0; i < host.top.size(); ++i) {
        const Candidate& a = device.top[i];
        const Candidate& b = host.top[i];
        if (a.id != b.id || a.droppedBy != b.droppedBy || !near(a.logprob, b.logprob)
            || !near(a.finalProbability, b.finalProbability))
            return QString("candidate %1").arg(i);
    }
    return {};
}

/// The kernels over one row of scores. Its members refer to each other: it stays where it is.
class Chooser {
public:
    Chooser(tests::KernelFixture& kernels, const std::vector<float>& scores, const TokenIds& endIds)
        : m_kernels(kernels)
        , m_scores(kernels.upload(asRow(scores)))
        , m_rows(need(BatchRows::create(
              kernels.device(), { .rowCount = 4, .tableCount = 1, .tablePages = 4 })))
        , m_scan(need(ScanScores::create(kernels.context(),
              { .scores = m_scores, .scoreCount = uint32_t(scores.size()) })))
        , m_choose(need(ChooseToken::create(
              kernels.context(), { .scan = m_scan, .rows = m_rows, .endTokenIds = endIds })))
    {
        const BatchRow row { 3, 100, 0 };
        m_rows.setRows(std::span(&row, 1));
    }

    void begin(const SamplerSettings& settings, uint64_t step) { m_choose.begin(settings, step); }

    StepResult run(uint32_t slot = 0)
    {
        m_kernels.run([&](vk::Recorder& recorder) {
            m_scan.record(recorder);
            recorder.barrier();
            m_choose.record(recorder, slot);
        });
        StepResult result;
        const auto bytes = need(vk::readBuffer(m_kernels.device(), m_choose.results(),
            slot * ChooseToken::kSlotBytes, sizeof(StepResult) / 4 * 4));
        std::memcpy(&result, bytes.data(), bytes.size());
        return result;
    }

    std::vector<TokenScore> candidates(uint32_t slot = 0)
    {
        std::vector<TokenScore> result(kStepCandidates);
        const auto bytes = need(vk::readBuffer(m_kernels.device(), m_choose.candidates(),
            slot * ChooseToken::kCandidateSlotBytes, ChooseToken::kCandidateSlotBytes));
        std::memcpy(result.data(), bytes.data(), bytes.size());
        return result;
    }

    /// What a caller does: doubts are settled by the host.
    TokenRecord record(const SamplerSettings& settings, uint64_t step, bool alwaysDoubts = false)
    {
        StepResult result = run();
        if (result.isDoubtful() || (alwaysDoubts && settings.temperature > 0)) {
            ++doubtCount;
            decideDoubtful(result, candidates(), settings, step);
        }
        return recordOf(result, settings, step);
    }

    /// Token and position of the next row.
    std::pair<uint32_t, uint32_t> nextRow() const
    {
        const std::span<uint32_t> words = m_rows.rowBuffer().mappedAs<uint32_t>();
        return { words[0], words[1] };
    }

    int doubtCount = 0;

private:
    static Matrix asRow(const std::vector<float>& scores)
    {
        Matrix row(1, scores.size());
        row.values = scores;
        return row;
    }

    tests::KernelFixture& m_kernels;
    Activations m_scores;
    BatchRows m_rows;
    ScanScores m_scan;
    ChooseToken m_choose;
};

TokenRecord hostRecord(const std::vector<float>& scores, const SamplerSettings& settings,
    const TokenIds& endIds, uint64_t step)
{
    Sampler sampler(settings, endIds);
    return need(sampler.choose({ .logits = scores, .recentTokens = {}, .step = step }));
}
}

/// Choosing on the device against the host's sampler, which is tested on its own.
class TestChooseToken : public QObject {
    Q_OBJECT

    tests::KernelFixture m_kernels;

private slots:
    void initTestCase() { QVERIFY2(m_kernels.open(), qPrintable(m_kernels.problem())); }
    void cleanupTestCase() { QCOMPARE(m_kernels.close(), QString()); }

    void recordsAreThoseOfTheHostSampler_data()
    {
        QTest::addColumn<QByteArray>("kind");
        QTest::addColumn<int>("count");
        for (const int count :
            { 1, 2, 3, 5, 19, 20, 21, 63, 64, 65, 100, 1000, 4097, 49152, 50001 })
            for (const char* kind : { "random", "ties", "all equal", "ascending", "descending",
                     "two zeros", "extremes", "lowest" })
                QTest::addRow("%d scores, %s", count, kind) << QByteArray(kind) << count;
    }
    void recordsAreThoseOfTheHostSampler()
    {
        QFETCH(QByteArray, kind);
        QFETCH(int, count);
        const std::vector<float> scores = scoresOf(kind, size_t(count));
        const TokenIds endIds { 0, count / 2, count - 1, count, -1 };
        Chooser device(m_kernels, scores, endIds);
        for (const auto& [name, settings] : settingsTable())
            for (const uint64_t step : { 0, 7 }) {
                const TokenRecord expected = hostRecord(scores, settings, endIds, step);
                for (const bool alwaysDoubts : { false, true }) {
                    device.begin(settings, step);
                    const QString difference
                        = differenceOf(device.record(settings, step, alwaysDoubts), expected);
                    QVERIFY2(difference.isEmpty(), qPrintable(name + (": " + difference)));
                }
            }
    }

    void theBestCandidatesComeInOrder()
    {
        const std::vector<float> scores = scoresOf("ties", 10'000);
        std::vector<TokenScore> expected;
        for (size_t i = 0; i < scores.size(); ++i)
            expected.push_back({ TokenId(i), scores[i] });
        std::ranges::stable_sort(expected, std::greater<>(), &TokenScore::score);
        expected.resize(kStepCandidates);
        Chooser device(m_kernels, scores, {});
        device.begin(sampled(64, 1, 0, 1), 0);
        for (const uint32_t slot : { 1u, 0u }) {
            const StepResult result = device.run(slot);
            QVERIFY(device.candidates(slot) == expected);
            for (size_t i = 0; i < result.top.size(); ++i)
                QVERIFY(result.top[i] == expected[i]);
        }
    }

    void aLongRunOfDrawsIsThatOfTheHost()
    {
        const std::vector<float> scores = scoresOf("random", 500);
        const SamplerSettings settings = sampled(40, 0.95f, 0.01f, 1.2f);
        Chooser device(m_kernels, scores, {});
        constexpr uint64_t kFirst = 5;
        device.begin(settings, kFirst);
        for (uint64_t step = kFirst; step < kFirst + 600; ++step) {
            const TokenRecord record = device.record(settings, step);
            QCOMPARE(record.id, hostRecord(scores, settings, {}, step).id);
            // Nobody set anything in between: token, position and counter move by themselves.
            QCOMPARE(device.nextRow().second, uint32_t(101 + step - kFirst));
        }
        QVERIFY2(device.doubtCount < 20, qPrintable(QString::number(device.doubtCount)));
    }

    void theChosenTokenBecomesTheNextRow()
    {
        Chooser device(m_kernels, scoresOf("random", 300), {});
        device.begin(sampled(20, 1, 0, 0), 0);
        const StepResult result = device.run();
        QCOMPARE(device.nextRow(), std::pair(uint32_t(result.id), 101u));
        QCOMPARE(result.position, 101u);
        QCOMPARE(result.id, result.top[0].id);
    }

    void whatIsNotFiniteIsSaidAndHarmsNothing_data()
    {
        QTest::addColumn<float>("fault");
        QTest::newRow("NaN") << std::numeric_limits<float>::quiet_NaN();
        QTest::newRow("infinity") << std::numeric_limits<float>::infinity();
        QTest::newRow("minus infinity") << -std::numeric_limits<float>::infinity();
    }
    void whatIsNotFiniteIsSaidAndHarmsNothing()
    {
        QFETCH(float, fault);
        for (const size_t count : { 1, 7, 300, 5000 }) {
            for (const bool everywhere : { false, true }) {
                std::vector<float> scores = scoresOf("random", count);
                scores[count / 2] = fault;
                if (everywhere)
                    std::ranges::fill(scores, fault);
                Chooser device(m_kernels, scores, {});
                for (const float temperature : { 0.0f, 1.0f }) {
                    device.begin(sampled(40, 0.9f, 0, temperature), 0);
                    const StepResult result = device.run();
                    QVERIFY(!result.isFinite());
                    QVERIFY(device.nextRow().first < count); // the next pass reads a real embedding
                }
            }
        }
    }

    void bordersThatFloatsCannotTellAreLeftToTheHost()
    {
        const std::vector<float> even { 1, 1, -30, -30 };
        Chooser device(m_kernels, even, {});
        // Half of the weight lies before the second token: exactly what top-p asks for.
        device.begin(sampled(2, 0.5f, 0, 1), 0);
        QVERIFY(device.run().isDoubtful());
        device.begin(sampled(2, 0.6f, 0, 1), 0);
        QVERIFY(!device.run().isDoubtful());
        // A draw that falls between the two.
        const SamplerSettings settings = sampled(2, 1, 0, 1);
        uint64_t step = 0;
        while (std::abs(uniformDraw(settings.seed, step) - 0.5) > 1e-5)
            ++step;
        device.begin(settings, step);
        StepResult result = device.run();
        QVERIFY(result.isDoubtful());
        decideDoubtful(result, device.candidates(), settings, step);
        QCOMPARE(result.id, hostRecord(even, settings, {}, step).id);
        // A score at the very edge of min-p.
        const std::vector<float> edge { 0, std::log(0.25f), -9 };
        Chooser other(m_kernels, edge, {});
        other.begin(sampled(3, 1, 0.25f, 1), 0);
        QVERIFY(other.run().isDoubtful());
    }

    void whatTheDeviceCannotMeetIsSaidInWords()
    {
        SamplerSettings settings;
        QVERIFY(!ChooseToken::obstacle(settings));
        settings.topK = 0;
        QVERIFY(ChooseToken::obstacle(settings)->find("top-k is off") != std::string::npos);
        settings.topK = 65;
        QVERIFY(ChooseToken::obstacle(settings)->find("65") != std::string::npos);
        settings.temperature = 0; // greedy: no stage cuts
        QVERIFY(!ChooseToken::obstacle(settings));
        settings.logitBias = { { 3, 1 } };
        QVERIFY(ChooseToken::obstacle(settings)->find("bias") != std::string::npos);
        settings.logitBias.clear();
        settings.repeatPenalty = 1.1f;
        QVERIFY(ChooseToken::obstacle(settings)->find("penalties") != std::string::npos);
        settings.repeatWindow = 0; // no token counts
        QVERIFY(!ChooseToken::obstacle(settings));
    }
};

QTEST_GUILESS_MAIN(TestChooseToken)
#include "tst_choose_token.moc"
