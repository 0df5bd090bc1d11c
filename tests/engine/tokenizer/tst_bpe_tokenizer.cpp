#include "tests/support/tiny_vocabulary.h"

#include <QtTest>

using namespace engine;
using tests::TinyVocabulary;

class TestBpeTokenizer : public QObject {
    Q_OBJECT
private slots:
    void theEarlierMergeWinsAndOfEqualOnesTheLeftmost()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        const TokenId bc = tiny.addMerge("b", "c");
        const TokenId ab = tiny.addMerge("a", "b");
        const TokenId aa = tiny.addMerge("a", "a");
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE((*tokenizer)->encodeText("abc"), (TokenIds { 'a', bc }));
        QCOMPARE((*tokenizer)->encodeText("abb"), (TokenIds { ab, 'b' }));
        QCOMPARE((*tokenizer)->encodeText("aaa"), (TokenIds { aa, 'a' }));
        QCOMPARE((*tokenizer)->name(), std::string("bpe/gpt-2"));
    }
    void mergesGoOnWithMergedPieces()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        tiny.addMerge("a", "b");
        tiny.addMerge("ab", "ab");
        const TokenId word = tiny.addMerge("abab", "c");
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE((*tokenizer)->encodeText("ababc"), TokenIds { word });
        QCOMPARE((*tokenizer)->decode(TokenIds { word, 'x' }), std::string("ababcx"));
    }
    void aWholeWordIsTakenUnmergedOnlyWhereTheVocabularyDoesSo()
    {
        for (const bool wholeWordsFirst : { false, true }) {
            auto tiny = TinyVocabulary::bpe(wholeWordsFirst ? "llama-bpe" : "gpt-2");
            const TokenId word = tiny.add("word"); // no merge leads to it
            const auto tokenizer = tiny.tokenizer();
            QVERIFY(tokenizer.has_value());
            const TokenIds bytes { 'w', 'o', 'r', 'd' };
            QCOMPARE((*tokenizer)->encodeText("word"), wholeWordsFirst ? TokenIds { word } : bytes);
        }
    }
    void userDefinedPiecesMatchInAnyTextTheLongestFirst()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        const TokenId call = tiny.add("<call>", TokenKind::UserDefined);
        const TokenId calls = tiny.add("<call>s", TokenKind::UserDefined);
        const TokenId literal = tiny.add("\u0120", TokenKind::UserDefined); // no byte letter here
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE((*tokenizer)->encodeText("a<call>s<call>"), (TokenIds { 'a', calls, call }));
        QCOMPARE((*tokenizer)->encodeText("\u0120"), TokenIds { literal });
        QCOMPARE((*tokenizer)->pieceBytes(literal), std::string("\u0120"));
    }
    void textNeverMergesIntoAControlToken()
    {
        auto tiny = TinyVocabulary::bpe("llama-bpe");
        const TokenId end = tiny.addMerge("a", "b");
        tiny.kinds[size_t(end)] = int32_t(TokenKind::Control);
        tiny.kinds['!'] = int32_t(TokenKind::Control);
        const auto tokenizer = tiny.tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE((*tokenizer)->encodeText("ab"), (TokenIds { 'a', 'b' }));
        QCOMPARE((*tokenizer)->encodeText("a!"), (TokenIds { 'a' }));
        QCOMPARE((*tokenizer)->encodeWithControl("xab"), (TokenIds { 'x', end }));
        QCOMPARE((*tokenizer)->pieceBytes(end), std::string());
        QCOMPARE((*tokenizer)->pieceText(end), std::string("ab"));
    }
    void everyByteComesBack()
    {
        const auto tokenizer = TinyVocabulary::bpe("qwen2").tokenizer();
        QVERIFY(tokenizer.has_value());
        std::string bytes;
        for (int byte = 0; byte < 256; ++byte)
            bytes += char(byte);
        QCOMPARE((*tokenizer)->decode((*tokenizer)->encodeText(bytes)), bytes);
    }
    void normalisationIsDoneWhereTheVocabularyHasIt()
    {
        const std::string decomposed = "e\xCC\x81";
        const auto qwen2 = TinyVocabulary::bpe("qwen2").tokenizer();
        const auto gpt2 = TinyVocabulary::bpe("gpt-2").tokenizer();
        QVERIFY(qwen2.has_value() && gpt2.has_value());
        QCOMPARE((*qwen2)->decode((*qwen2)->encodeText(decomposed)), std::string("\xC3\xA9"));
        QCOMPARE((*gpt2)->decode((*gpt2)->encodeText(decomposed)), decomposed);
    }
    void unknownPreTokenizersAndModelsAreRefusedByName()
    {
        const auto refusal = [](const TinyVocabulary& tiny) {
            const auto tokenizer = tiny.tokenizer();
            return tokenizer ? Error() : tokenizer.error();
        };
        auto tiny = TinyVocabulary::bpe("tekken");
        QCOMPARE(refusal(tiny).code, ErrorCode::Unsupported);
        QVERIFY(refusal(tiny).message.find("\"tekken\"") != std::string::npos);
        tiny.pre = "";
        QCOMPARE(refusal(tiny).code, ErrorCode::Unsupported);
        QVERIFY(refusal(tiny).message.find("tokenizer.ggml.pre is absent") != std::string::npos);
        tiny.model = "t5";
        QCOMPARE(refusal(tiny).code, ErrorCode::Unsupported);
        QVERIFY(refusal(tiny).message.find("\"t5\"") != std::string::npos);
        tiny.model = "";
        QCOMPARE(refusal(tiny).code, ErrorCode::BadFile);
    }
    void mergesOfPiecesThatDoNotExistAreRefused()
    {
        for (const char* merge : { "a zz", "zz a", "a b", "ab", "", " " }) {
            auto tiny = TinyVocabulary::bpe("gpt-2");
            tiny.merges = { merge };
            const auto tokenizer = tiny.tokenizer();
            QVERIFY2(!tokenizer, merge);
            QCOMPARE(tokenizer.error().code, ErrorCode::BadFile);
            QVERIFY(tokenizer.error().message.find("tokenizer.ggml.merges: entry 0")
                != std::string::npos);
        }
        auto tiny = TinyVocabulary::bpe("gpt-2");
        tiny.keys["tokenizer.ggml.merges"] = std::vector<int32_t> { 1 };
        QVERIFY(!tiny.tokenizer());
    }
    void idsOutsideTheVocabularyHaveNoBytes()
    {
        const auto tokenizer = TinyVocabulary::bpe("gpt-2").tokenizer();
        QVERIFY(tokenizer.has_value());
        QCOMPARE((*tokenizer)->pieceBytes(-1), std::string());
        QCOMPARE((*tokenizer)->pieceText(256), std::string());
    }
};

QTEST_APPLESS_MAIN(TestBpeTokenizer)
#include "tst_bpe_tokenizer.moc"
