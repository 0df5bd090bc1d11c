#include "tests/support/token_cases.h"

#include <QtTest>

using namespace engine;
using namespace tests;

/// G-15: CR LF, tabs, no-break space, byte order mark and zero-width space reach the model as they
/// are.
class TestG15LineEnds : public QObject {
    Q_OBJECT
private slots:
    void invisibleCharactersGiveTheReferenceIds()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto cases = tokenCases([](const std::string& text) {
            for (const char* character : { "\r", "\t", "\u00A0", "\uFEFF", "\u200B", "\u200D" })
                if (text.find(character) != std::string::npos)
                    return true;
            return false;
        });
        QVERIFY(cases.size() >= 6 * 8);
        const std::string faults = tokenCaseFaults(cases);
        QVERIFY2(faults.empty(), faults.c_str());
    }
    void namedExamplesComeOutAsTheCaseSays()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto smollm2 = loadTokenizer(*vocabularyFile("smollm2"));
        QCOMPARE(smollm2->encodeText("a\r\nb"), (TokenIds { 81, 201, 198, 82 }));
        QCOMPARE(smollm2->encodeText("\uFEFF"
                                     "BOM"),
            (TokenIds { 186, 136, 140, 50, 9232 }));
        const auto gemma = loadTokenizer(*vocabularyFile("gemma3"));
        QCOMPARE(gemma->encodeText("a\r\nb"), (TokenIds { 236746, 251, 107, 236763 }));
        for (const std::string text : { "\uFEFF", "\u200B", "a\r\nb\u00A0\t" }) {
            QCOMPARE(smollm2->decode(smollm2->encodeText(text)), text);
            QCOMPARE(gemma->decode(gemma->encodeText(text)), text);
        }
    }
};

QTEST_APPLESS_MAIN(TestG15LineEnds)
#include "tst_g15_line_ends.moc"
