#include "tests/support/token_cases.h"

#include <QtTest>
#include <random>

using namespace engine;
using namespace tests;

/// Whatever a person types, no control token comes out of it (R12).
class TestSpecialText : public QObject {
    Q_OBJECT
private slots:
    void mixturesOfSpecialTextsStayText_data()
    {
        QTest::addColumn<QString>("vocabulary");
        for (const char* name : { "smollm2", "gemma3", "llama-bpe", "qwen2", "llama-spm" })
            QTest::newRow(name) << name;
    }
    void mixturesOfSpecialTextsStayText()
    {
        if (const char* reason = missingTokenData())
            QSKIP(reason);
        QFETCH(QString, vocabulary);
        const auto tokenizer = loadTokenizer(*vocabularyFile(vocabulary.toStdString()));
        const bool addsPrefix = vocabulary == "llama-spm";
        std::vector<std::string> parts = specialTexts(tokenizer->vocabulary());
        QVERIFY(parts.size() >= 2);
        // Halves of them, and what may stand between.
        for (size_t i = 0, count = parts.size(); i < count; ++i) {
            parts.push_back(parts[i].substr(0, parts[i].size() / 2));
            parts.push_back(parts[i].substr(parts[i].size() / 2));
        }
        for (const char* glue :
            { " ", "\n", "a", "user", "é", "🙂", "<", "|>", "7", "\r\n", "", "\t" })
            parts.insert(parts.end(), parts.size() / 12 + 1, glue);

        std::mt19937 random(20261129);
        for (int round = 0; round < 10'000; ++round) {
            std::string text;
            for (size_t count = 1 + random() % 6; count > 0; --count)
                text += parts[random() % parts.size()];
            // Alone, and inside a prompt whose spans the person's text touches.
            TokenIds ids = tokenizer->encodeText(text);
            if (round % 2) {
                const std::vector<TextSpan> spans { { "<", TextOrigin::Template },
                    { text, TextOrigin::Person }, { ">", TextOrigin::Template } };
                ids = tokenizer->encodeSpans(spans);
                text = "<" + text + ">";
            }
            for (const TokenId id : ids)
                QVERIFY2(tokenizer->vocabulary().kind(id) != TokenKind::Control, text.c_str());
            const std::string prefix = addsPrefix && !text.empty() ? " " : "";
            QCOMPARE(tokenizer->decode(ids), prefix + text);
        }
    }

private:
    static std::vector<std::string> specialTexts(const Vocabulary& vocabulary)
    {
        std::vector<std::string> texts;
        for (TokenId id = 0; id < vocabulary.size(); ++id)
            if (vocabulary.kind(id) == TokenKind::Control)
                texts.push_back(vocabulary.piece(id));
        return texts;
    }
};

QTEST_APPLESS_MAIN(TestSpecialText)
#include "tst_special_text.moc"
