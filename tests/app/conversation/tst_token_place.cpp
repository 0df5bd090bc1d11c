#include "app/conversation/token_place.h"
#include "tests/support/fake_engine.h"

#include <QTest>

using app::Draft;
using app::TextBytes;
using app::textOfToken;

namespace {
/// A draft that has been told these pieces; released: what the run let out.
Draft draftOf(const std::vector<std::string>& pieces, const std::string& released)
{
    app::DraftOrigin origin;
    origin.request.runId = 1;
    Draft draft(std::move(origin));
    for (size_t i = 0; i < pieces.size(); ++i) {
        engine::TokenDecoded token;
        token.runId = 1;
        token.index = int(i);
        token.record.bytes = pieces[i];
        draft.apply(token);
    }
    engine::RunEnded ended;
    ended.runId = 1;
    ended.text = released;
    draft.apply(ended);
    return draft;
}
}

class TestTokenPlace : public QObject {
    Q_OBJECT
private slots:
    void tokensFollowEachOtherByTheirBytes()
    {
        const Draft draft = draftOf({ "The", " exhibition", " opens" }, "The exhibition opens");
        QCOMPARE(textOfToken(draft, 0), (TextBytes { 0, 3 }));
        QCOMPARE(textOfToken(draft, 1), (TextBytes { 3, 14 }));
        QCOMPARE(textOfToken(draft, 2), (TextBytes { 14, 20 }));
    }
    void anEndTokenHasNoTextAndStandsAtTheEnd()
    {
        const Draft draft = draftOf({ "Hi", "" }, "Hi");
        QCOMPARE(textOfToken(draft, 1), (TextBytes { 2, 2 }));
    }
    void aTokenThatDoesNotExistStandsAtTheEnd()
    {
        const Draft draft = draftOf({ "Hi" }, "Hi");
        QCOMPARE(textOfToken(draft, 7), (TextBytes { 2, 2 }));
        QCOMPARE(textOfToken(draft, -1), (TextBytes { 2, 2 }));
        QCOMPARE(textOfToken(draftOf({}, ""), 0), (TextBytes { 0, 0 }));
    }
    void ofAStopStringOnlyWhatWasReleasedIsText()
    {
        // Stop string "5, 6": the token that starts it is not released, the one before in part.
        const Draft draft = draftOf({ "4", ", 5", ",", " 6" }, "4, ");
        QCOMPARE(textOfToken(draft, 1), (TextBytes { 1, 3 }));
        QCOMPARE(textOfToken(draft, 3), (TextBytes { 3, 3 }));
    }
    void aPartOfACharacterStandsForAllOfIt()
    {
        const Draft draft = draftOf({ "a", "\xF0\x9F", "\x8C",
                                        "\x9F"
                                        "b" },
            "a\xF0\x9F\x8C\x9F"
            "b");
        QCOMPARE(textOfToken(draft, 1), (TextBytes { 1, 5 }));
        QCOMPARE(textOfToken(draft, 2), (TextBytes { 1, 5 }));
        QCOMPARE(textOfToken(draft, 3), (TextBytes { 1, 6 }));
    }
    void theBytesAContinuedDraftLeftUnfinishedComeFirst()
    {
        app::DraftOrigin origin;
        origin.request.runId = 1;
        origin.request.promptIds = { 'x', 0xF0, 0x9F, 0x8C };
        origin.request.draftTokenCount = 3;
        origin.modelText = tests::FakeEngine().modelText();
        Draft draft(std::move(origin));
        for (const char* piece : { "\x9F", "b" }) {
            engine::TokenDecoded token;
            token.runId = 1;
            token.record.bytes = piece;
            draft.apply(token);
        }
        engine::RunEnded ended;
        ended.runId = 1;
        ended.text = "\xF0\x9F\x8C\x9F"
                     "b";
        draft.apply(ended);
        QCOMPARE(textOfToken(draft, 0), (TextBytes { 0, 4 }));
        QCOMPARE(textOfToken(draft, 1), (TextBytes { 4, 5 }));
    }
};

QTEST_GUILESS_MAIN(TestTokenPlace)
#include "tst_token_place.moc"
