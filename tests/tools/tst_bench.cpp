#include "tests/support/reference_data.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

// tools/bench with a program that answers with known figures: what is computed and where it goes.
class TestBench : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void syntheticTableNeedsOnlyTheProgram();
    void aModelThatCannotBeMeasuredIsNamed();
    void realFiguresReplaceThePartBetweenTheMarkers();
    void withoutThePeerTheRatiosAreMissing();
    void aBundleHoldsTheProgramItsLibrariesAndTheCommand();
    void unknownArgumentsAreRefused();

private:
    struct Outcome {
        int exitCode = -1;
        QString out;
        QString said;
    };
    Outcome bench(const QStringList& arguments) const;
    QString path(const QString& name) const { return m_folder.filePath(name); }
    void write(const QString& name, const QByteArray& bytes, bool isProgram = false) const;
    QString read(const QString& name) const;

    QTemporaryDir m_folder;
};

namespace {
// 10 ms a token for 100 MB: 10 GB/s, and the device reads 20 at best; 5 ms of gap over 10 layers.
constexpr const char* kProgram = R"(#!/bin/bash
case "$*" in
--version) echo "tokenglass 1.2.3" ;;
*--help*) echo "  --probe" ;;
*--probe*) echo '{"device":"card","driver":"d 1","probe":{"texel_gb_per_s":20.0,"storage_gb_per_s":12.5,"dispatch_us":3.0,"submit_and_wait_us":40.0,"gmac_per_s":900.0}}' ;;
*8b-q4_k*) echo "tokenglass bench: not enough memory" >&2; exit 1 ;;
*--sequences\ 4*) echo '{"sequences":4,"decode_tokens_per_s":240.5,"alone_decode_tokens_per_s":99.0,"device":"card"}' ;;
*--sequences\ 8*) echo '{"sequences":8,"decode_tokens_per_s":400.5,"alone_decode_tokens_per_s":98.0,"device":"card"}' ;;
*) echo '{"prefill_tokens_per_s":500.0,"decode_tokens_per_s":100.0,"device":"card","driver":"d 1","load_ms":2500.0,"tensor_bytes":100000000,"peak_load_bytes":106000000,"layers":10,"decode_bytes_per_token":100000000,"decode_cpu_ms_per_token":0.25,"context":{"tokens":4096,"decode_ms_at_0":10.0,"decode_ms":12.5,"first_token_ms_cold":9000.0,"first_token_ms_reused":200.0,"reused_tokens":4000},"inspection":{"on_ms":10.1,"off_ms":10.0,"difference":0.01},"prompt_text":" the","token_ids":[1]}' ;;
esac
)";
constexpr const char* kPeer = R"(#!/bin/bash
# "xllamacpp==9.8.7"
echo "device: card"
echo "prefill_tokens_per_s: tokenglass 250.4  llama.cpp CPU 400.0  ratio 0.63"
echo "decode_tokens_per_s: tokenglass 60.2  llama.cpp CPU 80.0  ratio 0.75"
)";
}

void TestBench::initTestCase()
{
    write("tokenglass", kProgram, true);
    write("peer", kPeer, true);
    // Whoever calls these is found out.
    QDir().mkpath(path("bin"));
    for (const char* name : { "bin/cmake", "bin/python3", "bin/ninja" })
        write(name, "#!/bin/bash\necho called >\"$FORBIDDEN\"\nexit 1\n", true);
    QDir().mkpath(path("data/models"));
    write(QString("data/models/") + tests::kSmolLM2, "not read");
}

void TestBench::write(const QString& name, const QByteArray& bytes, bool isProgram) const
{
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
    QCOMPARE(file.write(bytes), bytes.size());
    if (isProgram)
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
}

QString TestBench::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

TestBench::Outcome TestBench::bench(const QStringList& arguments) const
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("PATH", path("bin") + ":" + environment.value("PATH"));
    environment.insert("FORBIDDEN", path("forbidden"));
    environment.insert("TOKENGLASS_DATA", path("data"));
    environment.insert("PEER_BENCH", path("peer"));
    process.setProcessEnvironment(environment);
    process.start(TOKENGLASS_SOURCE_DIR "/tools/bench", arguments);
    process.waitForFinished(60'000);
    return { process.exitCode(), QString::fromUtf8(process.readAllStandardOutput()),
        QString::fromUtf8(process.readAllStandardError()) };
}

void TestBench::syntheticTableNeedsOnlyTheProgram()
{
    const Outcome outcome = bench(
        { "--synthetic", "smollm2", "--program", path("tokenglass"), "--out", path("table.md") });
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.said));
    QVERIFY(!QFile::exists(path("forbidden")));
    QCOMPARE(read("table.md"), outcome.out);
    QVERIFY2(outcome.out.contains("| smollm2, 10 layers, 100 MB | 500 | 100.0 | 10.0 | 50% | 500.0 "
                                  "| 0.25 | +2.5 | 9000 | 200 (4000) | 240 | 400 | 2.5 | 1.060 |"),
        qPrintable(outcome.out));
    QVERIFY(outcome.out.contains("- Device: card, driver d 1"));
    QVERIFY(outcome.out.contains("tokenglass 1.2.3"));
    QVERIFY(outcome.out.contains("| 20.0 | 12.5 | 3.0 | 40 | 900 |"));
}

void TestBench::aModelThatCannotBeMeasuredIsNamed()
{
    const Outcome outcome = bench({ "--synthetic", "--program", path("tokenglass") });
    QCOMPARE(outcome.exitCode, 0);
    QVERIFY(outcome.out.contains("| gemma, "));
    QVERIFY(outcome.out.contains("- 8b-q4_k: tokenglass bench: not enough memory"));
    QVERIFY(!outcome.out.contains("| 8b-q4_k, "));
}

void TestBench::realFiguresReplaceThePartBetweenTheMarkers()
{
    const QByteArray before = "# Benchmarks\n\nprose\n\n<!-- measured by tools/bench: begin -->\n";
    const QByteArray after = "<!-- measured by tools/bench: end -->\n\nmore prose\n";
    write("figures.md", before + "old figures\n" + after);
    const Outcome outcome = bench({ "--no-build", "--program", path("tokenglass"), "--out",
        path("figures.md"), "--rounds", "1" });
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.said));
    const QString figures = read("figures.md");
    QVERIFY(figures.startsWith(QString::fromUtf8(before)));
    QVERIFY(figures.endsWith(QString::fromUtf8(after)));
    QVERIFY(!figures.contains("old figures"));
    for (const char* row : { "| SmolLM2-135M Q4_1 | 250 | 0.63 | 60.2 | 0.75 | 4.2 |",
             "| SmolLM2-135M Q4_1 | 10.0 | 12.5 | +2.5 | 9.0 | 0.20 (4000) | +1.0% | 0 |",
             "| SmolLM2-135M Q4_1 | 98.0 | 240.5 | 400.5 | 80.0 | 3.01 |",
             "| 2.50 | 100.0 | 1.060 |", "(xllamacpp 9.8.7)" })
        QVERIFY2(figures.contains(row), qPrintable(figures));
    // Again: nothing grows.
    QCOMPARE(bench({ "--no-build", "--program", path("tokenglass"), "--out", path("figures.md"),
                       "--rounds", "1" })
                 .exitCode,
        0);
    QCOMPARE(read("figures.md").count('\n'), figures.count('\n'));
}

void TestBench::withoutThePeerTheRatiosAreMissing()
{
    QVERIFY(QFile::rename(path("peer"), path("no peer")));
    const Outcome outcome = bench({ "--no-build", "--program", path("tokenglass"), "--out",
        path("alone.md"), "--rounds", "2" });
    QVERIFY(QFile::rename(path("no peer"), path("peer")));
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.said));
    const QString figures = read("alone.md");
    QVERIFY2(
        figures.contains("| SmolLM2-135M Q4_1 | 500 | - | 100.0 | - | 5.0 |"), qPrintable(figures));
    QVERIFY2(figures.contains("| 400.5 | - | - |"), qPrintable(figures));
    QVERIFY(!figures.contains("llama.cpp's native"));
}

void TestBench::aBundleHoldsTheProgramItsLibrariesAndTheCommand()
{
    // Any program with libraries will do: this one has Qt's.
    const Outcome outcome = bench({ "--bundle", path("bundle.tar"), "--program",
        QCoreApplication::applicationFilePath() });
    QVERIFY2(outcome.exitCode == 0, qPrintable(outcome.said));
    QProcess tar;
    tar.start("tar", { "-C", m_folder.path(), "-xf", path("bundle.tar") });
    QVERIFY(tar.waitForFinished(60'000));
    QCOMPARE(tar.exitCode(), 0);
    const QDir bin(path("tokenglass-bench/build/bundle/bin"));
    QVERIFY(QFileInfo(bin.filePath("tokenglass")).isExecutable());
    QVERIFY(QFileInfo::exists(path("tokenglass-bench/tools/bench")));
    const QStringList libraries = QDir(bin.filePath("lib")).entryList(QDir::Files);
    QVERIFY2(!libraries.filter("libQt6Core").isEmpty(), qPrintable(libraries.join(' ')));
    QVERIFY(libraries.filter(QRegularExpression("^libc\\.so")).isEmpty());
}

void TestBench::unknownArgumentsAreRefused()
{
    QCOMPARE(bench({ "--sinthetic" }).exitCode, 2);
    QCOMPARE(bench({ "--synthetic", "--program", path("nothing") }).exitCode, 1);
}

QTEST_GUILESS_MAIN(TestBench)
#include "tst_bench.moc"
