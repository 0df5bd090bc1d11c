#include "tests/app/storage/fault_vfs.h"
#include "tests/app/storage/store_samples.h"

#include <sqlite3.h>

using namespace app;
using tests::FaultVfs;

// At every write, sync and open in turn the disk fails, and stays so until it is healed.
class TestStoreFaults : public QObject {
    Q_OBJECT
private slots:
    void aFailedListLeavesTheFileAsItWas_data();
    void aFailedListLeavesTheFileAsItWas();
    void aFailedOpeningIsAnErrorAndTheNextOneWorks_data();
    void aFailedOpeningIsAnErrorAndTheNextOneWorks();
    void aFailedPurgeIsDoneLater();
};

namespace {

constexpr int kLargestK = 2000; // far above what any of these tests needs

// By SQLite's own check, with nothing of ours in between; "ok" for a sound file.
QByteArray integrityOf(const QString& path)
{
    sqlite3* connection = nullptr;
    QByteArray verdict;
    sqlite3_open(path.toUtf8().constData(), &connection);
    const auto take = [](void* result, int, char** values, char**) {
        static_cast<QByteArray*>(result)->append(values[0]);
        return 0;
    };
    if (sqlite3_exec(connection, "PRAGMA integrity_check", take, &verdict, nullptr) != SQLITE_OK)
        verdict = sqlite3_errmsg(connection);
    sqlite3_close(connection);
    return verdict;
}

void addFaultRows()
{
    QTest::addColumn<int>("calls");
    QTest::addColumn<int>("fault");
    using Calls = FaultVfs::Calls;
    using Fault = FaultVfs::Fault;
    QTest::newRow("full disk") << int(Calls::Changes) << int(Fault::DiskFull);
    QTest::newRow("I/O error") << int(Calls::Changes) << int(Fault::IoError);
    QTest::newRow("read-only folder") << int(Calls::Opens) << int(Fault::CannotOpen);
    QTest::newRow("read-only file") << int(Calls::Changes) << int(Fault::ReadOnly);
}

FaultVfs::Calls calls()
{
    QFETCH(int, calls);
    return FaultVfs::Calls(calls);
}

FaultVfs::Fault fault()
{
    QFETCH(int, fault);
    return FaultVfs::Fault(fault);
}

StoreChanges growingChat()
{
    StoreChanges changes = tests::wholeChat(101, "second", "another question", "another answer");
    changes.push_back(PutMessage { tests::answer(110, 101, 102) });
    changes.push_back(tests::openedRun(111, 110));
    changes.push_back(AppendToRun { 111, 0, std::string(9000, 'd'), tests::sampleTokens(40) });
    return changes;
}

}

void TestStoreFaults::aFailedListLeavesTheFileAsItWas_data() { addFaultRows(); }

void TestStoreFaults::aFailedListLeavesTheFileAsItWas()
{
    FaultVfs disk;
    int failureCount = 0;
    bool isThrough = false;
    for (int k = 0; k < kLargestK && !isThrough; ++k) {
        const tests::StoreFolder folder;
        auto store = tests::openedStore(folder.databasePath());
        VERIFY_OK(store->write(tests::wholeChat(1, "first", "a question", "an answer")));
        const auto before = store->readIndex();
        const StoreChanges changes = growingChat();
        const StoreChanges unchanged = changes;

        disk.failFrom(k, calls(), fault());
        const auto failed = store->write(changes);
        isThrough = !disk.hasFailed();
        disk.heal();
        if (!failed) {
            ++failureCount;
            QCOMPARE(failed.error().code, engine::ErrorCode::Io);
            QVERIFY(tests::errorText(failed).contains(folder.databasePath()));
            const auto after = store->readIndex();
            VERIFY_OK(after);
            QVERIFY(*after == *before);
            VERIFY_OK(store->write(unchanged));
        }
        QCOMPARE(store->readIndex()->conversations.size(), size_t(2));
        QCOMPARE(store->readRun(111)->tokens.size(), size_t(40));
        store.reset();
        QCOMPARE(integrityOf(folder.databasePath()), QByteArray("ok"));
        store = tests::openedStore(folder.databasePath());
        QVERIFY(store->opening() == StoreOpening {});
        QCOMPARE(store->readChat(1)->messages.size(), size_t(2));
        QCOMPARE(store->readChat(101)->runs.size(), size_t(2));
    }
    QVERIFY(isThrough);
    // Writing to an open database opens no file.
    if (calls() == FaultVfs::Calls::Changes)
        QVERIFY2(failureCount > 3, qPrintable(QString::number(failureCount)));
}

void TestStoreFaults::aFailedOpeningIsAnErrorAndTheNextOneWorks_data() { addFaultRows(); }

void TestStoreFaults::aFailedOpeningIsAnErrorAndTheNextOneWorks()
{
    FaultVfs disk;
    int failureCount = 0;
    bool isThrough = false;
    for (int k = 0; k < kLargestK && !isThrough; ++k) {
        const tests::StoreFolder folder;
        // A file with a run under way, so that opening it has something to write.
        VERIFY_OK(tests::openedStore(folder.databasePath())->write(growingChat()));
        disk.failFrom(k, calls(), fault());
        auto failed = ChatStore::open(folder.databasePath());
        isThrough = !disk.hasFailed();
        disk.heal();
        if (!failed) {
            ++failureCount;
            QCOMPARE(failed.error().code, engine::ErrorCode::Io);
            QVERIFY(tests::errorText(failed).contains("tokenglass.sqlite"));
        } else if ((*failed)->opening().isReadOnly) {
            // What is there is shown; what is written has to wait.
            ++failureCount;
            QVERIFY((*failed)->opening().readOnlyReason.contains("tokenglass.sqlite"));
            const auto shown = (*failed)->readChat(101);
            VERIFY_OK(shown);
            QVERIFY(shown->runs[1].reason == engine::StopReason::Interrupted);
            const auto written = (*failed)->write({ PutFolder { { 500, "f" } } });
            QCOMPARE(tests::errorText(written), (*failed)->opening().readOnlyReason);
            failed->reset();
        } else {
            failed->reset();
        }
        const auto store = tests::openedStore(folder.databasePath());
        QVERIFY(store->opening() == StoreOpening {});
        const auto chat = store->readChat(101);
        VERIFY_OK(chat);
        QVERIFY(chat->runs[1].reason == engine::StopReason::Interrupted);
        QCOMPARE(chat->runs[1].text.size(), size_t(9000));
    }
    QVERIFY(isThrough);
    QVERIFY(failureCount > 0);
}

void TestStoreFaults::aFailedPurgeIsDoneLater()
{
    FaultVfs disk;
    bool isThrough = false;
    for (int k = 0; k < kLargestK && !isThrough; ++k) {
        const tests::StoreFolder folder;
        auto store = tests::openedStore(folder.databasePath());
        VERIFY_OK(store->write(tests::wholeChat(1, "zyzzyva", "zyzzyva", "zyzzyva")));
        VERIFY_OK(store->write({ MarkConversationDeleted { 1, tests::moment(1) } }));
        disk.failFrom(k, FaultVfs::Calls::Changes, FaultVfs::Fault::IoError);
        const auto failed = store->write({ Purge { tests::moment(2) } });
        isThrough = !disk.hasFailed();
        disk.heal();
        VERIFY_OK(store->write({ failed ? StoreChange(PutFolder { { 9, "f" } })
                                        : StoreChange(Purge { tests::moment(2) }) }));
        QVERIFY(store->readIndex()->conversations.empty());
        if (failed)
            VERIFY_OK(store->write({ PutFolder { { 9, "f" } } }));
        QVERIFY2(!folder.allBytes().contains("zyzzyva"), qPrintable(QString::number(k)));
    }
    QVERIFY(isThrough);
}

QTEST_GUILESS_MAIN(TestStoreFaults)
#include "tst_store_faults.moc"
