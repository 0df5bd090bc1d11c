#include "engine/reference/operations.h"
#include "engine/reference/token_scores.h"
#include "engine/reference/weight.h"

#include <QtTest>
#include <cmath>
#include <cstring>
#include <random>

using namespace engine;

namespace {
constexpr float kTolerance = 1e-5f; // f32 sums of a few dozen terms about one

Matrix randomMatrix(size_t rows, size_t columns, uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<float> normal;
    Matrix matrix(rows, columns);
    for (float& value : matrix.values)
        value = normal(random);
    return matrix;
}

bool near(float a, float b) { return std::abs(a - b) <= kTolerance; }
}

class TestOperations : public QObject {
    Q_OBJECT
private slots:
    void rmsNormGivesRowsOfUnitPower()
    {
        Matrix x = randomMatrix(1, 64, 1);
        const std::vector<float> ones(64, 1.0f);
        rmsNorm(x.row(0), ones, 1e-6f);
        double squares = 0;
        for (const float value : x.values)
            squares += double(value) * value;
        QVERIFY(near(float(squares / 64), 1.0f));
    }
    void rmsNormHeadsTreatsEachHeadAlone()
    {
        Matrix x(1, 4);
        x.values = { 1, 1, 100, 100 };
        rmsNormHeads(x, std::vector<float> { 1, 2 }, 0.0f);
        const std::vector<float> expected { 1, 2, 1, 2 };
        for (size_t i = 0; i < 4; ++i)
            QVERIFY(near(x.values[i], expected[i]));
    }
    void matmulMultipliesRowsByRows()
    {
        const Matrix w = randomMatrix(5, 37, 2); // 37: lanes and a rest
        std::vector<std::byte> bytes(w.values.size() * sizeof(float));
        std::memcpy(bytes.data(), w.values.data(), bytes.size());
        const auto weight = Weight::create(TensorType::F32, 5, 37, bytes);
        QVERIFY(weight);
        const Matrix x = randomMatrix(3, 37, 3);
        const Matrix y = matmul(*weight, x);
        for (size_t t = 0; t < 3; ++t)
            for (size_t r = 0; r < 5; ++r) {
                double sum = 0;
                for (size_t k = 0; k < 37; ++k)
                    sum += double(x.row(t)[k]) * w.row(r)[k];
                QVERIFY(near(y.row(t)[r], float(sum)));
            }
        QVERIFY(!Weight::create(TensorType::F32, 5, 36, bytes));
        QVERIFY(!Weight::create(TensorType::Q2_K, 1, 256, std::vector<std::byte>(84)));
    }
    void ropeRotatesThePairsOfItsKind()
    {
        const double frequencies[] = { 1.0, 0.5 };
        Matrix interleaved(2, 4);
        interleaved.values = { 1, 0, 1, 0, 1, 0, 1, 0 };
        Matrix split = interleaved;
        split.values = { 1, 1, 0, 0, 1, 1, 0, 0 };
        rope(interleaved, frequencies, RopePairing::Interleaved, 2);
        rope(split, frequencies, RopePairing::SplitHalf, 2);
        QVERIFY(near(interleaved.row(0)[0], std::cos(2.0f))
            && near(interleaved.row(0)[1], std::sin(2.0f)));
        QVERIFY(near(interleaved.row(1)[2], std::cos(1.5f))
            && near(interleaved.row(1)[3], std::sin(1.5f)));
        QVERIFY(near(split.row(1)[1], std::cos(1.5f)) && near(split.row(1)[3], std::sin(1.5f)));
    }
    void attentionSeesNothingAfterTheTokenAndNothingBeforeTheWindow()
    {
        const Matrix query = randomMatrix(6, 8, 4);
        Matrix key = randomMatrix(6, 4, 5);
        Matrix value = randomMatrix(6, 4, 6);
        AttentionInputs options {
            .query = query, .key = key, .value = value, .headCount = 2, .kvHeadCount = 1
        };
        const Matrix whole = attention(options);
        options.window = 3;
        const Matrix windowed = attention(options);
        QVERIFY(near(windowed.row(2)[5], whole.row(2)[5]));
        QVERIFY(!near(windowed.row(5)[5], whole.row(5)[5]));
        for (size_t i = 0; i < 4; ++i) {
            key.row(5)[i] = 9.0f;
            value.row(5)[i] = 9.0f;
            key.row(1)[i] = -9.0f;
            value.row(1)[i] = -9.0f;
        }
        const Matrix changed = attention(options);
        QCOMPARE(changed.row(4)[0], windowed.row(4)[0]); // window of 4: positions 2 to 4
        QVERIFY(changed.row(3)[0] != windowed.row(3)[0]);
    }
    void attentionOfOneTokenIsItsValue()
    {
        const Matrix query = randomMatrix(1, 8, 7);
        const Matrix key = randomMatrix(1, 4, 8);
        const Matrix value = randomMatrix(1, 4, 9);
        const Matrix out = attention(
            { .query = query, .key = key, .value = value, .headCount = 2, .kvHeadCount = 1 });
        for (size_t i = 0; i < 8; ++i)
            QCOMPARE(out.values[i], value.values[i % 4]);
    }
    void softmaxStandsLargeScores()
    {
        std::vector<float> scores { 1000.0f, 1000.0f, -1000.0f };
        softmax(scores);
        QVERIFY(near(scores[0], 0.5f) && near(scores[1], 0.5f) && scores[2] == 0.0f);
    }
    void activationsHaveTheirKnownValues()
    {
        QVERIFY(near(silu(1.0f), 0.7310586f));
        QVERIFY(near(geluTanh(1.0f), 0.8411920f));
        QVERIFY(near(geluTanh(-10.0f), 0.0f));
        QCOMPARE(silu(-200.0f), -0.0f);
    }
    void scoresAreArgmaxAndLogprob()
    {
        Matrix logits(2, 3);
        logits.values = { 0, std::log(2.0f), 0, 1, 0, 1 };
        const TokenScores scores = tokenScores({ 0, 1 }, logits);
        QVERIFY(scores.argmax == TokenIds({ 1, 0 })); // ties go to the lower id
        QCOMPARE(scores.logprobOfNext.size(), size_t(1));
        QVERIFY(near(float(scores.logprobOfNext[0]), std::log(0.5f)));
        QVERIFY(scores.lastLogits == std::vector<float>({ 1, 0, 1 }));
    }
};

QTEST_APPLESS_MAIN(TestOperations)
#include "tst_operations.moc"
