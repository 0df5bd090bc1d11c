#include "engine/sampling/random_draw.h"
#include "engine/sampling/sampler.h"
#include "tests/engine/sampling/plain_sampler.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <random>

using namespace engine;

namespace {
// Weights are summed in float over stretches of 1,024, then in double.
constexpr double kLogprobTolerance = 1e-5;
constexpr double kProbabilityTolerance = 1e-5;

std::vector<float> randomLogits(size_t count, uint32_t seed, float spread = 3)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal(-2, spread);
    std::vector<float> logits(count);
    for (float& logit : logits)
        logit = normal(generator);
    return logits;
}

SamplerSettings everythingOff()
{
    SamplerSettings settings;
    settings.topK = 0;
    settings.topP = 1;
    settings.minP = 0;
    settings.temperature = 1;
    return settings;
}

TokenRecord chosen(const SamplerSettings& settings, const SamplingStep& step, TokenIds endIds = {})
{
    Result<TokenRecord> record = Sampler(settings, std::move(endIds)).choose(step);
    return record ? *record : TokenRecord { .id = -1 };
}
}

class TestSampler : public QObject {
    Q_OBJECT
private slots:
    void everyStageAgreesWithThePlainDoublePrecisionOne_data()
    {
        QTest::addColumn<SamplerSettings>("settings");
        SamplerSettings settings;
        QTest::newRow("the window's defaults") << settings;
        QTest::newRow("everything off") << everythingOff();
        settings.topK = 5;
        QTest::newRow("top-k below the record's 20") << settings;
        settings.topK = 0;
        QTest::newRow("top-p and min-p over the whole vocabulary") << settings;
        settings.minP = 0;
        settings.topP = 0.999f;
        QTest::newRow("a nucleus of thousands") << settings;
        settings = everythingOff();
        settings.minP = 0.001f;
        settings.temperature = 1.7f;
        QTest::newRow("min-p alone, hot") << settings;
        settings = {};
        settings.repeatPenalty = 1.3f;
        settings.presencePenalty = 0.5f;
        settings.frequencyPenalty = 0.25f;
        settings.logitBias = { { 7, 12 }, { 11, -4 } };
        QTest::newRow("penalties and bias") << settings;
        settings.topK = 0;
        settings.topP = 1;
        settings.minP = 0;
        QTest::newRow("penalties and bias, nothing cut") << settings;
        settings.bannedIds = { 7, 3, 11, 4001 };
        QTest::newRow("penalties, bias and bans, nothing cut") << settings;
        settings = {};
        for (TokenId id = 0; id < 2500; ++id)
            settings.bannedIds.push_back(id * 2);
        QTest::newRow("half the vocabulary banned") << settings;
    }
    void everyStageAgreesWithThePlainDoublePrecisionOne()
    {
        QFETCH(SamplerSettings, settings);
        for (uint32_t round = 0; round < 12; ++round) {
            const std::vector<float> logits = randomLogits(5003, round, round % 2 ? 3.0f : 0.7f);
            const TokenIds recent { 7, 3, 3, 900, 5002, 11 };
            const TokenIds endIds { 2, 4001 };
            settings.seed = round;
            const auto right = tests::plainDistribution(logits, recent, settings);
            const TokenRecord record = chosen(settings, { logits, recent, round }, endIds);
            const double uniform = uniformDraw(settings.seed, round);

            QCOMPARE(record.draw, std::optional(uniform));
            QCOMPARE(record.id, tests::plainDraw(right, uniform));
            const auto near
                = [](double a, double b, double tolerance) { return std::fabs(a - b) < tolerance; };
            QVERIFY(near(*record.logprob, right.rawLogprobs[size_t(record.id)], kLogprobTolerance));
            QVERIFY(near(*record.entropy, right.entropy, 1e-4));
            QVERIFY(near(*record.endProbability,
                std::exp(right.rawLogprobs[2]) + std::exp(right.rawLogprobs[4001]),
                kProbabilityTolerance));
            QVERIFY(
                near(double(logits[9]), right.rawLogprobs[9] + double(*record.logSumExp), 1e-4));
            int before = 0;
            for (size_t id = 0; id < logits.size(); ++id)
                before += logits[id] > logits[size_t(record.id)];
            QCOMPARE(record.rank, std::optional(before + 1));
            QCOMPARE(record.top.size(), size_t(kTopCandidateCount));
            for (const Candidate& candidate : record.top) {
                QVERIFY(near(
                    candidate.logprob, right.rawLogprobs[size_t(candidate.id)], kLogprobTolerance));
                QCOMPARE(candidate.droppedBy, right.droppedBy[size_t(candidate.id)]);
                QCOMPARE(candidate.finalProbability.has_value(),
                    candidate.droppedBy == SamplerStage::None);
                if (candidate.finalProbability)
                    QVERIFY(near(*candidate.finalProbability,
                        right.probability[size_t(candidate.id)], kProbabilityTolerance));
            }
        }
    }
    void withoutInspectionTheChoiceAndItsDrawAreTheSame()
    {
        const std::vector<float> logits = randomLogits(5'000, 7);
        SamplerSettings greedy;
        greedy.temperature = 0;
        SamplerSettings nucleus = everythingOff();
        nucleus.topP = 0.9f;
        for (const SamplerSettings& settings :
            { greedy, SamplerSettings(), nucleus, everythingOff() })
            for (uint64_t step = 0; step < 20; ++step) {
                const TokenRecord full = chosen(settings, { .logits = logits, .step = step });
                const TokenRecord bare
                    = chosen(settings, { .logits = logits, .step = step, .isInspected = false });
                QCOMPARE(bare, (TokenRecord { .id = full.id, .draw = full.draw }));
            }
    }
    void theTwentyLikeliestComeInDescendingOrder()
    {
        const std::vector<float> logits = randomLogits(1000, 1);
        const TokenRecord record = chosen({}, { logits });
        std::vector<float> sorted = logits;
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        for (size_t i = 0; i < record.top.size(); ++i)
            QCOMPARE(logits[size_t(record.top[i].id)], sorted[i]);
    }
    void aChosenTokenOutsideTheTwentyTakesTheLastPlace()
    {
        const std::vector<float> logits = randomLogits(1000, 1);
        SamplerSettings settings = everythingOff();
        const TokenId unlikely
            = TokenId(std::min_element(logits.begin(), logits.end()) - logits.begin());
        const TokenRecord record = chosen(settings, { logits, {}, 0, unlikely });
        QCOMPARE(record.id, unlikely);
        QCOMPARE(record.source, TokenSource::Forced);
        QCOMPARE(record.rank, std::optional(1000));
        QCOMPARE(record.top.size(), size_t(kTopCandidateCount));
        QCOMPARE(record.top.back().id, unlikely);
        QVERIFY(!record.draw);
    }
    void aVocabularySmallerThanTwentyIsListedWhole()
    {
        const std::vector<float> logits { 1, 3, 2 };
        QCOMPARE(chosen({}, { logits }).top.size(), size_t(3));
    }
    void g26_temperatureZeroIsArgmaxWhateverTheOtherStagesSay()
    {
        const std::vector<float> logits = randomLogits(49152, 3);
        const TokenId best
            = TokenId(std::max_element(logits.begin(), logits.end()) - logits.begin());
        for (int topK : { 0, 40 }) {
            SamplerSettings settings = everythingOff();
            settings.topK = topK;
            settings.temperature = 0;
            const TokenRecord record = chosen(settings, { logits });
            QCOMPARE(record.id, best);
            QCOMPARE(record.rank, std::optional(1));
            QVERIFY(!record.draw);
            for (const Candidate& candidate : record.top) {
                QVERIFY(std::isfinite(candidate.logprob));
                QVERIFY(!candidate.finalProbability);
            }
        }
    }
    void g26_greedyTiesGoToTheLowerId()
    {
        std::vector<float> logits(300, 0.0f);
        logits[250] = logits[130] = logits[131] = 5;
        SamplerSettings settings;
        settings.temperature = 0;
        QCOMPARE(chosen(settings, { logits }).id, 130);
        logits.assign(300, -0.0f); // all equal, and a zero of each sign
        logits[200] = 0.0f;
        QCOMPARE(chosen(settings, { logits }).id, 0);
    }
    void g26_greedyObeysPenaltiesAndBias()
    {
        const std::vector<float> logits { 1, 3, 2.9f, 0 };
        SamplerSettings settings;
        settings.temperature = 0;
        settings.repeatPenalty = 1.5f;
        const TokenIds recent { 1 };
        QCOMPARE(chosen(settings, { logits, recent }).id, 2);
        settings.logitBias = { { 3, 100 } };
        QCOMPARE(chosen(settings, { logits, recent }).id, 3);
    }
    void aBannedTokenIsNeverTakenAndTheRecordSaysWhy()
    {
        const std::vector<float> logits { 1, 3, 2.9f, 0 };
        SamplerSettings settings;
        settings.bannedIds = { 1 };
        for (float temperature : { 0.0f, 2.0f }) {
            settings.temperature = temperature;
            for (uint64_t step = 0; step < 200; ++step)
                QVERIFY(chosen(settings, { logits, {}, step }).id != 1);
        }
        const TokenRecord record = chosen(settings, { logits });
        QCOMPARE(record.top[0].id, 1); // raw, it stays the likeliest
        QCOMPARE(record.top[0].droppedBy, SamplerStage::LogitBias);
        QVERIFY(!record.top[0].finalProbability);
        // A token that somebody forces is taken even so.
        QCOMPARE(chosen(settings, { .logits = logits, .recentTokens = {}, .step = 0, .forcedId = 1 }).id, 1);
    }
    void aBanOfOneStepHoldsInThatStep()
    {
        const std::vector<float> logits { 1, 3, 2.9f, 0 };
        SamplerSettings settings;
        settings.temperature = 0;
        const TokenIds banned { 1, 2 };
        SamplingStep step { .logits = logits };
        step.bannedIds = banned;
        Sampler sampler(settings, {});
        QCOMPARE(sampler.choose(step)->id, 0);
        step.bannedIds = {};
        QCOMPARE(sampler.choose(step)->id, 1);
    }
    void whereEveryTokenIsBannedIsAnErrorInWords()
    {
        const std::vector<float> logits { 1, 3, 2.9f };
        for (float temperature : { 0.0f, 0.8f })
            for (int topK : { 0, 2 }) {
                SamplerSettings settings;
                settings.temperature = temperature;
                settings.topK = topK;
                settings.bannedIds = { 0, 1, 2 };
                const auto record = Sampler(settings, {}).choose({ logits });
                QVERIFY(!record);
                QCOMPARE(record.error().code, ErrorCode::BadRequest);
                QVERIFY(record.error().message.find("every token") != std::string::npos);
            }
    }
    void g27_theSameSeedChoosesTheSameTokens()
    {
        const auto idsOf = [](uint64_t seed) {
            SamplerSettings settings;
            settings.seed = seed;
            TokenIds ids;
            for (uint32_t step = 0; step < 40; ++step) {
                const std::vector<float> logits = randomLogits(2000, step, 1);
                ids.push_back(chosen(settings, { logits, ids, step }).id);
            }
            return ids;
        };
        QCOMPARE(idsOf(42), idsOf(42));
        QVERIFY(idsOf(42) != idsOf(43));
    }
    void drawsFollowTheFinalProbabilities()
    {
        const std::vector<float> logits { 0, std::log(2.0f), std::log(5.0f), -1e30f };
        int counts[4] = {};
        Sampler sampler(everythingOff(), {});
        for (uint64_t step = 0; step < 8000; ++step)
            ++counts[sampler.choose({ logits, {}, step })->id];
        QVERIFY(std::abs(counts[0] - 1000) < 150); // five standard deviations
        QVERIFY(std::abs(counts[1] - 2000) < 200);
        QVERIFY(std::abs(counts[2] - 5000) < 220);
        QCOMPARE(counts[3], 0);
    }
    void onlyTheWindowOfRecentTokensIsPenalised()
    {
        const std::vector<float> logits { 3, 2.9f };
        SamplerSettings settings;
        settings.temperature = 0;
        settings.repeatPenalty = 2;
        settings.repeatWindow = 2;
        const TokenIds recent { 0, 1, 1 };
        QCOMPARE(chosen(settings, { logits, recent }).id, 0);
        settings.repeatWindow = 3;
        QCOMPARE(chosen(settings, { logits, recent }).id, 0); // both halved
        settings.repeatWindow = 0;
        QCOMPARE(chosen(settings, { logits, TokenIds { 0 } }).id, 0);
        settings.repeatWindow = 1;
        QCOMPARE(chosen(settings, { logits, TokenIds { 0 } }).id, 1);
    }
    void aSmallTopKSettingIsNoTrapForTinyVocabularies()
    {
        const std::vector<float> one { 0.5f };
        for (int topK : { 0, 1, 40 }) {
            SamplerSettings settings;
            settings.topK = topK;
            QCOMPARE(chosen(settings, { one }).id, 0);
        }
    }
    void g36_scoresThatAreNotFiniteAreAnError()
    {
        for (size_t place : { size_t(0), size_t(63), size_t(130), size_t(199) }) {
            for (float bad :
                { std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                    -std::numeric_limits<float>::infinity() }) {
                std::vector<float> logits = randomLogits(200, 1);
                logits[place] = bad;
                for (float temperature : { 0.0f, 0.8f }) {
                    SamplerSettings settings;
                    settings.temperature = temperature;
                    const Result<TokenRecord> record = Sampler(settings, {}).choose({ logits });
                    QVERIFY(!record);
                    QCOMPARE(record.error().code, ErrorCode::NotFinite);
                }
            }
        }
    }
    void aForcedTokenOutsideTheVocabularyIsRefused()
    {
        const std::vector<float> logits { 1, 2 };
        QCOMPARE(Sampler({}, {}).choose({ logits, {}, 0, 2 }).error().code, ErrorCode::BadRequest);
    }
    void aStepOfALargeVocabulary_data()
    {
        QTest::addColumn<int>("vocabularySize");
        QTest::addColumn<bool>("isCut");
        QTest::newRow("49152, defaults") << 49152 << true;
        QTest::newRow("262144, defaults") << 262144 << true;
        QTest::newRow("262144, nothing cut") << 262144 << false;
    }
    void aStepOfALargeVocabulary()
    {
        QFETCH(int, vocabularySize);
        QFETCH(bool, isCut);
        const std::vector<float> logits = randomLogits(size_t(vocabularySize), 1, 2);
        Sampler sampler(isCut ? SamplerSettings {} : everythingOff(), { 2 });
        uint64_t step = 0;
        QBENCHMARK { QVERIFY(sampler.choose({ logits, {}, step++ })); }
    }
};

QTEST_APPLESS_MAIN(TestSampler)
#include "tst_sampler.moc"
