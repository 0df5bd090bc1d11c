#include "app/inspection/round_trip.h"
#include "tests/support/inspected_answer.h"

#include <QTest>

using app::RoundTrip;
using engine::StopReason;
using tests::InspectedAnswer;

namespace {
constexpr int kPromptCount = 13; // bytes of "Where is it?\n"

/// An answer whose newest run ended; the vocabulary has no merges, so that text is read as bytes.
std::optional<RoundTrip> tripOf(
    const std::vector<std::string>& pieces, StopReason reason = StopReason::LengthCap)
{
    InspectedAnswer sample;
    for (const std::string& piece : pieces)
        sample.say(piece, 20);
    if (reason == StopReason::EndToken)
        sample.force(InspectedAnswer::kEnd);
    sample.end(reason);
    return app::roundTrip(sample.answer, nullptr);
}
}

class TestRoundTrip : public QObject {
    Q_OBJECT
private slots:
    void theTokenizersOwnTokensComeBack()
    {
        QCOMPARE(tripOf({ "O", "k" }), std::optional(RoundTrip { 2, {}, 0 }));
    }

    void theEndTokenIsNoPartOfTheText()
    {
        QCOMPARE(tripOf({ "O", "k" }, StopReason::EndToken), std::optional(RoundTrip { 2, {}, 0 }));
    }

    void aTokenTheTokenizerWouldNotChooseIsFound()
    {
        // " London" is one token here and seven when it is read.
        QCOMPARE(tripOf({ "O", "k", " London", "!" }),
            std::optional(RoundTrip { 4, 2, kPromptCount + 2 }));
    }

    void theFirstTokenMayDiffer()
    {
        QCOMPARE(tripOf({ " London" }), std::optional(RoundTrip { 1, 0, kPromptCount }));
    }

    void textThatWasNotReleasedIsMissingWhenRead()
    {
        InspectedAnswer sample;
        sample.say("O", 20);
        engine::TokenDecoded held; // a token of a stop string, which is no part of the text
        held.runId = 1;
        held.index = 1;
        held.record.id = '#';
        held.record.bytes = "#";
        sample.answer.apply(held);
        sample.end(StopReason::StopString);
        QCOMPARE(app::roundTrip(sample.answer, nullptr),
            std::optional(RoundTrip { 2, 1, kPromptCount + 1 }));
    }

    void nothingIsToldOfAnAnswerThatIsWritten()
    {
        InspectedAnswer sample;
        sample.say("O", 20);
        QVERIFY(!app::roundTrip(sample.answer, nullptr));
    }

    void nothingIsToldWithoutAVocabulary()
    {
        app::DraftOrigin origin;
        origin.request.runId = 1;
        origin.request.promptIds = { 'H', 'i' };
        app::Answer answer;
        answer.addPart(std::make_unique<app::Draft>(std::move(origin)));
        engine::RunEnded end;
        end.runId = 1;
        answer.apply(end);
        QVERIFY(!app::roundTrip(answer, nullptr));
        const InspectedAnswer other;
        const auto vocabulary = other.answer.parts().front()->origin().modelText;
        QVERIFY(app::roundTrip(answer, vocabulary.get()));
    }

    void nothingIsToldOfWhatAPersonWrote()
    {
        QVERIFY(!app::roundTrip(app::Answer({ "Hello" }), nullptr));
    }
};

QTEST_GUILESS_MAIN(TestRoundTrip)
#include "tst_round_trip.moc"
