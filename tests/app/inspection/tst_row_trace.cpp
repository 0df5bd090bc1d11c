#include "app/inspection/row_trace.h"
#include "engine/sampling/sampler.h"
#include "tests/engine/sampling/plain_sampler.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

using engine::SamplerSettings;
using engine::TokenId;

namespace {
constexpr double kTolerance = 1e-5; // the sampler sums weights in float

std::vector<float> randomScores(size_t count, uint32_t seed)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal(-2, 3);
    std::vector<float> scores(count);
    for (float& score : scores)
        score = normal(generator);
    return scores;
}

app::RowTrace traceOf(const std::vector<float>& scores, const SamplerSettings& settings, const engine::TokenIds& before = {})
{
    return { std::make_shared<const std::vector<float>>(scores), settings, before };
}
}

class TestRowTrace : public QObject {
    Q_OBJECT
private slots:
    void everyTokenIsWhatThePlainSamplerSays_data()
    {
        QTest::addColumn<SamplerSettings>("settings");
        SamplerSettings settings;
        QTest::newRow("the window's defaults") << settings;
        settings.topK = 0;
        QTest::newRow("top-p and min-p") << settings;
        settings.topP = 1;
        settings.minP = 0;
        settings.temperature = 1.4f;
        QTest::newRow("nothing cut") << settings;
        settings = {};
        settings.repeatPenalty = 1.3f;
        settings.presencePenalty = 0.5f;
        settings.logitBias = { { 7, 12 }, { 11, -4 } };
        settings.bannedIds = { 900, 12, 2999 };
        QTest::newRow("penalties, bias and bans") << settings;
    }
    void everyTokenIsWhatThePlainSamplerSays()
    {
        QFETCH(SamplerSettings, settings);
        const engine::TokenIds before { 7, 3, 3, 900, 2998, 11 };
        for (uint32_t round = 0; round < 4; ++round) {
            const std::vector<float> scores = randomScores(3000, round);
            const auto right = tests::plainDistribution(scores, before, settings);
            const app::RowTrace trace = traceOf(scores, settings, before);
            double raw = 0;
            double final = 0;
            std::vector<int> ranks;
            for (TokenId id = 0; id < 3000; ++id) {
                const app::RowToken token = trace.token(id);
                QVERIFY(std::fabs(std::log(token.rawProbability) - right.rawLogprobs[size_t(id)]) < kTolerance);
                QVERIFY(std::fabs(token.finalProbability - right.probability[size_t(id)]) < kTolerance);
                QCOMPARE(token.droppedBy, right.droppedBy[size_t(id)]);
                QCOMPARE(token.rank, engine::countBefore(scores, size_t(id)) + 1);
                ranks.push_back(token.rank);
                raw += token.rawProbability;
                final += token.finalProbability;
            }
            QVERIFY(std::fabs(raw - 1) < 1e-9);
            QVERIFY(std::fabs(final - 1) < 1e-9);
            std::ranges::sort(ranks); // every rank once
            for (int i = 0; i < 3000; ++i)
                QCOMPARE(ranks[size_t(i)], i + 1);
        }
    }

    void itAgreesWithTheRecordOfTheStep()
    {
        for (const float temperature : { 0.0f, 0.8f }) {
            SamplerSettings settings;
            settings.temperature = temperature;
            const std::vector<float> scores = randomScores(5003, 9);
            const engine::TokenRecord record = *engine::Sampler(settings, {}).choose({ scores, {}, 4 });
            const app::RowTrace trace = traceOf(scores, settings);
            QCOMPARE(trace.isGreedy(), temperature == 0);
            QCOMPARE(trace.token(record.id).rank, *record.rank);
            for (size_t i = 0; i < record.top.size(); ++i) {
                const app::RowToken token = trace.token(record.top[i].id);
                QCOMPARE(token.rank, int(i) + 1);
                QVERIFY(std::fabs(std::log(token.rawProbability) - double(record.top[i].logprob)) < kTolerance);
                if (temperature > 0)
                    QCOMPARE(token.droppedBy, record.top[i].droppedBy);
            }
            if (temperature == 0)
                QCOMPARE(trace.token(record.id).finalProbability, 1.0);
        }
    }

    void theBestOfSomeTokensComeByRank()
    {
        const std::vector<float> scores { 1, 5, 3, 5, 2 };
        const app::RowTrace trace = traceOf(scores, {});
        const auto best = trace.best({ 0, 1, 2, 3, 99, -1 }, 3);
        QCOMPARE(best.size(), size_t(3));
        QCOMPARE(best[0].id, 1); // ties to the lower id
        QCOMPARE(best[1].id, 3);
        QCOMPARE(best[2].id, 2);
        QCOMPARE(best[1].rank, 2);
        QVERIFY(trace.best({}, 3).empty());
    }

    void aRowWithEverythingBannedIsNoTrap()
    {
        SamplerSettings settings;
        settings.bannedIds = { 0, 1 };
        for (const float temperature : { 0.0f, 1.0f }) {
            settings.temperature = temperature;
            const app::RowTrace trace = traceOf({ 1, 2 }, settings);
            QCOMPARE(trace.token(1).droppedBy, engine::SamplerStage::LogitBias);
            QCOMPARE(trace.token(1).finalProbability, 0.0);
            QVERIFY(trace.token(1).rawProbability > 0.7);
        }
    }

    void aVocabularyOf262144IsTracedQuickly()
    {
        const std::vector<float> scores = randomScores(262'144, 3);
        QBENCHMARK_ONCE { (void)traceOf(scores, {}); }
    }
};

QTEST_MAIN(TestRowTrace)
#include "tst_row_trace.moc"
