#include "engine/tokenizer/piece_trie.h"

#include <QtTest>
#include <string>

using namespace engine;

class TestPieceTrie : public QObject {
    Q_OBJECT
private slots:
    void leftmostComesFirstAndOfThoseTheLongest()
    {
        PieceTrie trie;
        trie.insert("<a>", 1);
        trie.insert("<a><b>", 2);
        trie.insert("xx<a><b><c>", 3);
        const std::string text = "x<a><b><c>";
        const auto match = trie.find(text, 0);
        QVERIFY(match.has_value());
        QCOMPARE(match->id, 2);
        QCOMPARE(match->offset, size_t(1));
        QCOMPARE(match->byteCount, size_t(6));
        QVERIFY(!trie.find(text, 2).has_value());
    }
    void aPieceCutOffByTheEndOfTheTextIsNone()
    {
        PieceTrie trie;
        trie.insert("<|im_end|>", 1);
        QVERIFY(!trie.find("<|im_end|", 0).has_value());
        QVERIFY(!trie.find("", 0).has_value());
    }
    void emptyPiecesAndLaterTwinsAreLeftOut()
    {
        PieceTrie trie;
        trie.insert("", 1);
        QVERIFY(trie.empty());
        trie.insert("a", 2);
        trie.insert("a", 3);
        QVERIFY(!trie.empty());
        QCOMPARE(trie.find("ba", 0)->id, 2);
    }
    void everyByteIsAByte()
    {
        PieceTrie trie;
        trie.insert(std::string("\0\xFF", 2), 1);
        QCOMPARE(trie.find(std::string("a\0\xFF", 3), 0)->offset, size_t(1));
    }
};

QTEST_APPLESS_MAIN(TestPieceTrie)
#include "tst_piece_trie.moc"
