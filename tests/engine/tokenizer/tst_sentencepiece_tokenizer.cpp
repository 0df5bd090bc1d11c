#include "tests/support/tiny_vocabulary.h"

#include <QtTest>

using namespace engine;
using tests::TinyVocabulary;

namespace {
constexpr TokenId kFirstByte = 3;

std::string refusalOf(const TinyVocabulary& tiny)
{
    const auto tokenizer = tiny.tokenizer();
    return !tokenizer && tokenizer.error().code == ErrorCode::BadFile ? tokenizer.error().message
                                                                      : "";
}
}

class TestSentencePieceTokenizer : public QObject {
    Q_OBJECT
private slots:
    void higherScoresMergeFirst()
    {
        auto tiny = TinyVocabulary::sentencePiece();
        tiny.keys["tokenizer.ggml.add_space_prefix"] = false;
        const TokenId a = tiny.add("a", TokenKind::Normal, -10);
        tiny.add("b", TokenKind::Normal, -11);
        tiny.add("c", TokenKind::Normal, -12);
        const TokenId bc = tiny.add("bc", TokenKind::Normal, -1);
        tiny.add("ab", TokenKind::Normal, -2);
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE((*tokenizer)->encodeText("abc"), (TokenIds { a, bc }));
        QCOMPARE((*tokenizer)->name(), std::string("spm"));
    }
    void aSpaceIsPutInFrontUnlessTheFileSaysNo()
    {
        for (const bool addsPrefix : { true, false }) {
            auto tiny = TinyVocabulary::sentencePiece();
            if (!addsPrefix)
                tiny.keys["tokenizer.ggml.add_space_prefix"] = false;
            const TokenId space = tiny.add("\u2581");
            const TokenId a = tiny.add("a");
            const auto tokenizer = tiny.tokenizer();
            QVERIFY(tokenizer.has_value());
            QCOMPARE((*tokenizer)->encodeText("a  a"),
                addsPrefix ? (TokenIds { space, a, space, space, a })
                           : (TokenIds { a, space, space, a }));
            QCOMPARE((*tokenizer)->pieceBytes(space), std::string(" "));
            QCOMPARE((*tokenizer)->encodeText(""), TokenIds());
            // After a control token a text begins.
            QCOMPARE((*tokenizer)->encodeWithControl("<s>a"),
                addsPrefix ? (TokenIds { 1, space, a }) : (TokenIds { 1, a }));
        }
    }
    void whatNoPieceCoversFallsBackToBytes()
    {
        auto tiny = TinyVocabulary::sentencePiece();
        tiny.keys["tokenizer.ggml.add_space_prefix"] = false;
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        const std::string text = "\u00E9\n";
        const TokenIds ids { kFirstByte + 0xC3, kFirstByte + 0xA9, kFirstByte + 0x0A };
        QCOMPARE((*tokenizer)->encodeText(text), ids);
        QCOMPARE((*tokenizer)->decode(ids), text);
        QCOMPARE((*tokenizer)->decode((*tokenizer)->encodeText("\xFF")), std::string("\uFFFD"));
    }
    void controlTextOfAPersonStaysText()
    {
        auto tiny = TinyVocabulary::sentencePiece();
        tiny.keys["tokenizer.ggml.add_space_prefix"] = false;
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        for (const std::string text : { "<s>", "</s>", "<unk>", "<0x41>" }) {
            const TokenIds ids = (*tokenizer)->encodeText(text);
            QCOMPARE(ids.size(), text.size());
            QCOMPARE((*tokenizer)->decode(ids), text);
        }
        QCOMPARE((*tokenizer)->encodeWithControl("<s></s><unk>"), (TokenIds { 1, 2, 0 }));
    }
    void userDefinedPiecesMayHoldSpaces()
    {
        auto tiny = TinyVocabulary::sentencePiece();
        tiny.keys["tokenizer.ggml.add_space_prefix"] = false;
        const TokenId three = tiny.add("   ", TokenKind::UserDefined);
        const TokenId a = tiny.add("a");
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE((*tokenizer)->encodeText("a   a"), (TokenIds { a, three, a }));
        QCOMPARE((*tokenizer)->pieceBytes(three), std::string("   "));
    }
    void aVocabularyWithoutAnUnknownPieceLoads()
    {
        TinyVocabulary tiny;
        tiny.model = "llama";
        tiny.keys["tokenizer.ggml.add_space_prefix"] = false;
        const TokenId a = tiny.add("a");
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE(
            (*tokenizer)->encodeText("axa"), (TokenIds { a, a })); // "x" cannot be written at all
    }
    void severalUnknownPiecesAreNeverFoundInText()
    {
        auto tiny = TinyVocabulary::sentencePiece();
        tiny.keys["tokenizer.ggml.add_space_prefix"] = false;
        tiny.add("[PAD]", TokenKind::Unknown);
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE((*tokenizer)->encodeText("[PAD]").size(), size_t(5));
    }
    void damagedVocabulariesAreRefused()
    {
        auto tiny = TinyVocabulary::sentencePiece();
        tiny.kinds[3] = int32_t(TokenKind::Normal);
        QVERIFY(refusalOf(tiny).find("255 byte pieces") != std::string::npos);
        tiny = TinyVocabulary::sentencePiece();
        tiny.add("twice");
        tiny.add("twice");
        QVERIFY(refusalOf(tiny).find("twice") != std::string::npos);
        tiny = TinyVocabulary::sentencePiece();
        tiny.add("");
        QVERIFY(!refusalOf(tiny).empty());
        tiny = TinyVocabulary::sentencePiece();
        tiny.scores.clear();
        QVERIFY(refusalOf(tiny).find("tokenizer.ggml.scores") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestSentencePieceTokenizer)
#include "tst_sentencepiece_tokenizer.moc"
