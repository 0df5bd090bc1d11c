#include "app/models/model_finder.h"
#include "tests/support/gguf_writer.h"
#include "tests/support/reference_data.h"

#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

namespace {

void writeFile(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(bytes);
}

QStringList names(const QList<app::ModelCandidate>& candidates)
{
    QStringList found;
    for (const app::ModelCandidate& candidate : candidates)
        found.append(candidate.name);
    return found;
}

}

class TestModelFolder : public QObject {
    Q_OBJECT
private slots:
    void partialDownloadsAreNeverOffered();
    void ollamaModelsHaveTheNamesOfTheirManifests();
    void foldersOfOtherProgramsAreFoundByTheirVariables();
    void aBrokenFileIsListedWithItsReason();
    void theFinderTellsOfEachFileOnce();
    void theRealModelIsDescribed();
    void aMixedFileHasTheNamePeopleKnowItBy();
};

void TestModelFolder::partialDownloadsAreNeverOffered()
{
    QTemporaryDir folder;
    writeFile(folder.filePath("b/whole.gguf"), "x");
    writeFile(folder.filePath("half.gguf.part"), "x");
    writeFile(folder.filePath("half.gguf.incomplete"), "x");
    writeFile(folder.filePath("incomplete-half.gguf.download"), "x");
    writeFile(folder.filePath("notes.txt"), "x");
    QCOMPARE(names(app::modelCandidates({ "Test", folder.path() })), QStringList({ "whole" }));
}

void TestModelFolder::ollamaModelsHaveTheNamesOfTheirManifests()
{
    QTemporaryDir folder;
    writeFile(folder.filePath("blobs/sha256-abc"), "x");
    writeFile(folder.filePath("manifests/registry.ollama.ai/library/tiny/1b"),
        R"({"layers":[{"mediaType":"application/vnd.ollama.image.license","digest":"sha256:zzz"},
            {"mediaType":"application/vnd.ollama.image.model","digest":"sha256:abc"}]})");
    writeFile(folder.filePath("manifests/registry.ollama.ai/library/gone/1b"),
        R"({"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:missing"}]})");
    writeFile(folder.filePath("manifests/registry.ollama.ai/library/outside/1b"),
        R"({"layers":[{"mediaType":"application/vnd.ollama.image.model","digest":"sha256:/../../abc"}]})");
    const auto found
        = app::modelCandidates({ "Ollama", folder.path(), app::FolderLayout::OllamaStore });
    QCOMPARE(names(found), QStringList({ "tiny:1b" }));
    QCOMPARE(found[0].path, folder.filePath("blobs/sha256-abc"));
}

void TestModelFolder::foldersOfOtherProgramsAreFoundByTheirVariables()
{
    QTemporaryDir folder;
    qputenv("LLAMA_CACHE", folder.path().toUtf8());
    const auto folders = app::modelFolders();
    qunsetenv("LLAMA_CACHE");
    QVERIFY(folders.contains(app::ModelFolder { "llama.cpp", folder.path() }));
}

void TestModelFolder::aBrokenFileIsListedWithItsReason()
{
    QTemporaryDir folder;
    writeFile(folder.filePath("broken.gguf"), "this is no model");
    const app::ModelFile file
        = app::readModelFile({ folder.filePath("broken.gguf"), "broken", "Test" });
    QVERIFY(!file.refusal.isEmpty());
    QCOMPARE(file.fileBytes, quint64(16));
}

void TestModelFolder::theFinderTellsOfEachFileOnce()
{
    QTemporaryDir folder;
    writeFile(folder.filePath("a.gguf"), "x");
    QVERIFY(QFile::link(folder.filePath("a.gguf"), folder.filePath("linked.gguf")));
    app::ModelFinder finder;
    QSignalSpy found(&finder, &app::ModelFinder::fileFound);
    QSignalSpy finished(&finder, &app::ModelFinder::finished);
    finder.search({ { "Test", folder.path() }, { "Again", folder.path() } });
    QVERIFY(finished.wait());
    QCOMPARE(found.count(), 1);
    QCOMPARE(finder.files().size(), 1);
    QVERIFY(!finder.isSearching());
}

void TestModelFolder::theRealModelIsDescribed()
{
    const auto path = tests::realModel(tests::kSmolLM2);
    if (!path)
        QSKIP(tests::kNoModel);
    const app::ModelFile file
        = app::readModelFile({ QString::fromStdString(path->string()), "SmolLM2", "Tokenglass" });
    QCOMPARE(file.refusal, QString());
    QCOMPARE(file.architecture, QString("llama"));
    QCOMPARE(file.quantization, QString("Q4_1"));
    QCOMPARE(file.trainedContextLength, 8192);
    QCOMPARE(app::describeModelFile(file), QString("98 MB · llama · Q4_1 · Tokenglass"));
}

void TestModelFolder::aMixedFileHasTheNamePeopleKnowItBy()
{
    const auto path = tests::realModel(tests::kGemma3);
    if (!path)
        QSKIP(tests::kNoModel);
    const app::ModelFile file
        = app::readModelFile({ QString::fromStdString(path->string()), "Gemma", {} });
    // Most of its bytes are an embedding in Q8_0.
    QCOMPARE(app::describeModelFile(file), QString("253 MB · gemma3 · Q4_K_M"));
}

QTEST_GUILESS_MAIN(TestModelFolder)
#include "tst_model_folder.moc"
