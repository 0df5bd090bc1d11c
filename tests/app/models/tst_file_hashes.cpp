#include "app/compare/run_verification.h"
#include "app/conversation/workspace.h"
#include "app/models/file_hashes.h"
#include "app/runs/run_record.h"
#include "app/storage/storage.h"
#include "tests/support/fake_engine.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using app::FileHashes;

namespace {
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

void write(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), qint64(bytes.size()));
}
}

/// SHA-256 of model files, and where it ends up.
class TestFileHashes : public QObject {
    Q_OBJECT
private slots:
    void aFileIsReadOnceAndRemembered()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("model.gguf");
        const QString cache = folder.filePath("cache/hashes.json");
        write(path, "abc");
        {
            FileHashes hashes(cache);
            QVERIFY(!hashes.known(path));
            QSignalSpy computed(&hashes, &FileHashes::computed);
            hashes.compute(path);
            hashes.compute(path); // it is under way
            QVERIFY(computed.wait(5000));
            QTest::qWait(20);
            QCOMPARE(computed.size(), 1);
            QCOMPARE(computed[0][1].toString(), QString(kAbc));
            QCOMPARE(hashes.known(path), std::optional<std::string>(kAbc));
        }
        FileHashes again(cache);
        QCOMPARE(again.known(path), std::optional<std::string>(kAbc));
        QSignalSpy computed(&again, &FileHashes::computed);
        again.compute(path);
        QTest::qWait(50);
        QCOMPARE(computed.size(), 0);
    }

    void aFileThatWasChangedIsAnotherOne()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("model.gguf");
        write(path, "abc");
        FileHashes hashes(folder.filePath("hashes.json"));
        QSignalSpy computed(&hashes, &FileHashes::computed);
        hashes.compute(path);
        QVERIFY(computed.wait(5000));
        write(path, "abcd");
        QVERIFY(!hashes.known(path));
        hashes.compute(path);
        QVERIFY(computed.wait(5000));
        QVERIFY(hashes.known(path) != std::optional<std::string>(kAbc));
        QFile::remove(path);
        QVERIFY(!hashes.known(path));
    }

    void whatCannotBeReadIsNotKnown()
    {
        const QTemporaryDir folder;
        write(folder.filePath("hashes.json"), "{\"a\": 1, \"b\": {\"sha256\": \"12\"}, ");
        FileHashes hashes(folder.filePath("hashes.json"));
        QSignalSpy computed(&hashes, &FileHashes::computed);
        hashes.compute(folder.filePath("absent.gguf"));
        hashes.compute(folder.path());
        QTest::qWait(50);
        QCOMPARE(computed.size(), 0);
    }

    void itDoesNotHoldUpTheProgramsEnd()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("large.gguf");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.resize(qint64(8) << 30)); // a hole
        file.close();
        QElapsedTimer timer;
        timer.start();
        {
            FileHashes hashes(folder.filePath("hashes.json"));
            hashes.compute(path);
            QTest::qWait(20);
        }
        QVERIFY2(timer.elapsed() < 2000, qPrintable(QString::number(timer.elapsed())));
    }

    void aRunOfTheWindowRecordsIt()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("tiny.gguf");
        write(path, "abc");
        tests::FakeEngine engine;
        FileHashes hashes(folder.filePath("hashes.json"));
        app::Storage storage(folder.filePath("tokenglass.sqlite"));
        app::Workspace workspace(engine.factory());
        workspace.keepIn(storage);
        workspace.takeHashesFrom(hashes);
        workspace.loadModel({ .path = path.toStdString() });
        QSignalSpy computed(&hashes, &FileHashes::computed);
        engine.finishLoad();
        QTRY_VERIFY(workspace.model());
        app::Conversation& chat = workspace.addConversation(app::ConversationKind::Chat);
        QVERIFY(workspace.send(chat, "Hi")); // opened before the file was read
        QVERIFY(!computed.isEmpty() || computed.wait(5000));
        QTRY_COMPARE(engine.requests.size(), size_t(1));
        engine.token("Hello");
        engine.end(engine::StopReason::EndToken);
        QTRY_VERIFY(!chat.activeDraft());
        const auto hashOf = [&](engine::RunId run) {
            std::optional<std::string> found;
            storage.readRecord(app::StoredRunId(run), [&](const engine::Result<nlohmann::ordered_json>& read) {
                found = read ? (*read)["checkpoint"]["sha256"].dump() : "not read";
            });
            return QTest::qWaitFor([&] { return found.has_value(); }, 5000) ? *found : "no answer";
        };
        QVERIFY(storage.flush(5000));
        QCOMPARE(hashOf(engine.requests[0].runId), '"' + std::string(kAbc) + '"');
        QVERIFY(workspace.send(chat, "And?")); // and known from the start
        QTRY_COMPARE(engine.requests.size(), size_t(2));
        QVERIFY(storage.flush(5000));
        QCOMPARE(hashOf(engine.requests[1].runId), '"' + std::string(kAbc) + '"');
        QCOMPARE(workspace.checkpointHash(), std::optional<std::string>(kAbc));
    }

    void theHashSaysWhichFileIsTheSame()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath("renamed.gguf");
        write(path, "abc");
        tests::FakeEngine engine;
        FileHashes hashes(folder.filePath("hashes.json"));
        app::Workspace workspace(engine.factory());
        workspace.takeHashesFrom(hashes);
        workspace.loadModel({ .path = path.toStdString() });
        engine.finishLoad();
        QTRY_VERIFY(workspace.checkpointHash());
        nlohmann::ordered_json record { { "schema", 1 },
            { "checkpoint", { { "file_name", "first.gguf" }, { "sha256", kAbc } } },
            { "prompt", { { "token_ids", { 72 } } } }, { "stop", nullptr },
            { "tokens", { { { "id", 105 }, { "bytes", "69" }, { "source", "sampled" } } } } };
        app::RunVerification verification(workspace);
        verification.start(record);
        QTRY_COMPARE(engine.requests.size(), size_t(1));
        record["checkpoint"] = { { "file_name", "renamed.gguf" }, { "sha256", std::string(64, 'b') } };
        verification.start(record);
        QTRY_VERIFY2(verification.failure().contains("Another file called renamed.gguf"),
            qPrintable(verification.failure()));
    }
};

QTEST_GUILESS_MAIN(TestFileHashes)
#include "tst_file_hashes.moc"
