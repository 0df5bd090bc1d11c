#include "tests/support/token_cases.h"

#include <QtTest>
#include <algorithm>

using namespace engine;
using namespace tests;

/// G-01: a template that writes BOS and a tokenizer that adds it make one BOS, not two.
class TestG01DoubleBos : public QObject {
    Q_OBJECT
private slots:
    void aTemplateThatWritesBosGetsNoSecond()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto gemma = loadTokenizer(*vocabularyFile("gemma3"));
        const auto templates = readJson(*referenceFolder() / "templates/gemma-3-it.json");
        for (const auto& one : templates.at("cases")) {
            if (one.at("id") != "single")
                continue;
            const std::vector<TextSpan> spans { { one.at("expected"), TextOrigin::Template } };
            const TokenIds ids = promptIds(*gemma, spans);
            QCOMPARE(ids.at(0), 2);
            QCOMPARE(std::count(ids.begin(), ids.end(), 2), 1);
            return;
        }
        QFAIL("gemma-3-it.json has no case \"single\"");
    }
    void rawTextGetsTheFilesBos()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const std::vector<TextSpan> hello { { "Hello", TextOrigin::Person } };
        QCOMPARE(
            promptIds(*loadTokenizer(*vocabularyFile("gemma3")), hello), (TokenIds { 2, 9259 }));
        QCOMPARE(promptIds(*loadTokenizer(*vocabularyFile("smollm2")), hello), TokenIds { 19556 });
    }
};

QTEST_APPLESS_MAIN(TestG01DoubleBos)
#include "tst_g01_double_bos.moc"
