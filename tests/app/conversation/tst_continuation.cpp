#include "app/conversation/continuation.h"
#include "tests/support/tiny_vocabulary.h"

#include <QTest>

using tests::TinyVocabulary;

/// app/conversation/continuation.h
class TestContinuation : public QObject {
    Q_OBJECT
private slots:
    void theBlankBeforeAPromptIsNotAdded()
    {
        TinyVocabulary vocabulary = TinyVocabulary::sentencePiece();
        const engine::TokenId blank = vocabulary.add("▁", engine::TokenKind::Normal, -2);
        const engine::TokenId ing = vocabulary.add("ing", engine::TokenKind::Normal, -1);
        const engine::TokenId word = vocabulary.add("▁ing", engine::TokenKind::Normal, -0.5f);
        for (const char* letter : { "i", "n", "g", "in", "ng" })
            vocabulary.add(letter, engine::TokenKind::Normal, -3);
        const auto made = vocabulary.tokenizer();
        const auto& tokenizer = *made;
        QCOMPARE(tokenizer->encodeText("ing"), (engine::TokenIds { word })); // the start of a prompt
        QCOMPARE(app::continuationIds(*tokenizer, "ing"), (engine::TokenIds { ing }));
        QCOMPARE(tokenizer->decode(app::continuationIds(*tokenizer, " ing")), std::string(" ing"));
        QVERIFY(app::continuationIds(*tokenizer, " ing") != (engine::TokenIds { blank, word }));
    }

    void otherVocabulariesReadTextAsItIs()
    {
        const auto made = TinyVocabulary::bpe("gpt-2").tokenizer();
        const auto& tokenizer = *made;
        QCOMPARE(app::continuationIds(*tokenizer, "a b"), tokenizer->encodeText("a b"));
        QVERIFY(app::continuationIds(*tokenizer, "").empty());
    }
};

QTEST_MAIN(TestContinuation)
#include "tst_continuation.moc"
