#include "engine/sampling/sampler.h"

#include <QtTest>
#include <cmath>

using namespace engine;

namespace {
SamplerSettings settingsOf(int topK, float topP, float minP, float temperature)
{
    SamplerSettings settings;
    settings.topK = topK;
    settings.topP = topP;
    settings.minP = minP;
    settings.temperature = temperature;
    return settings;
}

// Probabilities 0.5, 0.25, 0.125, 0.0625, 0.0625.
const std::vector<TokenScore> kHalves { { 10, std::log(8.0f) }, { 3, std::log(4.0f) },
    { 4, std::log(2.0f) }, { 5, 0 }, { 6, 0 } };

std::vector<SamplerStage> droppedBy(const std::vector<StagedToken>& staged)
{
    std::vector<SamplerStage> stages;
    for (const StagedToken& token : staged)
        stages.push_back(token.droppedBy);
    return stages;
}
}

class TestSamplerStages : public QObject {
    Q_OBJECT
private slots:
    void topPWorksOnWhatTopKLeft()
    {
        using enum SamplerStage;
        // Of the first two, 0.5 is two thirds: enough for 0.6 only after renormalising.
        const auto staged = applyStages(kHalves, settingsOf(2, 0.6f, 0, 1));
        QCOMPARE(droppedBy(staged), (std::vector { None, TopP, TopK, TopK, TopK }));
        const auto withoutTopK = applyStages(kHalves, settingsOf(0, 0.6f, 0, 1));
        QCOMPARE(droppedBy(withoutTopK), (std::vector { None, None, TopP, TopP, TopP }));
    }
    void minPIsRelativeToTheBest()
    {
        using enum SamplerStage;
        const auto staged = applyStages(kHalves, settingsOf(0, 1, 0.2f, 1));
        QCOMPARE(droppedBy(staged), (std::vector { None, None, None, MinP, MinP }));
    }
    void temperatureSharpensWhatIsLeft()
    {
        const auto staged = applyStages(kHalves, settingsOf(2, 1, 0, 0.5f));
        QVERIFY(std::fabs(staged[0].probability - 0.8) < 1e-6); // 8^2 : 4^2
        QVERIFY(std::fabs(staged[1].probability - 0.2) < 1e-6);
        QCOMPARE(staged[2].probability, 0.0);
    }
    void weightOutsideTheListCountsWhileNothingIsCut()
    {
        const auto whole = applyStages(kHalves, settingsOf(0, 1, 0, 1));
        const auto part
            = applyStages(std::span(kHalves).first(3), settingsOf(0, 1, 0, 1), { 0.25, 0.25 });
        for (size_t i = 0; i < part.size(); ++i)
            QVERIFY(std::fabs(whole[i].probability - part[i].probability) < 1e-6);
    }
    void aTopPOfZeroKeepsTheBest()
    {
        const auto staged = applyStages(kHalves, settingsOf(0, 0, 0, 1));
        QCOMPARE(staged[0].probability, 1.0);
        QCOMPARE(staged[1].droppedBy, SamplerStage::TopP);
    }
    void aDrawFallsInOrder()
    {
        const auto staged = applyStages(kHalves, settingsOf(3, 1, 0, 1));
        QCOMPARE(drawFrom(staged, 0), size_t(0));
        QCOMPARE(drawFrom(staged, 0.57), size_t(0));
        QCOMPARE(drawFrom(staged, 0.58), size_t(1));
        QCOMPARE(drawFrom(staged, 0.9999999999), size_t(2));
    }
    void aRecordIsEnoughToRecomputeWhatTheSamplerDid()
    {
        std::vector<float> logits(500, -5.0f);
        for (size_t i = 0; i < 30; ++i)
            logits[i * 7] = 4 - 0.2f * float(i);
        SamplerSettings settings = settingsOf(12, 0.9f, 0.05f, 0.8f);
        settings.repeatPenalty = 1.2f;
        settings.seed = 5;
        const TokenIds recent { 7, 7, 21 };
        const TokenRecord record = *Sampler(settings, {}).choose({ logits, recent, 3 });

        // As the inspector does it: raw logits of the listed tokens, adjusted, sorted, staged.
        std::vector<float> listed(logits.size(), -1e30f);
        for (const Candidate& candidate : record.top)
            listed[size_t(candidate.id)] = candidate.logprob + *record.logSumExp;
        for (const TokenScore& change : adjustedScores(listed, recent, settings))
            listed[size_t(change.id)] = change.score;
        std::vector<TokenScore> descending;
        for (const Candidate& candidate : record.top)
            descending.push_back({ candidate.id, listed[size_t(candidate.id)] });
        std::sort(
            descending.begin(), descending.end(), [](const TokenScore& a, const TokenScore& b) {
                return a.score != b.score ? a.score > b.score : a.id < b.id;
            });
        const auto staged = applyStages(descending, settings);
        QCOMPARE(staged[drawFrom(staged, *record.draw)].id, record.id);
        for (const Candidate& candidate : record.top) {
            const auto token = std::find_if(staged.begin(), staged.end(),
                [&](const StagedToken& other) { return other.id == candidate.id; });
            QCOMPARE(token->droppedBy, candidate.droppedBy);
            if (candidate.finalProbability)
                QVERIFY(std::fabs(token->probability - double(*candidate.finalProbability)) < 1e-5);
        }
    }
};

QTEST_APPLESS_MAIN(TestSamplerStages)
#include "tst_sampler_stages.moc"
