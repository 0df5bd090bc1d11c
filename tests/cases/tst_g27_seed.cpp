#include "tests/cases/smollm2_run.h"

#include <QTemporaryDir>
#include <QTest>

// cases.md G-27 Seed: the same one draws the same tokens, a random one is recorded.
class TestG27Seed : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void g27_sameSeedGivesTheSameTokens();
    void g27_randomSeedIsRecordedAndRepeats();

private:
    tests::GenerationRun drawn(const QStringList& more) const;

    QString m_model;
};

void TestG27Seed::initTestCase()
{
    m_model = tests::smollm2Path();
    if (m_model.isEmpty())
        QSKIP(tests::kNoModel);
}

tests::GenerationRun TestG27Seed::drawn(const QStringList& more) const
{
    return tests::generate(QStringList { "--model", m_model, "--prompt", "Tell me about the sea.",
                               "--temperature", "0.8", "--max-tokens", "40" }
        + more);
}

void TestG27Seed::g27_sameSeedGivesTheSameTokens()
{
    const tests::GenerationRun first = drawn({ "--seed", "42" });
    const tests::GenerationRun second = drawn({ "--seed", "42" });
    const tests::GenerationRun other = drawn({ "--seed", "43" });
    VERIFY_CONTRACT(first);
    VERIFY_CONTRACT(second);
    VERIFY_CONTRACT(other);
    QVERIFY(!first.tokens.empty());
    QCOMPARE(second.tokenIds(), first.tokenIds());
    QVERIFY(other.tokenIds() != first.tokenIds());
}

void TestG27Seed::g27_randomSeedIsRecordedAndRepeats()
{
    QTemporaryDir folder;
    const QString record = folder.path() + "/run.json";
    const tests::GenerationRun first = drawn({ "--record", record });
    VERIFY_CONTRACT(first);
    const nlohmann::json settings = tests::readJson(record.toStdString());
    const std::string text = settings.dump();
    const std::size_t at = text.find("\"seed\":");
    QVERIFY2(at != std::string::npos, text.c_str());
    const std::string seed
        = text.substr(at + 7, text.find_first_not_of("0123456789", at + 7) - at - 7);
    QVERIFY2(!seed.empty(), text.c_str());
    const tests::GenerationRun again = drawn({ "--seed", QString::fromStdString(seed) });
    QCOMPARE(again.tokenIds(), first.tokenIds());
}

QTEST_GUILESS_MAIN(TestG27Seed)
#include "tst_g27_seed.moc"
