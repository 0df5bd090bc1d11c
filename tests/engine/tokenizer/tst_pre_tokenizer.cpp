#include "engine/tokenizer/pre_tokenizer.h"

#include <QtTest>

using namespace engine;

namespace {
QStringList wordsOf(const char* name, const std::string& text)
{
    const auto preTokenizer = PreTokenizer::create(*findPreTokenizer(name));
    if (!preTokenizer)
        return { QString::fromStdString(preTokenizer.error().message) };
    QStringList words;
    for (const std::string_view word : preTokenizer->words(text))
        words << QString::fromUtf8(word.data(), qsizetype(word.size()));
    return words;
}
}

class TestPreTokenizer : public QObject {
    Q_OBJECT
private slots:
    void namesOutsideTheTableAreNotFound()
    {
        QVERIFY(findPreTokenizer("gpt-2"));
        QVERIFY(!findPreTokenizer("gpt-3"));
        QVERIFY(!findPreTokenizer(""));
    }
    void theLastBlankBelongsToTheWordAfterIt()
    {
        const QStringList words { "a", " ", " b", "  " };
        for (const PreTokenizerInfo& info : preTokenizerTable())
            QCOMPARE(wordsOf(info.name, "a  b  "), words);
    }
    void digitsStandAloneInThreesOrTogether()
    {
        QCOMPARE(wordsOf("gpt-2", "12345"), (QStringList { "12345" }));
        QCOMPARE(wordsOf("llama-bpe", "12345"), (QStringList { "123", "45" }));
        for (const char* name : { "qwen2", "smollm", "starcoder", "refact" })
            QCOMPARE(wordsOf(name, "12345"), (QStringList { "1", "2", "3", "4", "5" }));
    }
    void digitsAreCutBeforeBlanksAreLookedAt()
    {
        // Nothing follows the two blanks within their part, so both stay together.
        QCOMPARE(wordsOf("smollm", "a  1"), (QStringList { "a", "  ", "1" }));
        QCOMPARE(wordsOf("gpt-2", "a  1"), (QStringList { "a", " ", " 1" }));
    }
    void contractionsIgnoreCaseWhereTheVocabularyDoes()
    {
        QCOMPARE(wordsOf("gpt-2", "DON'T"), (QStringList { "DON", "'", "T" }));
        QCOMPARE(wordsOf("gpt-2", "don't"), (QStringList { "don", "'t" }));
        QCOMPARE(wordsOf("llama-bpe", "DON'T"), (QStringList { "DON", "'T" }));
        QCOMPARE(wordsOf("qwen2", "DON'T"), (QStringList { "DON", "'T" }));
    }
    void mongolianVowelSeparatorIsNoWhiteSpace()
    {
        QCOMPARE(wordsOf("gpt-2", "!\u180E!"), (QStringList { "!\u180E!" }));
        QCOMPARE(wordsOf("gpt-2", "!\u2003!"), (QStringList { "!", "\u2003", "!" }));
        QCOMPARE(wordsOf("gpt-2", "!\u0085!"), (QStringList { "!", "\u0085", "!" }));
    }
    void wordsJoinedAreTheText_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("mixed") << QByteArray(
            "  It's 3,141 caf\xC3\xA9s\r\n\n\t\xE2\x80\x83x \xF0\x9F\x99\x82! ");
        QTest::newRow("invalid bytes") << QByteArray("a\xFF"
                                                     "b\xE2\x82 c\xF0\x9F");
        QTest::newRow("NUL") << QByteArray("a\0b", 3);
        QTest::newRow("empty") << QByteArray();
    }
    void wordsJoinedAreTheText()
    {
        QFETCH(QByteArray, text);
        const std::string bytes = text.toStdString();
        for (const PreTokenizerInfo& info : preTokenizerTable()) {
            const auto preTokenizer = PreTokenizer::create(info);
            QVERIFY(preTokenizer.has_value());
            QByteArray joined;
            for (const std::string_view word : preTokenizer->words(bytes)) {
                QVERIFY(!word.empty());
                joined.append(word.data(), qsizetype(word.size()));
            }
            QCOMPARE(joined, text);
        }
    }
};

QTEST_APPLESS_MAIN(TestPreTokenizer)
#include "tst_pre_tokenizer.moc"
