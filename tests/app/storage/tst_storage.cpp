#include "app/storage/storage.h"
#include "tests/app/storage/fault_vfs.h"
#include "tests/app/storage/store_samples.h"

#include <QSignalSpy>

using namespace app;
using tests::FaultVfs;

Q_DECLARE_METATYPE(app::StoredIndex)
Q_DECLARE_METATYPE(app::StoreOpening)

class TestStorage : public QObject {
    Q_OBJECT
private slots:
    void tellsWhatItOpened();
    void callbacksComeOnTheGuiThreadInOrder();
    void readsSeeTheWritesBeforeThem();
    void destructorWritesWhatIsLeft();
    void aFullDiskIsToldAndTheChangesAreKept();
    void retriesByItself();
    void aRefusedListDoesNotHoldUpOthers();
    void aStoreThatCannotOpenAnswersInWords();
    void aFileThatComesBackIsNotWrittenOver();
    void aFullDiskAtTheStartStillShowsWhatIsThere();
};

namespace {

// Opened, and its first signals delivered.
struct OpenedStorage {
    explicit OpenedStorage(const QString& path)
        : storage(path)
    {
        QObject::connect(&storage, &Storage::opened,
            [this](const StoredIndex& foundIndex, const StoreOpening&) { index = foundIndex; });
        storage.flush(30'000);
    }

    std::optional<StoredIndex> index;
    Storage storage;
};

}

void TestStorage::tellsWhatItOpened()
{
    const tests::StoreFolder folder;
    VERIFY_OK(
        tests::openedStore(folder.databasePath())->write(tests::wholeChat(1, "A chat", "q", "a")));
    const OpenedStorage opened(folder.databasePath());
    QVERIFY(opened.index);
    QCOMPARE(opened.index->conversations.size(), size_t(1));
    QCOMPARE(opened.index->largestId, int64_t(4));
    QVERIFY(!opened.storage.trouble());
}

void TestStorage::callbacksComeOnTheGuiThreadInOrder()
{
    const tests::StoreFolder folder;
    OpenedStorage opened(folder.databasePath());
    std::vector<int> order;
    for (int i = 0; i < 50; ++i) {
        opened.storage.write({ PutConversation { tests::conversation(i + 1, "t") } }, [&order, i] {
            QVERIFY(QThread::currentThread() == qApp->thread());
            order.push_back(2 * i);
        });
        opened.storage.readChat(i + 1, [&order, i](const engine::Result<StoredChat>& chat) {
            QVERIFY(chat);
            order.push_back(2 * i + 1);
        });
    }
    QCOMPARE(opened.storage.unwrittenCount(), 50);
    QTRY_COMPARE(order.size(), size_t(100));
    QVERIFY(std::is_sorted(order.begin(), order.end()));
    QCOMPARE(opened.storage.unwrittenCount(), 0);
}

void TestStorage::readsSeeTheWritesBeforeThem()
{
    const tests::StoreFolder folder;
    OpenedStorage opened(folder.databasePath());
    int answerCount = 0;
    opened.storage.write(tests::wholeChat(1, "zebra", "q", "stripes"));
    opened.storage.readRun(4, [&](const engine::Result<StoredRunDetails>& details) {
        QVERIFY(details);
        QCOMPARE(details->tokens.size(), size_t(3));
        ++answerCount;
    });
    opened.storage.search(
        readSearchQuery("stripes"), 10, [&](const engine::Result<std::vector<SearchHit>>& hits) {
            QVERIFY(hits);
            QCOMPARE(hits->size(), size_t(1));
            ++answerCount;
        });
    opened.storage.readChat(9, [&](const engine::Result<StoredChat>& chat) {
        QVERIFY(!chat);
        ++answerCount;
    });
    QVERIFY(opened.storage.flush(30'000));
    QCOMPARE(answerCount, 3);
}

void TestStorage::destructorWritesWhatIsLeft()
{
    const tests::StoreFolder folder;
    bool wasCalled = false;
    {
        Storage storage(folder.databasePath());
        for (int i = 0; i < 100; ++i)
            storage.write({ PutConversation { tests::conversation(i + 1, "t") } },
                [&wasCalled] { wasCalled = true; });
    }
    QCoreApplication::sendPostedEvents();
    QVERIFY(!wasCalled); // the object was gone
    QCOMPARE(
        tests::openedStore(folder.databasePath())->readIndex()->conversations.size(), size_t(100));
}

void TestStorage::aFullDiskIsToldAndTheChangesAreKept()
{
    FaultVfs disk;
    const tests::StoreFolder folder;
    OpenedStorage opened(folder.databasePath());
    QSignalSpy changes(&opened.storage, &Storage::troubleChanged);
    int writtenCount = 0;
    disk.failFrom(0, FaultVfs::Calls::Changes, FaultVfs::Fault::DiskFull);
    opened.storage.write(
        tests::wholeChat(1, "first", "q", "a"), [&writtenCount] { ++writtenCount; });
    QVERIFY(!opened.storage.flush(30'000));
    QVERIFY(opened.storage.trouble());
    QCOMPARE(opened.storage.trouble()->title, QString("Conversations are not being saved"));
    QVERIFY(opened.storage.trouble()->message.contains("disk is full"));
    QVERIFY(opened.storage.trouble()->message.contains("tokenglass.sqlite"));
    QVERIFY(opened.storage.trouble()->message.contains("Nothing is lost"));
    opened.storage.write(
        tests::wholeChat(11, "second", "q", "a"), [&writtenCount] { ++writtenCount; });
    QVERIFY(!opened.storage.flush(30'000));
    QCOMPARE(opened.storage.unwrittenCount(), 10);
    QCOMPARE(writtenCount, 0);
    QCOMPARE(changes.count(), 1);

    disk.heal();
    opened.storage.write({ PutFolder { { 30, "f" } } }); // a further change tries at once
    QVERIFY(opened.storage.flush(30'000));
    QVERIFY(!opened.storage.trouble());
    QCOMPARE(opened.storage.unwrittenCount(), 0);
    QCOMPARE(writtenCount, 2);
    QCOMPARE(changes.count(), 2);
}

void TestStorage::retriesByItself()
{
    FaultVfs disk;
    const tests::StoreFolder folder;
    OpenedStorage opened(folder.databasePath());
    disk.failFrom(0, FaultVfs::Calls::Changes, FaultVfs::Fault::IoError);
    opened.storage.write(tests::wholeChat(1, "t", "q", "a"));
    QTRY_VERIFY(opened.storage.trouble());
    disk.heal();
    QTRY_VERIFY_WITH_TIMEOUT(!opened.storage.trouble(), 30'000);
    QCOMPARE(opened.storage.unwrittenCount(), 0);
}

void TestStorage::aRefusedListDoesNotHoldUpOthers()
{
    const tests::StoreFolder folder;
    OpenedStorage opened(folder.databasePath());
    opened.storage.write({ PutConversation { tests::conversation(1, "one") } });
    opened.storage.write({ PutMessage { tests::question(2, 77, 0, "of no conversation") } });
    opened.storage.write({ PutConversation { tests::conversation(3, "three") } });
    QVERIFY(!opened.storage.flush(30'000));
    QVERIFY(opened.storage.trouble());
    QCOMPARE(opened.storage.unwrittenCount(), 1);
    bool wasRead = false;
    opened.storage.readChat(
        3, [&](const engine::Result<StoredChat>& chat) { wasRead = chat.has_value(); });
    opened.storage.flush(30'000);
    QVERIFY(wasRead);
}

void TestStorage::aStoreThatCannotOpenAnswersInWords()
{
    const tests::StoreFolder folder;
    QFile inTheWay(folder.path() + "/file");
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    OpenedStorage opened(folder.path() + "/file/tokenglass.sqlite");
    QVERIFY(opened.index && *opened.index == StoredIndex {});
    QVERIFY(opened.storage.trouble());
    QString words;
    opened.storage.readChat(
        1, [&](const engine::Result<StoredChat>& chat) { words = tests::errorText(chat); });
    opened.storage.write(tests::wholeChat(1, "t", "q", "a"));
    QVERIFY(!opened.storage.flush(30'000));
    QVERIFY(words.contains("/file"));
    QVERIFY(inTheWay.remove());
    QVERIFY(opened.storage.flush(30'000)); // now there is room for the folder
    QVERIFY(!opened.storage.trouble());
}

void TestStorage::aFileThatComesBackIsNotWrittenOver()
{
    const tests::StoreFolder folder;
    const QString path = folder.path() + "/disk/tokenglass.sqlite";
    // As a disk that is not there yet.
    QFile inTheWay(folder.path() + "/disk");
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    {
        OpenedStorage opened(path);
        QVERIFY(opened.storage.trouble());
        QVERIFY(inTheWay.remove());
        VERIFY_OK(tests::openedStore(path)->write(tests::wholeChat(1, "old", "q", "a")));
        opened.storage.write(tests::wholeChat(1, "new", "q", "a"));
        QVERIFY(!opened.storage.flush(30'000));
        QVERIFY(opened.storage.trouble()->message.contains("start Tokenglass again"));
    }
    QCOMPARE(tests::openedStore(path)->readChat(1)->conversation.title, QString("old"));
}

void TestStorage::aFullDiskAtTheStartStillShowsWhatIsThere()
{
    FaultVfs disk;
    const tests::StoreFolder folder;
    // A run under way: opening has something to write, which fails.
    VERIFY_OK(tests::openedStore(folder.databasePath())
                  ->write({ PutConversation { tests::conversation(1, "old") },
                      PutMessage { tests::answer(2, 1, 0) }, tests::openedRun(3, 2) }));
    disk.failFrom(0, FaultVfs::Calls::Changes, FaultVfs::Fault::DiskFull);
    OpenedStorage opened(folder.databasePath());
    QCOMPARE(opened.index->conversations.size(), size_t(1));
    QVERIFY(opened.storage.trouble());
    QVERIFY(opened.storage.trouble()->message.contains("disk is full"));
    opened.storage.write(tests::wholeChat(11, "new", "q", "a"));
    QVERIFY(!opened.storage.flush(30'000));
    disk.heal();
    QVERIFY(opened.storage.flush(30'000));
    QVERIFY(!opened.storage.trouble());
    bool wasRead = false;
    opened.storage.readChat(
        11, [&](const engine::Result<StoredChat>& chat) { wasRead = chat.has_value(); });
    opened.storage.flush(30'000);
    QVERIFY(wasRead);
}

QTEST_GUILESS_MAIN(TestStorage)
#include "tst_storage.moc"
