#include "app/inspection/stage_trace.h"
#include "engine/sampling/random_draw.h"
#include "engine/sampling/sampler.h"
#include "tests/engine/sampling/plain_sampler.h"
#include "tests/support/inspected_answer.h"

#include <QTest>

#include <cmath>
#include <random>

using namespace engine;
using app::Bounds;
using app::StageTrace;
using app::TracedCandidate;

namespace {
// A logit is put together again from two floats of a record: 2e-6 at scores of 20, then over a
// temperature of 0.3.
constexpr double kTolerance = 2e-5;
constexpr int kVocabularySize = 3001;

std::vector<float> randomLogits(uint32_t seed, float spread)
{
    std::mt19937 generator(seed);
    std::normal_distribution<float> normal(-2, spread);
    std::vector<float> logits(kVocabularySize);
    for (float& logit : logits)
        logit = normal(generator);
    return logits;
}

/// A step of a made-up model: its scores, what came before, what the sampler noted.
struct Step {
    std::vector<float> logits;
    TokenIds before { 5, 17, 17, 900, 2, 44 };
    uint64_t drawStep = 0;
    TokenRecord record;

    Step(uint32_t round, const SamplerSettings& settings, std::optional<TokenId> forced = {})
        : logits(randomLogits(round,
            round % 3 == 0       ? 1.0f
                : round % 3 == 1 ? 3.0f
                                 : 6.0f))
        , drawStep(round)
    {
        std::mt19937 generator(round + 1000);
        for (int i = 0; i < 6; ++i) // what was said is often what is likely again
            before.push_back(
                TokenId(std::max_element(logits.begin(), logits.end()) - logits.begin()) / (1 + i));
        before.push_back(TokenId(generator() % kVocabularySize));
        record = *Sampler(settings, { 2 }).choose({ logits, before, drawStep, forced });
    }
    app::TracedStep traced() const { return { record, before, drawStep, kVocabularySize }; }
};

SamplerSettings off()
{
    SamplerSettings settings;
    settings.topK = 0;
    settings.topP = 1;
    settings.minP = 0;
    settings.temperature = 1;
    return settings;
}

struct Named {
    const char* name;
    SamplerSettings settings;
};
std::vector<Named> manySettings()
{
    std::vector<Named> all { { "the window's defaults", {} }, { "everything off", off() } };
    const auto add = [&](const char* name, auto change) {
        SamplerSettings settings = off();
        change(settings);
        all.push_back({ name, settings });
    };
    add("top-k 5", [](auto& s) { s.topK = 5; });
    add("top-k 1", [](auto& s) { s.topK = 1; });
    add("top-k 20", [](auto& s) { s.topK = 20; });
    add("top-k 200, cold", [](auto& s) {
        s.topK = 200;
        s.temperature = 0.5f;
    });
    add("top-p alone", [](auto& s) { s.topP = 0.7f; });
    add("top-p in the tail", [](auto& s) { s.topP = 0.999f; });
    add("top-p 0", [](auto& s) { s.topP = 0; });
    add("min-p alone, hot", [](auto& s) {
        s.minP = 0.05f;
        s.temperature = 1.7f;
    });
    add("min-p in the tail, cold", [](auto& s) {
        s.minP = 0.0001f;
        s.temperature = 0.3f;
    });
    add("all cuts", [](auto& s) {
        s.topK = 12;
        s.topP = 0.9f;
        s.minP = 0.02f;
        s.temperature = 0.8f;
    });
    add("hot, nothing cut", [](auto& s) { s.temperature = 2; });
    add("cold, nothing cut", [](auto& s) { s.temperature = 0.4f; });
    add("penalties", [](auto& s) {
        s.repeatPenalty = 1.3f;
        s.presencePenalty = 0.5f;
        s.frequencyPenalty = 0.25f;
        s.topK = 8;
    });
    add("penalties, nothing cut", [](auto& s) {
        s.repeatPenalty = 1.3f;
        s.presencePenalty = 0.5f;
    });
    add("a short window", [](auto& s) {
        s.repeatPenalty = 1.5f;
        s.repeatWindow = 2;
        s.topK = 8;
    });
    add("penalties that lift", [](auto& s) {
        s.repeatPenalty = 0.7f;
        s.presencePenalty = -2;
        s.topK = 8;
    });
    add("bias", [](auto& s) {
        s.logitBias = { { 7, 12 }, { 17, -4 }, { 7, 1 } };
        s.topK = 5;
        s.minP = 0.01f;
    });
    add("bans", [](auto& s) {
        s.bannedIds = { 7, 17, 3 };
        s.topK = 5;
    });
    add("bans and top-p", [](auto& s) {
        s.bannedIds = { 7, 300, 3 };
        s.topP = 0.8f;
    });
    add("bias and top-p", [](auto& s) {
        s.logitBias = { { 7, 3 }, { 17, -100 } };
        s.topP = 0.8f;
    });
    return all;
}

QString misses(uint32_t round, const TracedCandidate& candidate, double value)
{
    return QString("round %1: token %2 has %3, not in %4..%5")
        .arg(round)
        .arg(candidate.id)
        .arg(value)
        .arg(candidate.final()->low)
        .arg(candidate.final()->high);
}

bool holds(const std::optional<Bounds>& bounds, double value)
{
    return bounds && value >= bounds->low - kTolerance && value <= bounds->high + kTolerance;
}

SamplerSettings upTo(size_t stage, SamplerSettings settings)
{
    settings.temperature = stage < 4 ? 1 : settings.temperature;
    settings.minP = stage < 3 ? 0 : settings.minP;
    settings.topP = stage < 2 ? 1 : settings.topP;
    settings.topK = stage < 1 ? 0 : settings.topK;
    return settings;
}
}

class TestStageTrace : public QObject {
    Q_OBJECT
private slots:
    void theSameSettingsGiveWhatTheSamplerNoted_data() { rows(); }
    void theSameSettingsGiveWhatTheSamplerNoted()
    {
        QFETCH(SamplerSettings, settings);
        int known = 0;
        for (uint32_t round = 0; round < 60; ++round) {
            settings.seed = round;
            const Step step(round, settings);
            const StageTrace trace = app::traceStages(step.traced(), settings);
            QCOMPARE(trace.candidates.size(), step.record.top.size());
            QCOMPARE(trace.draw, step.record.draw);
            for (const Candidate& noted : step.record.top) {
                const TracedCandidate* traced = trace.find(noted.id);
                QVERIFY(traced);
                if (traced->droppedBy)
                    QCOMPARE(*traced->droppedBy, noted.droppedBy);
                QVERIFY2(holds(traced->final(), double(noted.finalProbability.value_or(0))),
                    qPrintable(misses(round, *traced, double(noted.finalProbability.value_or(0)))));
                known += traced->final()->isKnown() && traced->droppedBy;
            }
            if (trace.drawn)
                QCOMPARE(trace.candidates[*trace.drawn].id, step.record.id);
        }
        QVERIFY2(known > 0, "nothing was told");
    }

    void everyStageIsThatOfThePlainSampler_data() { rows(); }
    void everyStageIsThatOfThePlainSampler()
    {
        QFETCH(SamplerSettings, settings);
        for (uint32_t round = 0; round < 15; ++round) {
            // What was noted under one setting is asked about under another.
            const Step step(round, {});
            const StageTrace trace = app::traceStages(step.traced(), settings);
            for (size_t stage = 0; stage < app::kTracedStages.size(); ++stage) {
                const auto right
                    = tests::plainDistribution(step.logits, step.before, upTo(stage, settings));
                double rest = 1;
                for (const TracedCandidate& candidate : trace.candidates) {
                    const double probability = right.probability[size_t(candidate.id)];
                    rest -= probability;
                    QVERIFY2(holds(candidate.after[stage], probability),
                        qPrintable(QString("round %1 stage %2 token %3: %4 not in %5..%6")
                                       .arg(round)
                                       .arg(stage)
                                       .arg(candidate.id)
                                       .arg(probability)
                                       .arg(candidate.after[stage]->low)
                                       .arg(candidate.after[stage]->high)));
                }
                QVERIFY(holds(trace.restAfter[stage], rest));
            }
            const auto right = tests::plainDistribution(step.logits, step.before, settings);
            for (const TracedCandidate& candidate : trace.candidates)
                if (candidate.droppedBy)
                    QCOMPARE(*candidate.droppedBy, right.droppedBy[size_t(candidate.id)]);
            if (trace.drawn)
                QCOMPARE(trace.candidates[*trace.drawn].id,
                    tests::plainDraw(right, uniformDraw(settings.seed, step.drawStep)));
        }
    }

    void whereTopKIsWithinTheListEverythingIsKnown()
    {
        SamplerSettings settings;
        settings.topK = 20;
        for (uint32_t round = 0; round < 30; ++round) {
            settings.seed = round;
            const Step step(round, settings);
            const StageTrace trace = app::traceStages(step.traced(), settings);
            double sum = 0;
            for (size_t i = 0; i < trace.candidates.size(); ++i) {
                for (size_t stage = 0; stage < app::kTracedStages.size(); ++stage)
                    QVERIFY(trace.candidates[i].after[stage]->isKnown());
                QCOMPARE(
                    trace.candidates[i].droppedBy, std::optional(step.record.top[i].droppedBy));
                sum += trace.candidates[i].final()->low;
            }
            QVERIFY(std::fabs(sum - 1) < kTolerance);
            QVERIFY(trace.drawn.has_value());
            QCOMPARE(trace.candidates[*trace.drawn].id, step.record.id);
            QVERIFY(*trace.draw < trace.cumulative(*trace.drawn).high);
            QVERIFY(*trace.drawn == 0 || *trace.draw >= trace.cumulative(*trace.drawn - 1).low);
        }
    }

    void rawProbabilitiesAndTheRestSumToOne()
    {
        for (uint32_t round = 0; round < 30; ++round) {
            const Step step(round, {});
            const StageTrace trace = app::traceStages(step.traced(), {});
            double sum = trace.restRaw;
            for (const TracedCandidate& candidate : trace.candidates)
                sum += candidate.rawProbability;
            QVERIFY(std::fabs(sum - 1) < 1e-5);
        }
    }

    void theOrderOfTheStagesIsThatOfTheDesign()
    {
        // penalties, logit bias, top-k, top-p, min-p, temperature, draw
        QCOMPARE(app::kTracedStages,
            (std::array { SamplerStage::LogitBias, SamplerStage::TopK, SamplerStage::TopP,
                SamplerStage::MinP, SamplerStage::Temperature }));
        QVERIFY(std::ranges::is_sorted(app::kTracedStages));
        // A bias that makes a token the best is there before top-k 1 chooses; the temperature comes
        // after min-p, which so cuts the same tokens at every temperature.
        SamplerSettings settings = off();
        const Step step(1, settings);
        settings.logitBias = { { step.record.top[3].id, 50 } };
        settings.topK = 1;
        const StageTrace biased = app::traceStages(step.traced(), settings);
        QCOMPARE(biased.candidates[0].id, step.record.top[3].id);
        QCOMPARE(biased.candidates[0].final(), std::optional(Bounds { 1, 1 }));
        SamplerSettings minP = off();
        minP.topK = 20;
        minP.minP = 0.1f;
        const StageTrace mild = app::traceStages(step.traced(), minP);
        minP.temperature = 5;
        const StageTrace hot = app::traceStages(step.traced(), minP);
        for (size_t i = 0; i < mild.candidates.size(); ++i)
            QCOMPARE(mild.candidates[i].droppedBy, hot.candidates[i].droppedBy);
    }

    void greedyHasNoDraw()
    {
        SamplerSettings settings;
        settings.temperature = 0;
        const Step step(4, settings);
        const StageTrace trace = app::traceStages(step.traced(), settings);
        QVERIFY(trace.isGreedy);
        QVERIFY(!trace.draw);
        QCOMPARE(trace.drawn, std::optional<size_t>(0));
        QCOMPARE(trace.candidates[0].id, step.record.id);
        QCOMPARE(trace.candidates[0].final(), std::optional(Bounds { 1, 1 }));
        QVERIFY(!trace.candidates[1].after[2]);
    }

    void twentyAreTooFewForAFlatDistribution()
    {
        SamplerSettings settings = off();
        settings.topP = 0.95f;
        const Step step(0, settings); // 3,001 tokens, the best of them 1 %
        const StageTrace trace = app::traceStages(step.traced(), settings);
        QVERIFY(trace.restRaw > 0.5);
        QVERIFY(!trace.candidates[0].final()->isKnown());
        QVERIFY(trace.restAfter.back()->high > 0.5);
    }

    void theDrawOfAnotherSeedIsFoundWithoutGenerating()
    {
        SamplerSettings settings;
        settings.topK = 20;
        const Step step(2, settings);
        for (uint64_t seed = 100; seed < 140; ++seed) {
            settings.seed = seed;
            const TokenRecord other
                = *Sampler(settings, {}).choose({ step.logits, step.before, step.drawStep });
            const StageTrace trace = app::traceStages(step.traced(), settings);
            QCOMPARE(trace.candidates[*trace.drawn].id, other.id);
        }
    }

    void whatWasObservedIsTakenAsItWas()
    {
        SamplerSettings settings; // top-k 40: the list alone could not tell it to the last digit
        for (uint32_t round = 0; round < 30; ++round) {
            settings.seed = round;
            const Step step(round, settings);
            const StageTrace trace = app::traceAsRecorded(step.traced(), settings);
            for (const Candidate& noted : step.record.top) {
                const TracedCandidate* traced = trace.find(noted.id);
                QCOMPARE(traced->droppedBy, std::optional(noted.droppedBy));
                QCOMPARE(traced->final()->low, double(noted.finalProbability.value_or(0)));
                QVERIFY(traced->final()->isKnown());
            }
            QCOMPARE(trace.candidates[*trace.drawn].id, step.record.id);
        }
    }

    void aTokenFromFurtherDownStandsBehindOthersThatAreNotListed()
    {
        int found = 0;
        for (uint32_t round = 0; round < 60; round += 3) { // the flat ones
            SamplerSettings settings = off();
            settings.seed = round;
            const Step step(round, settings);
            if (*step.record.rank <= kTopCandidateCount)
                continue;
            ++found;
            const StageTrace trace = app::traceAsRecorded(step.traced(), settings);
            QCOMPARE(trace.drawn, std::optional<size_t>(19));
            QVERIFY(trace.before(19).low <= *trace.draw + kTolerance);
            QVERIFY(trace.cumulative(19).high >= *trace.draw - kTolerance);
            QVERIFY(!trace.cumulative(19).isKnown());
        }
        QVERIFY(found > 3);
    }

    void aStepOfATrackHasTheDrawOfItsRecord()
    {
        tests::InspectedAnswer sample({ .topK = 20, .seed = 11 });
        for (int i = 0; i < 8; ++i)
            sample.say(" day", 1);
        const app::TokenTrack track(sample.answer);
        QVERIFY(!app::tracedStep(track, 0)); // the prompt
        for (int token = track.promptCount(); token < int(track.tokens().size()); ++token) {
            const auto step = app::tracedStep(track, token);
            QVERIFY(step.has_value());
            QCOMPARE(step->before.size(), size_t(token));
            QCOMPARE(step->vocabularySize, 291);
            const StageTrace trace = app::traceStages(*step, sample.settings());
            QCOMPARE(trace.draw, track.record(token)->draw);
            QCOMPARE(trace.candidates[*trace.drawn].id, track.tokens()[size_t(token)].id);
        }
    }

    void aContinuedRunDrawsOnFromWhereTheAnswerWas()
    {
        app::DraftOrigin origin;
        origin.request.runId = 1;
        origin.request.promptIds = { 1, 2, 3, 4, 5 };
        origin.request.draftTokenCount = 3;
        app::Answer answer({ .text = "abc", .ids = { 3, 4, 5 } });
        answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
        TokenDecoded event { .runId = 1 };
        event.record = Step(1, {}).record;
        answer.apply(event);
        answer.apply(event);
        const app::TokenTrack track(answer);
        QCOMPARE(track.promptCount(), 2);
        QCOMPARE(app::tracedStep(track, 5)->drawStep, uint64_t(3));
        QCOMPARE(app::tracedStep(track, 6)->drawStep, uint64_t(4));
    }

    void aTokenThatAForkKeptHasTheDrawOfTheRunThatChoseIt()
    {
        tests::InspectedAnswer old({ .topK = 20, .seed = 11 });
        for (int i = 0; i < 4; ++i)
            old.say(" day", 1);
        app::DraftOrigin origin = old.answer.parts().front()->origin();
        origin.kept = old.answer.keptTokens(3);
        origin.request.sampling = { .temperature = 0 }; // the fork's run chose otherwise
        const TokenIds ids = old.answer.draftIds();
        for (int i = 0; i < 3; ++i)
            origin.request.promptIds.push_back(ids[size_t(i)]);
        origin.request.draftTokenCount = 3;
        app::Answer fork({ .source = TokenSource::Sampled, .ids = { ids[0], ids[1], ids[2] } });
        fork.addPart(std::make_unique<app::Draft>(std::move(origin)));
        const app::TokenTrack track(fork);
        for (int token = track.promptCount(); token < int(track.tokens().size()); ++token) {
            const auto step = app::tracedStep(track, token);
            QVERIFY(step.has_value());
            QCOMPARE(*track.samplingOf(token), old.settings());
            const StageTrace trace = app::traceStages(*step, *track.samplingOf(token));
            QCOMPARE(trace.draw, track.record(token)->draw);
            QCOMPARE(trace.candidates[*trace.drawn].id, track.tokens()[size_t(token)].id);
        }
        QCOMPARE(fork.tokenCount(), 0); // they are no new tokens
    }

    void aForcedTokenWasNotDrawn()
    {
        const Step step(3, {}, TokenId(2999));
        const StageTrace trace = app::traceAsRecorded(step.traced(), {});
        QVERIFY(!trace.draw);
        QVERIFY(!trace.drawn);
        QVERIFY(trace.find(2999)); // far down, and still in the list
    }

    void whatWasNotObservedIsNotTold()
    {
        TokenRecord bare { .id = 3 };
        const StageTrace trace = app::traceStages({ bare, {}, 0, 0 }, {});
        QVERIFY(trace.candidates.empty());
        QVERIFY(!trace.drawn);
    }

private:
    static void rows()
    {
        QTest::addColumn<SamplerSettings>("settings");
        for (const Named& row : manySettings())
            QTest::newRow(row.name) << row.settings;
    }
};

QTEST_APPLESS_MAIN(TestStageTrace)
#include "tst_stage_trace.moc"
