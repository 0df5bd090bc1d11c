#include "tests/support/reference_data.h"
#include "tests/support/run_program.h"

#include <QStringDecoder>
#include <QTest>

// cases.md, chapter C: text on its way into and out of tokens, seen on the command line.
class TestStreamedText : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g13_spacesAtTheEdgesAreKept();
    void g16_digitsAreSplitOneByOne();
    void tokenizeReadsControlTextOnlyWhenAsked();
    void g18_emojiIsStreamedWhole();
    void textModeWritesTheAnswerAndNothingElse();

private:
    nlohmann::json tokenize(
        const QString& model, const nlohmann::json& texts, const QStringList& more = {}) const;

    QString m_smollm2;
    QString m_gemma3;
};

void TestStreamedText::initTestCase()
{
    const auto smollm2 = tests::realModel(tests::kSmolLM2);
    const auto gemma3 = tests::realModel(tests::kGemma3);
    if (!smollm2 || !gemma3)
        QSKIP(tests::kNoModel);
    m_smollm2 = QString::fromStdString(smollm2->string());
    m_gemma3 = QString::fromStdString(gemma3->string());
}

nlohmann::json TestStreamedText::tokenize(
    const QString& model, const nlohmann::json& texts, const QStringList& more) const
{
    const tests::ProgramRun run
        = tests::runProgram(QStringList { "tokenize", "--model", model } + more,
            QByteArray::fromStdString(texts.dump()));
    return nlohmann::json::parse(run.output.toStdString(), nullptr, false);
}

void TestStreamedText::g13_spacesAtTheEdgesAreKept()
{
    const nlohmann::json smollm2 = tokenize(m_smollm2, { " Hello", "Hello ", "Hello  world\n" });
    QCOMPARE(smollm2.dump(), std::string("[[38699],[19556,216],[19556,216,905,198]]"));
    const nlohmann::json gemma3
        = tokenize(m_gemma3, { " Hello", "Hello  world\n", std::string(33, ' ') });
    QCOMPARE(gemma3.dump(), std::string("[[26352],[9259,138,12392,107],[167,138]]"));
}

void TestStreamedText::g16_digitsAreSplitOneByOne()
{
    QCOMPARE(tokenize(m_smollm2, { "12345" }).dump(), std::string("[[33,34,35,36,37]]"));
}

void TestStreamedText::tokenizeReadsControlTextOnlyWhenAsked()
{
    QCOMPARE(
        tokenize(m_smollm2, { "<|im_end|>" }).dump(), std::string("[[44,108,306,79,486,108,46]]"));
    QCOMPARE(tokenize(m_smollm2, { "<|im_end|>" }, { "--special" }).dump(), std::string("[[2]]"));
}

void TestStreamedText::g18_emojiIsStreamedWhole()
{
    const tests::GenerationRun run = tests::generate({ "--model", m_smollm2, "--prompt",
        "Reply with one emoji: 😀", "--temperature", "0", "--max-tokens", "63" });
    QVERIFY2(run.contractFaults().empty(), run.contractFaults().c_str());
    // Which emoji is a matter of 0.01 in log-probability; each is two or three tokens of a few
    // bytes.
    int wholeCount = 0;
    for (const std::string& delta : run.deltas) {
        QStringDecoder decoder(QStringDecoder::Utf8, QStringConverter::Flag::Stateless);
        const QString text = decoder(QByteArray::fromStdString(delta));
        QVERIFY2(!decoder.hasError() && !text.contains(QChar::ReplacementCharacter),
            run.summary().c_str());
        wholeCount += text.isEmpty() ? 0 : 1;
    }
    QVERIFY2(wholeCount >= 15, run.summary().c_str());
    QVERIFY2(wholeCount <= int(run.tokens.size()) / 2, run.summary().c_str());
}

void TestStreamedText::textModeWritesTheAnswerAndNothingElse()
{
    const tests::ProgramRun run = tests::runProgram({ "run", "--model", m_smollm2, "--prompt", "Hi",
        "--temperature", "0", "--max-tokens", "9" });
    QCOMPARE(run.exitCode, 3);
    QCOMPARE(run.output.trimmed(), QByteArray("Hello! How can I assist you today?"));
    QVERIFY2(run.errors.contains("9"), run.errors); // the verdict line names the cap
}

QTEST_GUILESS_MAIN(TestStreamedText)
#include "tst_streamed_text.moc"
