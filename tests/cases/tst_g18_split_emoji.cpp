#include "engine/tokenizer/stream_decoder.h"
#include "tests/support/token_cases.h"

#include <QtTest>

using namespace engine;
using namespace tests;

/// G-18 and G-19, the part of the stream decoder: an emoji that comes in several tokens.
class TestG18SplitEmoji : public QObject {
    Q_OBJECT
private slots:
    void anEmojiAppearsWhenItsLastTokenCame()
    {
        const auto path = vocabularyFile("smollm2");
        if (!path)
            QSKIP(kNoModel);
        const auto tokenizer = loadTokenizer(*path);
        StreamDecoder decoder;
        for (int round = 0; round < 22; ++round) {
            QCOMPARE(decoder.push(tokenizer->pieceBytes(10813)), std::string());
            QCOMPARE(decoder.push(tokenizer->pieceBytes(230)), std::string());
            QCOMPARE(decoder.push(tokenizer->pieceBytes(249)), std::string("\U0001F31F"));
        }
    }
    void aCapInsideACharacterLeavesItsBytesWaiting()
    {
        const auto path = vocabularyFile("smollm2");
        if (!path)
            QSKIP(kNoModel);
        const auto tokenizer = loadTokenizer(*path);
        StreamDecoder decoder;
        QCOMPARE(decoder.push(tokenizer->pieceBytes(10813)), std::string());
        QCOMPARE(decoder.waitingBytes(), size_t(2));
        // Going on with the other two ids completes it.
        QCOMPARE(decoder.push(tokenizer->decode(TokenIds { 230, 249 })), std::string("\U0001F31F"));
    }
};

QTEST_APPLESS_MAIN(TestG18SplitEmoji)
#include "tst_g18_split_emoji.moc"
