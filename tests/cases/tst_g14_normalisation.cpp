#include "tests/support/token_cases.h"

#include <QtTest>

using namespace engine;
using namespace tests;

/// G-14: letters that Unicode can write in two ways. (The unigram vocabulary of the case, which
/// does normalise, is of a tokenizer model that is refused.)
class TestG14Normalisation : public QObject {
    Q_OBJECT
private slots:
    void composedAndDecomposedLettersGiveTheReferenceIds()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto cases = tokenCases([](const std::string& text) {
            for (const char* letter : { "\u00E9", "e\u0301", "\uFB01", "\u00BD", "\uFF21\uFF11" })
                if (text == letter)
                    return true;
            return false;
        });
        QCOMPARE(cases.size(), size_t(5 * 8 - 1));
        const std::string faults = tokenCaseFaults(cases);
        QVERIFY2(faults.empty(), faults.c_str());
    }
    void smollm2AndGemmaDoNotNormalise()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto smollm2 = loadTokenizer(*vocabularyFile("smollm2"));
        QCOMPARE(smollm2->encodeText("\u00E9"), TokenIds { 2756 });
        QCOMPARE(smollm2->encodeText("e\u0301"), (TokenIds { 85, 151, 219 }));
        QCOMPARE(smollm2->encodeText("\uFB01"), TokenIds { 27141 });
        const auto gemma = loadTokenizer(*vocabularyFile("gemma3"));
        QCOMPARE(gemma->encodeText("\u00E9"), TokenIds { 236859 });
        QCOMPARE(gemma->encodeText("e\u0301"), (TokenIds { 236744, 238288 }));
        QCOMPARE(gemma->encodeText("\uFB01"), TokenIds { 240811 });
    }
    void qwen2ComposesAsItsTokenizerFilePrescribes()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto qwen2 = loadTokenizer(*vocabularyFile("qwen2"));
        QCOMPARE(qwen2->encodeText("cafe\u0301 Zu\u0308rich"),
            (TokenIds { 924, 58858, 1863, 5186, 713 }));
        QCOMPARE(qwen2->encodeText("e\u0301"), qwen2->encodeText("\u00E9"));
    }
};

QTEST_APPLESS_MAIN(TestG14Normalisation)
#include "tst_g14_normalisation.moc"
