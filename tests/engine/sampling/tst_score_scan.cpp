#include "engine/sampling/descending_scores.h"
#include "engine/sampling/score_scan.h"

#include <QtTest>
#include <algorithm>
#include <cmath>
#include <random>

using namespace engine;

namespace {
std::vector<float> randomScores(size_t count, int levelCount)
{
    std::mt19937 generator { uint32_t(count) };
    std::vector<float> scores(count);
    for (float& score : scores) // few levels: many ties
        score = float(int(generator() % uint32_t(levelCount))) / 8 - 9;
    return scores;
}

std::vector<TokenId> plainOrder(const std::vector<float>& scores)
{
    std::vector<TokenId> order(scores.size());
    for (size_t i = 0; i < order.size(); ++i)
        order[i] = TokenId(i);
    std::stable_sort(order.begin(), order.end(),
        [&](TokenId a, TokenId b) { return scores[size_t(a)] > scores[size_t(b)]; });
    return order;
}
}

class TestScoreScan : public QObject {
    Q_OBJECT
private slots:
    void sumsAgreeWithDoublePrecision_data()
    {
        QTest::addColumn<int>("count");
        for (int count : { 1, 3, 4, 63, 64, 65, 1025, 5003, 262144 })
            QTest::addRow("%d scores", count) << count;
    }
    void sumsAgreeWithDoublePrecision()
    {
        QFETCH(int, count);
        const std::vector<float> scores = randomScores(size_t(count), 1000);
        ScoreMaxima maxima;
        scanMaxima(scores, maxima);
        QCOMPARE(maxima.best, *std::max_element(scores.begin(), scores.end()));
        for (float scale : { 1.0f, 0.3f, 1000.0f }) {
            double mass = 0;
            double weighted = 0;
            for (float score : scores) {
                const double d = double(scale) * (double(score) - double(maxima.best));
                mass += std::exp(d);
                weighted += d > -700 ? std::exp(d) * d : 0;
            }
            const ScoreMass sums = scanMass(scores, maxima.best, scale);
            QVERIFY(std::fabs(sums.mass - mass) < 1e-6 * mass);
            QVERIFY(std::fabs(sums.weighted - weighted) < 2e-6 * (mass + std::fabs(weighted)));
        }
    }
    void prefixesOfAnyLengthAreSortedWithTiesToTheLowerId()
    {
        for (size_t count : { size_t(1), size_t(64), size_t(700), size_t(5003) }) {
            const std::vector<float> scores = randomScores(count, 40);
            const std::vector<TokenId> right = plainOrder(scores);
            ScoreMaxima maxima;
            scanMaxima(scores, maxima);
            DescendingScores order;
            order.reset(scores, maxima);
            for (size_t wanted :
                { size_t(1), size_t(2), size_t(20), size_t(64), size_t(512), size_t(9999) }) {
                const auto first = order.first(wanted);
                QCOMPARE(first.size(), std::min(wanted, count));
                for (size_t i = 0; i < first.size(); ++i) {
                    QCOMPARE(first[i].id, right[i]);
                    QCOMPARE(first[i].score, scores[size_t(right[i])]);
                }
            }
        }
    }
    void theCountBeforeATokenIsItsPlaceInTheOrder()
    {
        const std::vector<float> scores = randomScores(203, 12);
        const std::vector<TokenId> order = plainOrder(scores);
        for (size_t place = 0; place < order.size(); ++place)
            QCOMPARE(countBefore(scores, size_t(order[place])), int(place));
    }
};

QTEST_APPLESS_MAIN(TestScoreScan)
#include "tst_score_scan.moc"
