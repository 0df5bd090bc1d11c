#include "app/cli/engine_factory.h"
#include "app/inspection/row_trace.h"
#include "engine/reference/reference_model.h"
#include "engine/session/engine.h"
#include "engine/session/inference_thread.h"
#include "tests/engine/sampling/plain_sampler.h"
#include "tests/engine/session/recorded_events.h"
#include "tests/support/reference_data.h"

#include <QTest>

#include <cmath>

using namespace engine;

namespace {
constexpr int kNewTokens = 10;
/// Half precision against float32 throughout; nats.
constexpr double kReferenceTolerance = 0.1;
/// Rows of one pass and of several: other sums of the same numbers.
constexpr double kScoreTolerance = 0.002;
}

/// The rows of scores that the inspector reads for a search, of a real model: against what was recorded when the tokens
/// were chosen, what `tokenglass score` computes, and the CPU reference.
class TestVocabularyScores : public QObject {
    Q_OBJECT
private slots:
    void everyNumberOfTheWholeRowIsRight()
    {
        const auto path = tests::realModel(tests::kSmolLM2);
        if (!path)
            QSKIP(tests::kNoModel);
        tests::RecordedEvents events;
        GenerationRequest request;
        TokenIds ids;
        std::vector<TokenRecord> records;
        std::vector<std::shared_ptr<const std::vector<float>>> rows;
        {
            InferenceThread thread(events, app::engineFactory());
            thread.load({ .path = path->string() });
            const auto loaded = events.waitForModel();
            QVERIFY(loaded);
            request.runId = 1;
            request.lengthCap = kNewTokens;
            request.sampling.seed = 3;
            request.promptIds
                = loaded->text->tokenizer->encodeText("The museum opens on Monday at nine. The exhibition opens on");
            request.forcedIds = { 17, 4011 }; // far down the list
            thread.generate(request);
            ids = request.promptIds;
            std::optional<RunEnded> ended;
            while (!ended) {
                const auto event = events.nextOfRun();
                QVERIFY(event);
                if (const auto* token = std::get_if<TokenDecoded>(&*event)) {
                    records.push_back(token->record);
                    if (token->index == 3) // while it is written
                        thread.readScores({ 1, request.promptIds, loaded->description.fingerprint });
                }
                if (const auto* end = std::get_if<RunEnded>(&*event))
                    ended = *end;
            }
            QCOMPARE(ended->tokenIds.size(), size_t(kNewTokens));
            QVERIFY(std::holds_alternative<ScoresRead>(*events.waitForScores()));
            ids.insert(ids.end(), ended->tokenIds.begin(), ended->tokenIds.end());
            for (int i = 0; i < kNewTokens; ++i) {
                const size_t count = request.promptIds.size() + size_t(i);
                thread.readScores({ ScoreReadId(i + 2), { ids.begin(), ids.begin() + ptrdiff_t(count) }, {} });
                const auto event = events.waitForScores();
                const auto* row = event ? std::get_if<ScoresRead>(&*event) : nullptr;
                QVERIFY(row);
                QCOMPARE(row->reusedPositions, int(count) - 1); // the cache has everything else
                QCOMPARE(row->computedPositions, 1);
                QCOMPARE(int(row->scores->size()), loaded->description.vocabularySize);
                rows.push_back(row->scores);
            }
        }
        const size_t first = request.promptIds.size() - 1;
        const auto opened = Engine::open({ .path = path->string() }, {});
        QVERIFY(opened);
        std::vector<std::vector<float>> scored;
        QVERIFY((*opened)->session().scoreAll(
            ids, DeviceModel::kScoredRows, [&](size_t position, std::span<const float> logits) {
                if (position >= first && position + 1 < ids.size())
                    scored.emplace_back(logits.begin(), logits.end());
            }));
        const auto file = GgufFile::open(path->string());
        QVERIFY(file);
        const auto model = ReferenceModel::create(*file);
        QVERIFY(model);
        const auto reference = model->forward(ids, { .firstScoredPosition = first });
        QVERIFY(reference);

        for (size_t i = 0; i < rows.size(); ++i) {
            const TokenRecord& record = records[i];
            const TokenIds before(ids.begin(), ids.begin() + ptrdiff_t(first + 1 + i));
            const app::RowTrace trace(rows[i], request.sampling, before);
            const auto right = tests::plainDistribution(scored[i], before, request.sampling);
            const auto exact = tests::plainDistribution(reference->row(i), before, request.sampling);
            double sum = 0;
            double worstScore = 0;
            double worstReference = 0;
            for (TokenId id = 0; id < trace.size(); ++id) {
                const double share = trace.token(id).rawProbability;
                sum += share;
                worstScore = std::max(worstScore, std::fabs(std::log(share) - right.rawLogprobs[size_t(id)]));
                if (exact.rawLogprobs[size_t(id)] > -8) // what anybody looks at
                    worstReference
                        = std::max(worstReference, std::fabs(std::log(share) - exact.rawLogprobs[size_t(id)]));
            }
            QVERIFY(std::fabs(sum - 1) < 1e-9);
            QVERIFY2(worstScore < kScoreTolerance, qPrintable(QString::number(worstScore)));
            QVERIFY2(worstReference < kReferenceTolerance, qPrintable(QString::number(worstReference)));
            // What was recorded when the token was chosen.
            QCOMPARE(trace.token(record.id).rank, *record.rank);
            QVERIFY(std::fabs(std::log(trace.token(record.id).rawProbability) - double(*record.logprob)) < 1e-4);
            if (i < 2)
                QVERIFY(*record.rank > kTopCandidateCount);
            for (size_t place = 0; place < record.top.size(); ++place) {
                const Candidate& candidate = record.top[place];
                const app::RowToken token = trace.token(candidate.id);
                if (candidate.id != record.id) // which may stand last though it is further down
                    QCOMPARE(token.rank, int(place) + 1);
                QVERIFY(std::fabs(std::log(token.rawProbability) - double(candidate.logprob)) < 1e-4);
                QCOMPARE(token.droppedBy, candidate.droppedBy);
                QVERIFY(std::fabs(token.finalProbability - double(candidate.finalProbability.value_or(0))) < 1e-4);
            }
        }
    }
};

QTEST_MAIN(TestVocabularyScores)
#include "tst_vocabulary_scores.moc"
