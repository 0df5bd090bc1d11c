#include "tests/support/tiny_vocabulary.h"

#include <QtTest>

using namespace engine;
using tests::TinyVocabulary;

namespace {
TextSpan written(std::string text) { return { std::move(text), TextOrigin::Template }; }
TextSpan typed(std::string text) { return { std::move(text), TextOrigin::Person }; }

struct Fixture {
    TinyVocabulary tiny = TinyVocabulary::bpe("gpt-2");
    TokenId start = tiny.add("<|s|>", TokenKind::Control);
    TokenId end = tiny.add("<|e|>", TokenKind::Control);
    TokenId pair = tiny.addMerge("a", "b");
    std::unique_ptr<Tokenizer> tokenizer = make();

    std::unique_ptr<Tokenizer> make() const
    {
        auto made = tiny.tokenizer();
        return made ? std::move(*made) : nullptr;
    }
    TokenIds encode(const std::vector<TextSpan>& spans) const
    {
        return tokenizer->encodeSpans(spans);
    }
};
}

class TestTokenizer : public QObject {
    Q_OBJECT
private slots:
    void controlTokensComeOutOfTemplateSpansOnly()
    {
        const Fixture f;
        QCOMPARE(f.encode({ written("<|s|>"), typed("a"), written("<|e|>") }),
            (TokenIds { f.start, 'a', f.end }));
        QCOMPARE(f.encode({ typed("<|e|>") }), (TokenIds { '<', '|', 'e', '|', '>' }));
        QCOMPARE(f.tokenizer->encodeText("<|e|>"), (TokenIds { '<', '|', 'e', '|', '>' }));
        QCOMPARE(f.tokenizer->encodeWithControl("<|e|>"), TokenIds { f.end });
    }
    void textWrittenHalfByATemplateAndHalfByAPersonIsNoControlToken()
    {
        const Fixture f;
        const TokenIds letters { '<', '|', 'e', '|', '>' };
        QCOMPARE(f.encode({ written("<|e"), typed("|>") }), letters);
        QCOMPARE(f.encode({ typed("<|"), written("e|>") }), letters);
        QCOMPARE(f.encode({ written("<"), typed("|e|"), written(">") }), letters);
    }
    void aTemplateMayWriteAControlTokenInStrokes()
    {
        const Fixture f;
        QCOMPARE(f.encode({ written("<|"), written("e"), written("|>") }), TokenIds { f.end });
    }
    void ordinaryTextAcrossASpanBorderIsOnePiece()
    {
        const Fixture f;
        QCOMPARE(f.encode({ written("<|s|>a"), typed("b"), written("<|e|>") }),
            (TokenIds { f.start, f.pair, f.end }));
        QCOMPARE(f.encode({ typed("a"), typed("b") }), TokenIds { f.pair });
        QCOMPARE(
            f.encode({ typed("a"), written("<|e|>"), typed("b") }), (TokenIds { 'a', f.end, 'b' }));
        QCOMPARE(f.encode({ typed(""), written("") }), TokenIds());
    }
    void bosIsPutInFrontOnceAndOnlyWhenTheFileWantsIt() // G-01
    {
        Fixture f;
        const std::vector<TextSpan> bare { typed("a") };
        const std::vector<TextSpan> withBos { written("<|s|>"), typed("a") };
        f.tiny.keys["tokenizer.ggml.bos_token_id"] = uint32_t(f.start);
        QCOMPARE(promptIds(*f.make(), bare), TokenIds { 'a' });
        f.tiny.keys["tokenizer.ggml.add_bos_token"] = true;
        const auto adding = f.make();
        QCOMPARE(promptIds(*adding, bare), (TokenIds { f.start, 'a' }));
        QCOMPARE(promptIds(*adding, withBos), (TokenIds { f.start, 'a' }));
        QCOMPARE(promptIds(*adding, {}), TokenIds { f.start });
        const std::vector<TextSpan> lookAlike { typed("<|s|>") };
        QCOMPARE(promptIds(*adding, lookAlike), (TokenIds { f.start, '<', '|', 's', '|', '>' }));
    }
    void controlTokensHaveATextToShowButNoBytes()
    {
        const Fixture f;
        QCOMPARE(f.tokenizer->pieceBytes(f.end), std::string());
        QCOMPARE(f.tokenizer->pieceText(f.end), std::string("<|e|>"));
        QCOMPARE(f.tokenizer->pieceText(f.pair), std::string("ab"));
        QCOMPARE(f.tokenizer->decode(TokenIds { f.start, f.pair, f.end }), std::string("ab"));
    }
};

QTEST_APPLESS_MAIN(TestTokenizer)
#include "tst_tokenizer.moc"
