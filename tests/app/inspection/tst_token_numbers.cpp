#include "app/inspection/token_numbers.h"
#include "tests/support/inspected_answer.h"

#include <QTest>

#include <cmath>

using app::Interest;
using app::TokenNumber;
using app::TokenTrack;

namespace {
constexpr engine::TokenId kEnd = 999;

/// What a record is about; what is left out was not observed.
struct Noted {
    std::optional<float> entropy;
    std::optional<int> rank;
    std::optional<float> endProbability;
    std::vector<engine::Candidate> top;
    std::string bytes = "a";
    engine::TokenId id = 'a';
};

app::Answer answerOf(const std::vector<Noted>& tokens)
{
    app::DraftOrigin origin;
    origin.request.runId = 1;
    origin.request.promptIds = { 1, 2 };
    origin.endTokenTexts = { { kEnd, "<|im_end|>" } };
    app::Answer answer;
    answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
    for (const Noted& noted : tokens) {
        engine::TokenDecoded event { .runId = 1 };
        event.record.id = noted.id;
        event.record.bytes = noted.bytes;
        event.record.entropy = noted.entropy;
        event.record.rank = noted.rank;
        event.record.endProbability = noted.endProbability;
        event.record.top = noted.top;
        answer.apply(event);
    }
    return answer;
}

/// The answer's tokens that a search from its start finds, counted from the first.
QList<int> foundIn(const TokenTrack& track, Interest kind)
{
    QList<int> found;
    for (auto at = app::nextInteresting(track, -1, kind, 1); at;
         at = app::nextInteresting(track, *at, kind, 1))
        found.append(*at - track.promptCount());
    QList<int> backwards;
    for (auto at = app::nextInteresting(track, int(track.tokens().size()), kind, -1); at;
         at = app::nextInteresting(track, *at, kind, -1))
        backwards.prepend(*at - track.promptCount());
    return found == backwards ? found : QList<int> { -100 };
}
}

class TestTokenNumbers : public QObject {
    Q_OBJECT
private slots:
    void numbersAreThoseOfTheRecord()
    {
        tests::InspectedAnswer sample;
        const engine::TokenRecord record = sample.say(" London");
        const double probability = *app::tokenNumber(&record, TokenNumber::Probability);
        QCOMPARE(float(std::log(probability)), *record.logprob);
        QCOMPARE(*app::tokenNumber(&record, TokenNumber::Surprisal), -double(*record.logprob));
        QCOMPARE(*app::tokenNumber(&record, TokenNumber::Entropy), double(*record.entropy));
        QCOMPARE(*app::tokenNumber(&record, TokenNumber::Rank), double(*record.rank));
        QCOMPARE(*app::tokenNumber(&record, TokenNumber::EndProbability),
            double(*record.endProbability));
        QCOMPARE(*app::tokenNumber(&record, TokenNumber::TopGap),
            std::exp(double(record.top[0].logprob)) - std::exp(double(record.top[1].logprob)));
        QVERIFY(std::fabs(app::bitsOf(std::log(8.0)) - 3) < 1e-12);
    }

    void aCertainTokenHasNoSurprisalBelowZero()
    {
        engine::TokenRecord record;
        record.logprob = 0.0f;
        QCOMPARE(*app::tokenNumber(&record, TokenNumber::Surprisal), 0.0);
        QVERIFY(!std::signbit(*app::tokenNumber(&record, TokenNumber::Surprisal)));
    }

    void whatWasNotObservedHasNoNumber()
    {
        const engine::TokenRecord bare;
        for (const TokenNumber number :
            { TokenNumber::Probability, TokenNumber::Surprisal, TokenNumber::Entropy,
                TokenNumber::Rank, TokenNumber::EndProbability, TokenNumber::TopGap }) {
            QVERIFY(!app::tokenNumber(&bare, number));
            QVERIFY(!app::tokenNumber(nullptr, number));
        }
    }

    void everyKindFindsItsTokensForwardsAndBackwards()
    {
        const app::Answer answer = answerOf({
            {}, // 0: nothing observed
            { .entropy = 2.5f, .rank = 1 }, { .entropy = 1.9f, .rank = 3 },
            { .top = { { 1, std::log(0.41f) }, { 2, std::log(0.4f) } } },
            { .top = { { 1, std::log(0.6f) }, { 2, std::log(0.3f) } } }, { .endProbability = 0.3f },
            { .bytes = "\xF0\x9F" }, { .bytes = "\x8C\x9F" }, { .bytes = "🌟" },
            { .endProbability = 0.7f, .bytes = "", .id = kEnd }, // it did end here
        });
        const TokenTrack track(answer);
        QCOMPARE(foundIn(track, Interest::HighEntropy), (QList<int> { 1 }));
        QCOMPARE(foundIn(track, Interest::LowRank), (QList<int> { 2 }));
        QCOMPARE(foundIn(track, Interest::NearTie), (QList<int> { 3 }));
        QCOMPARE(foundIn(track, Interest::NearStop), (QList<int> { 5 }));
        QCOMPARE(foundIn(track, Interest::LoneByte), (QList<int> { 6, 7 }));
        QCOMPARE(foundIn(track, Interest::Any), (QList<int> { 1, 2, 3, 5, 6, 7 }));
    }

    void thePromptIsNeverASurprise()
    {
        tests::InspectedAnswer sample; // its prompt is bytes of a byte vocabulary
        const TokenTrack track(sample.answer);
        QVERIFY(!app::nextInteresting(track, -1, Interest::Any, 1));
    }

    void everyKindButTwoHasItsRowInTheTable()
    {
        for (const Interest kind :
            { Interest::HighEntropy, Interest::NearTie, Interest::NearStop, Interest::LowRank })
            QCOMPARE(std::ranges::count(app::kInterestRules, kind, &app::InterestRule::kind), 1);
        QCOMPARE(app::kInterestRules.size(), size_t(4));
    }
};

QTEST_APPLESS_MAIN(TestTokenNumbers)
#include "tst_token_numbers.moc"
