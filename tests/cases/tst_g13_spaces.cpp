#include "tests/support/token_cases.h"

#include <QtTest>

using namespace engine;
using namespace tests;

/// G-13: blanks at the edges, in runs and alone.
class TestG13Spaces : public QObject {
    Q_OBJECT
private slots:
    void blanksGiveTheReferenceIds()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto cases = tokenCases(
            [](const std::string& text) { return text.find(' ') != std::string::npos; });
        QVERIFY(cases.size() >= 6 * 8);
        const std::string faults = tokenCaseFaults(cases);
        QVERIFY2(faults.empty(), faults.c_str());
    }
    void namedExamplesComeOutAsTheCaseSays()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto smollm2 = loadTokenizer(*vocabularyFile("smollm2"));
        QCOMPARE(smollm2->encodeText(" Hello"), TokenIds { 38699 });
        QCOMPARE(smollm2->encodeText("Hello "), (TokenIds { 19556, 216 }));
        QCOMPARE(smollm2->encodeText("Hello  world\n"), (TokenIds { 19556, 216, 905, 198 }));
        const auto gemma = loadTokenizer(*vocabularyFile("gemma3"));
        QCOMPARE(gemma->encodeText(" Hello"), TokenIds { 26352 });
        QCOMPARE(gemma->encodeText("Hello  world\n"), (TokenIds { 9259, 138, 12392, 107 }));
        QCOMPARE(gemma->encodeText(std::string(33, ' ')), (TokenIds { 167, 138 }));
    }
    void bytesComeBack()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        const auto file = readJson(*referenceFolder() / "tokenizer/cases.json");
        for (const char* name : { "smollm2", "gemma3", "llama-bpe", "llama-spm" }) {
            const auto tokenizer = loadTokenizer(*vocabularyFile(name));
            for (const auto& row : file.at("rows")) {
                std::string text = row.at("text");
                if (tokenizer->name() == "spm" && text.find("\u2581") != std::string::npos)
                    continue; // SentencePiece writes spaces so: it comes back as a space
                const std::string decoded = tokenizer->decode(tokenizer->encodeText(text));
                if (std::string(name) == "llama-spm")
                    text = " " + text; // this vocabulary puts a space in front
                QCOMPARE(decoded, text);
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestG13Spaces)
#include "tst_g13_spaces.moc"
