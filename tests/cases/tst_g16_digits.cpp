#include "tests/support/token_cases.h"

#include <QtTest>
#include <algorithm>

using namespace engine;
using namespace tests;

/// G-16: how digits are grouped differs from vocabulary to vocabulary.
class TestG16Digits : public QObject {
    Q_OBJECT
private slots:
    void numbersGiveTheReferenceIds()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto cases = tokenCases([](const std::string& text) {
            return std::any_of(
                text.begin(), text.end(), [](char byte) { return byte >= '0' && byte <= '9'; });
        });
        QVERIFY(cases.size() >= 5 * 8);
        const std::string faults = tokenCaseFaults(cases);
        QVERIFY2(faults.empty(), faults.c_str());
    }
    void smollm2SplitsEveryDigitAndLlama3TakesThree()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto smollm2 = loadTokenizer(*vocabularyFile("smollm2"));
        QCOMPARE(smollm2->encodeText("12345"), (TokenIds { 33, 34, 35, 36, 37 }));
        const auto llama3 = loadTokenizer(*vocabularyFile("llama-bpe"));
        const TokenIds ids = llama3->encodeText("12345");
        QCOMPARE(ids.size(), size_t(2));
        QCOMPARE(llama3->pieceBytes(ids[0]), std::string("123"));
        QCOMPARE(llama3->pieceBytes(ids[1]), std::string("45"));
    }
};

QTEST_APPLESS_MAIN(TestG16Digits)
#include "tst_g16_digits.moc"
