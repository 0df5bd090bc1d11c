#include "app/inspection/vocabulary_index.h"
#include "tests/support/tiny_vocabulary.h"

#include <QTest>

using app::VocabularyIndex;
using engine::TokenIds;
using tests::TinyVocabulary;

namespace {
TokenIds known(const TokenIds& found, engine::TokenId from)
{
    TokenIds words;
    std::ranges::copy_if(found, std::back_inserter(words), [from](engine::TokenId id) { return id >= from; });
    return words;
}
}

class TestVocabularyIndex : public QObject {
    Q_OBJECT
private slots:
    void piecesAreFoundByAnyPartInAnyCase()
    {
        TinyVocabulary vocabulary = TinyVocabulary::bpe("gpt-2");
        const auto add = [&](const char* word) { return vocabulary.add(engine::lettersFromBytes(word)); };
        const engine::TokenId paris = add(" Paris");
        const engine::TokenId parish = add("parish");
        const engine::TokenId street = add("Straße");
        const engine::TokenId end = vocabulary.add("<|im_end|>", engine::TokenKind::Control);
        const VocabularyIndex index(**vocabulary.tokenizer());
        QCOMPARE(index.size(), 260);
        QCOMPARE(index.find("paris"), (TokenIds { paris, parish }));
        QCOMPARE(index.find("ARIS"), (TokenIds { paris, parish }));
        QCOMPARE(index.find(" pa"), (TokenIds { paris })); // a blank counts
        QCOMPARE(index.find("aße"), (TokenIds { street }));
        QCOMPARE(index.find("im_END"), (TokenIds { end }));
        QCOMPARE(index.find("shS"), TokenIds()); // never over the border of two pieces
        QCOMPARE(index.find("zzz"), TokenIds());
        QCOMPARE(index.find(""), TokenIds());
    }

    void aTokenIsFoundOnceHoweverOftenItHoldsTheText()
    {
        TinyVocabulary vocabulary = TinyVocabulary::bpe("gpt-2");
        const engine::TokenId twice = vocabulary.add("aaaa");
        const VocabularyIndex index(**vocabulary.tokenizer());
        QCOMPARE(known(index.find("a"), 256), (TokenIds { twice }));
        QCOMPARE(index.find("aa"), (TokenIds { twice }));
    }

    void anIdIsFoundByItsNumber()
    {
        const VocabularyIndex index(**TinyVocabulary::bpe("gpt-2").tokenizer());
        QCOMPARE(index.find("#65"), (TokenIds { 65 }));
        QCOMPARE(index.find("#256"), TokenIds());
        QCOMPARE(index.find("#-1"), TokenIds());
        QCOMPARE(index.find("#"), (TokenIds { '#' })); // the piece itself
    }

    void bytesThatAreNoTextHurtNobody()
    {
        const VocabularyIndex index(**TinyVocabulary::sentencePiece().tokenizer());
        QCOMPARE(index.find("a").back(), 'a' + 3);
        QCOMPARE(index.find("#258"), (TokenIds { 258 })); // byte FF
    }

    void aVocabularyOf262144IsSearchedWithinAFrame()
    {
        TinyVocabulary vocabulary = TinyVocabulary::bpe("gpt-2");
        for (int i = 0; i < 262'144 - 256; ++i)
            vocabulary.add("word" + std::to_string(i * 7919 % 1'000'003) + (i % 3 ? "e" : "tion"));
        const auto made = vocabulary.tokenizer();
        const auto& tokenizer = *made;
        const VocabularyIndex index(*tokenizer);
        size_t found = 0;
        QBENCHMARK_ONCE { found = index.find("word").size(); } // the worst: every piece
        QCOMPARE(found, size_t(262'144 - 256));
    }
};

QTEST_MAIN(TestVocabularyIndex)
#include "tst_vocabulary_index.moc"
