#include "tests/support/tiny_vocabulary.h"
#include "tests/support/token_cases.h"

#include <QtTest>

using namespace engine;
using tests::TinyVocabulary;

namespace {
void expectBadFile(const TinyVocabulary& tiny, const char* words)
{
    const auto vocabulary = tiny.vocabulary();
    QVERIFY(!vocabulary);
    QCOMPARE(vocabulary.error().code, ErrorCode::BadFile);
    QVERIFY2(vocabulary.error().message.find(words) != std::string::npos,
        vocabulary.error().message.c_str());
}
}

class TestVocabulary : public QObject {
    Q_OBJECT
private slots:
    void listsOfUnequalLengthAreRefused()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        tiny.kinds.pop_back();
        expectBadFile(tiny, "tokenizer.ggml.token_type has 255 entries");
        tiny = TinyVocabulary::sentencePiece();
        tiny.scores.push_back(1.0f);
        expectBadFile(tiny, "tokenizer.ggml.scores has 260 entries");
    }
    void listsOfAnotherElementTypeAreRefused()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        tiny.keys["tokenizer.ggml.token_type"] = std::vector<uint8_t>(256, 1);
        expectBadFile(tiny, "tokenizer.ggml.token_type");
        tiny = TinyVocabulary::bpe("gpt-2");
        tiny.keys["tokenizer.ggml.scores"] = std::vector<uint8_t>(256, 0);
        expectBadFile(tiny, "tokenizer.ggml.scores");
    }
    void emptyVocabularyIsRefused() { expectBadFile(TinyVocabulary(), "tokenizer.ggml.tokens"); }
    void kindsOutsideTheListAreRefused()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        for (const int32_t kind : { 0, 7, -1 }) {
            tiny.kinds[5] = kind;
            expectBadFile(tiny, ("entry 5 has the unknown type " + std::to_string(kind)).c_str());
        }
    }
    void bytePiecesHaveExactlyTwoHexDigits()
    {
        for (const char* piece : { "<0x-1>", "<0x1>", "<0x123>", "<0xG0>", "<0x 1>", "0x01", "" }) {
            auto tiny = TinyVocabulary::bpe("gpt-2");
            tiny.add(piece, TokenKind::Byte);
            expectBadFile(tiny, "entry 256");
        }
        const auto vocabulary = TinyVocabulary::sentencePiece().vocabulary();
        QVERIFY(vocabulary.has_value());
        for (int byte = 0; byte < 256; ++byte)
            QCOMPARE(int(vocabulary->byteValue(3 + byte)), byte);
    }
    void specialIdsPastTheEndAreRefused()
    {
        for (const char* key : { "tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id",
                 "tokenizer.ggml.unknown_token_id", "tokenizer.ggml.eot_token_id",
                 "tokenizer.ggml.eom_token_id" }) {
            auto tiny = TinyVocabulary::bpe("gpt-2");
            tiny.keys[key] = uint32_t(256);
            expectBadFile(tiny, key);
            tiny.keys[key] = uint32_t(0xFFFFFFFF);
            expectBadFile(tiny, key);
            tiny.keys[key] = uint32_t(255);
            QVERIFY(tiny.vocabulary().has_value());
        }
    }
    void ofEqualPiecesTheLowestIdIsFound()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        const TokenId first = tiny.add("twice");
        tiny.add("twice");
        const auto vocabulary = tiny.vocabulary();
        QVERIFY(vocabulary.has_value());
        QCOMPARE(vocabulary->find("twice"), std::optional(first));
        QCOMPARE(vocabulary->find("thrice"), std::nullopt);
        for (TokenId id = 0; id < 256; ++id)
            QCOMPARE(vocabulary->find(vocabulary->piece(id)), std::optional(id));
    }
    void bosIsAddedAsTheFileSaysElseAsTheTokenizerModelDoes()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        tiny.keys["tokenizer.ggml.bos_token_id"] = uint32_t(0);
        QVERIFY(!tiny.vocabulary()->addsBos());
        tiny.pre = "llama-bpe";
        QVERIFY(tiny.vocabulary()->addsBos());
        tiny.keys["tokenizer.ggml.add_bos_token"] = false;
        QVERIFY(!tiny.vocabulary()->addsBos());
        tiny.pre = "gpt-2";
        tiny.keys["tokenizer.ggml.add_bos_token"] = true;
        QVERIFY(tiny.vocabulary()->addsBos());
        QVERIFY(TinyVocabulary::sentencePiece().vocabulary()->addsBos());
    }
    void bosWithoutAnIdIsRefused()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        tiny.keys["tokenizer.ggml.add_bos_token"] = true;
        expectBadFile(tiny, "tokenizer.ggml.bos_token_id is absent");
    }
    void endTokensAreASetFromKeysAndNames()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        const TokenId end = tiny.add("<|im_end|>", TokenKind::Control);
        tiny.add("<end_of_turn>", TokenKind::UserDefined); // by name only control tokens count
        tiny.keys["tokenizer.ggml.eos_token_id"] = uint32_t(7);
        tiny.keys["tokenizer.ggml.eot_token_id"] = uint32_t(end);
        tiny.keys["tokenizer.ggml.eom_token_id"] = uint32_t(3);
        const auto vocabulary = tiny.vocabulary();
        QVERIFY(vocabulary.has_value());
        QCOMPARE(vocabulary->endTokenIds(), (TokenIds { 3, 7, end }));
        QVERIFY(vocabulary->isEndToken(end));
        QVERIFY(!vocabulary->isEndToken(end + 1));
    }
    void endOfAMessageIsNoEndWhereAnAnswerHasSeveral()
    {
        auto tiny = TinyVocabulary::bpe("gpt-2");
        const TokenId end = tiny.add("<|end|>", TokenKind::Control);
        QCOMPARE(tiny.vocabulary()->endTokenIds(), TokenIds { end });
        const TokenId finish = tiny.add("<|return|>", TokenKind::Control);
        QCOMPARE(tiny.vocabulary()->endTokenIds(), TokenIds { finish });
    }
    void knownVocabulariesEndOnTheRightTokens() // G-07
    {
        if (const char* reason = tests::missingTokenData())
            QSKIP(reason);
        const auto endTokenIds = [](const char* name) {
            return tests::loadTokenizer(*tests::vocabularyFile(name))->vocabulary().endTokenIds();
        };
        QCOMPARE(endTokenIds("gemma3"), (TokenIds { 1, 106 }));
        QCOMPARE(endTokenIds("llama-bpe"), (TokenIds { 128001, 128009 }));
        QCOMPARE(endTokenIds("smollm2"), (TokenIds { 0, 2 })); // <|endoftext|>, <|im_end|>
        QCOMPARE(endTokenIds("qwen2"), (TokenIds { 151643, 151645 }));
        QCOMPARE(endTokenIds("llama-spm"), (TokenIds { 2 }));
        QCOMPARE(endTokenIds("phi-3"), (TokenIds { 32000, 32007 }));
    }
};

QTEST_APPLESS_MAIN(TestVocabulary)
#include "tst_vocabulary.moc"
