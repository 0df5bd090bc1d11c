#include "app/storage/schema.h"
#include "tests/app/storage/naive_store.h"
#include "tests/app/storage/store_samples.h"

#include <random>

using namespace app;

class TestStoreMigration : public QObject {
    Q_OBJECT
private slots:
    void aFileOfVersion1IsCopiedAndBroughtUp();
    void aFileOfVersion2GetsAPlaceForSources();
    void aPurgeRemovesOldCopies();
    void aNewerFileIsShownAndNotChanged();
    void aSoundFileIsLeftAlone();
    void overwrittenPagesCostOnlyTheirRows();
    void aDestroyedHeaderCostsNothing();
    void aDestroyedHeaderOfAMigratedFileMakesUpNoSources();
    void aTruncatedFileKeepsWhatIsThere();
    void aFileThatIsNoDatabaseIsSetAside();
    void damageFoundInUseIsMendedAtTheNextStart();
    void aBrokenSearchIndexIsMadeAnew();
    void aLogLeftByACrashIsReadToo();
    void aFileThatNobodyMayWriteIsShown();
    void rowsWithoutTheirParentsCanBeSeen();
};

namespace {

constexpr int kChatCount = 120;
constexpr qint64 kPageBytes = 4096;

QByteArray readFile(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void writeFile(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    QCOMPARE(file.write(bytes), bytes.size());
}

// Small chats, so that a page holds several of them.
StoreChanges manyChats()
{
    StoreChanges changes { PutFolder { { 9000, "Work" } } };
    for (int i = 0; i < kChatCount; ++i) {
        for (const StoreChange& change : tests::wholeChat(1 + 10 * i, QString("title %1").arg(i),
                 QString("question %1").arg(i) + QString(200, u'q'),
                 "answer " + std::to_string(i) + std::string(300, 'a')))
            changes.push_back(change);
        changes.push_back(PutSource { { 5 + 10 * i, 1 + 10 * i, QString("source %1").arg(i),
            "text " + std::to_string(i) + std::string(200, 's'), {} } });
    }
    return changes;
}

// A closed file of many chats, and what it holds.
struct SampleFile {
    SampleFile()
    {
        for (const StoreChange& change : manyChats())
            naive.apply(change);
        const auto written = tests::openedStore(folder.databasePath())->write(manyChats());
        if (!written)
            qFatal("%s", written.error().message.c_str());
        bytes = readFile(folder.databasePath());
    }

    tests::StoreFolder folder;
    tests::NaiveStore naive;
    QByteArray bytes;
};

// Every row of the store that the sample had too is as it was there. Counts those that are.
int intactRowCount(const SampleFile& sample, ChatStore& store)
{
    int count = 0;
    const auto index = store.readIndex();
    if (!index)
        return -1;
    for (const StoredSummary& summary : index->conversations) {
        const auto chat = store.readChat(summary.conversation.id);
        if (!chat)
            return -1;
        const auto known = sample.naive.allConversations();
        if (std::find(known.begin(), known.end(), chat->conversation.id) == known.end()) {
            // Made for answers whose messages were lost.
            const auto runs = sample.naive.runs();
            for (const StoredRun& run : chat->runs)
                count += std::find(runs.begin(), runs.end(), run.id) != runs.end()
                        && run == sample.naive.run(run.id)
                    ? 1
                    : 0;
            continue;
        }
        const StoredChat original = sample.naive.chat(chat->conversation.id);
        count += chat->conversation == original.conversation ? 1 : 0;
        for (const StoredMessage& message : chat->messages)
            for (const StoredMessage& before : original.messages)
                count += message == before ? 1 : 0;
        for (const StoredRun& run : chat->runs)
            for (const StoredRun& before : original.runs)
                count += run == before ? 1 : 0;
        for (const StoredSource& source : chat->sources)
            for (const StoredSource& before : original.sources)
                count += source == before ? 1 : 0;
    }
    return count;
}

// A conversation, two messages, a run and a source each.
constexpr int kRowCount = kChatCount * 5;

void useVersion2(const QString& path, int chatCount)
{
    const auto database = Database::open(path);
    VERIFY_OK(database);
    for (const Migration& step : migrations())
        for (const char* statement : step.statements)
            if (step.version <= 2)
                VERIFY_OK((*database)->run(statement));
    for (int i = 0; i < chatCount; ++i) {
        VERIFY_OK((*database)->run("INSERT INTO conversations VALUES (?, 0, 'An old chat', 1, NULL,"
                                   " 1764000000123, 1764000000124, x'7b7d', '', '', NULL)",
            { 1 + 10 * i }));
        VERIFY_OK((*database)->run("INSERT INTO messages VALUES (?, ?, NULL, 0, ?, 2, x'', 1,"
                                   " 1764000000123, NULL)",
            { 2 + 10 * i, 1 + 10 * i, QString(200, u'q') }));
    }
    VERIFY_OK((*database)->run("PRAGMA user_version = 2"));
}

void useVersion1(const QString& path)
{
    const auto database = Database::open(path);
    VERIFY_OK(database);
    const char* const kStatements[] {
        "CREATE TABLE folders (id INTEGER PRIMARY KEY, name TEXT NOT NULL)",
        "CREATE TABLE conversations (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL,"
        " title TEXT NOT NULL, is_named INTEGER NOT NULL,"
        " folder INTEGER REFERENCES folders(id) ON DELETE SET NULL,"
        " created_at INTEGER, changed_at INTEGER, settings BLOB NOT NULL,"
        " typed_text TEXT NOT NULL, document TEXT NOT NULL, deleted_at INTEGER)",
        "CREATE TABLE messages (id INTEGER PRIMARY KEY, conversation INTEGER NOT NULL"
        " REFERENCES conversations(id) ON DELETE CASCADE,"
        " parent INTEGER REFERENCES messages(id) ON DELETE CASCADE,"
        " role INTEGER NOT NULL, text TEXT NOT NULL, text_source INTEGER NOT NULL,"
        " text_ids BLOB NOT NULL, is_shown INTEGER NOT NULL, created_at INTEGER,"
        " deleted_at INTEGER)",
        "CREATE TABLE runs (id INTEGER PRIMARY KEY, message INTEGER NOT NULL"
        " REFERENCES messages(id) ON DELETE CASCADE, part INTEGER NOT NULL,"
        " reason TEXT, text BLOB NOT NULL, token_count INTEGER NOT NULL,"
        " record BLOB NOT NULL, model TEXT NOT NULL)",
        "CREATE TABLE run_prompts (run INTEGER PRIMARY KEY"
        " REFERENCES runs(id) ON DELETE CASCADE, text BLOB NOT NULL, ids BLOB NOT NULL)",
        "CREATE TABLE run_chunks (id INTEGER PRIMARY KEY, run INTEGER NOT NULL"
        " REFERENCES runs(id) ON DELETE CASCADE, first_index INTEGER NOT NULL,"
        " text BLOB NOT NULL, ids BLOB NOT NULL, tokens BLOB NOT NULL)",
        "CREATE INDEX runs_by_message ON runs (message, part, reason)",
        "INSERT INTO conversations VALUES (1, 0, 'An old chat', 1, NULL, 1764000000123,"
        " 1764000000124, x'7b7d', 'typed', '', NULL)",
        "INSERT INTO messages VALUES (2, 1, NULL, 0, 'zebra', 2, x'', 1, 1764000000123, NULL)",
        "INSERT INTO messages VALUES (3, 1, 2, 1, '', 0, x'', 1, 1764000000123, NULL)",
        "INSERT INTO runs VALUES (4, 3, 0, 'length_cap', x'737472697065', 2, x'7b7d', 'smol')",
        "INSERT INTO runs VALUES (5, 3, 1, NULL, x'', 0, x'7b7d', 'smol')",
        "INSERT INTO run_chunks VALUES (1, 5, 0, x'6d6f7265', x'01000000', x'8101')",
        "PRAGMA user_version = 1",
    };
    for (const char* statement : kStatements)
        VERIFY_OK((*database)->run(statement));
}

}

void TestStoreMigration::aFileOfVersion1IsCopiedAndBroughtUp()
{
    const tests::StoreFolder folder;
    useVersion1(folder.databasePath());
    const QByteArray before = readFile(folder.databasePath());
    auto store = tests::openedStore(folder.databasePath());
    const QString copy = store->opening().copyBeforeMigration;
    QCOMPARE(QFileInfo(copy).absolutePath(), folder.path());
    QVERIFY(QFileInfo(copy).fileName().startsWith("tokenglass-before-version-5-"));
    const auto chat = store->readChat(1);
    VERIFY_OK(chat);
    QCOMPARE(chat->conversation.title, QString("An old chat"));
    QCOMPARE(chat->messages.size(), size_t(2));
    QCOMPARE(chat->runs[0].text, std::string("stripe"));
    QVERIFY(chat->runs[1].reason == engine::StopReason::Interrupted);
    QCOMPARE(chat->runs[1].text, std::string("more"));
    QCOMPARE(store->search(readSearchQuery("zebra"), 9)->size(), size_t(1));
    QCOMPARE(store->search(readSearchQuery("stripemore"), 9)->size(), size_t(1));
    store.reset();
    {
        const auto database = Database::open(copy);
        VERIFY_OK(database);
        QCOMPARE((*database)->number("PRAGMA user_version").value(), 1);
        QCOMPARE((*database)->number("SELECT count(*) FROM messages").value(), 2);
    }
    QCOMPARE(tests::openedStore(folder.databasePath())->opening().copyBeforeMigration, QString());
}

void TestStoreMigration::aFileOfVersion2GetsAPlaceForSources()
{
    const tests::StoreFolder folder;
    useVersion2(folder.databasePath(), 1);
    const StoredSource source { 7, 1, "notes.txt", "one\r\ntwo", {} };
    {
        const auto store = tests::openedStore(folder.databasePath());
        QVERIFY(!store->opening().copyBeforeMigration.isEmpty());
        QVERIFY(store->readChat(1)->sources.empty());
        VERIFY_OK(store->write({ PutSource { source } }));
    }
    const auto store = tests::openedStore(folder.databasePath());
    QCOMPARE(store->opening().copyBeforeMigration, QString());
    QVERIFY(store->readChat(1)->sources == std::vector { source });
    QCOMPARE(store->readIndex()->largestId, int64_t(7));
}

void TestStoreMigration::aPurgeRemovesOldCopies()
{
    const tests::StoreFolder folder;
    useVersion1(folder.databasePath());
    const auto store = tests::openedStore(folder.databasePath());
    const QString copies = "tokenglass-before-version-*";
    VERIFY_OK(store->write({ Purge { QDateTime::currentDateTimeUtc().addDays(-30) } }));
    QCOMPARE(folder.files(copies).size(), 1);
    VERIFY_OK(store->write({ Purge { QDateTime::currentDateTimeUtc().addSecs(5) } }));
    QCOMPARE(folder.files(copies).size(), 0);
}

void TestStoreMigration::aNewerFileIsShownAndNotChanged()
{
    const SampleFile sample;
    {
        const auto database = Database::open(sample.folder.databasePath());
        VERIFY_OK(database);
        VERIFY_OK((*database)->run("PRAGMA user_version = 999"));
    }
    const QByteArray before = readFile(sample.folder.databasePath());
    auto store = tests::openedStore(sample.folder.databasePath());
    QVERIFY(store->opening().isReadOnly && store->opening().isOfNewerVersion);
    QVERIFY(store->opening().readOnlyReason.contains("newer version"));
    QVERIFY(*store->readChat(1) == sample.naive.chat(1));
    const auto written = store->write({ PutFolder { { 9001, "f" } } });
    QVERIFY(!written);
    QCOMPARE(written.error().code, engine::ErrorCode::Io);
    QVERIFY2(
        tests::errorText(written).contains("newer version"), qPrintable(tests::errorText(written)));
    store.reset();
    QVERIFY(readFile(sample.folder.databasePath()) == before);
}

void TestStoreMigration::aSoundFileIsLeftAlone()
{
    const SampleFile sample;
    const auto store = tests::openedStore(sample.folder.databasePath());
    QVERIFY(store->opening() == StoreOpening {});
    QCOMPARE(intactRowCount(sample, *store), kRowCount);
}

void TestStoreMigration::overwrittenPagesCostOnlyTheirRows()
{
    const SampleFile sample;
    std::mt19937 random(7);
    const qint64 pageCount = sample.bytes.size() / kPageBytes;
    QVERIFY(pageCount > 40);
    for (int round = 0; round < 12; ++round) {
        QByteArray damaged = sample.bytes;
        for (int hole = 0; hole < 3; ++hole) {
            const qint64 page = 10 + qint64(random() % unsigned(pageCount - 10));
            for (qint64 i = 0; i < kPageBytes; ++i)
                damaged[page * kPageBytes + i] = char(random());
        }
        const tests::StoreFolder folder;
        writeFile(folder.databasePath(), damaged);
        const auto store = tests::openedStore(folder.databasePath());
        QVERIFY(store);
        const StoreOpening opening = store->opening();
        QVERIFY(!opening.setAside.isEmpty());
        QCOMPARE(QFileInfo(opening.setAside).absolutePath(), folder.path());
        QVERIFY(QFileInfo(opening.setAside).fileName().startsWith("tokenglass-damaged-"));
        QVERIFY(readFile(opening.setAside) == damaged); // as it was found
        const int intactCount = intactRowCount(sample, *store);
        QVERIFY2(intactCount + opening.lostRowCount >= kRowCount,
            qPrintable(QString("%1 intact, %2 lost").arg(intactCount).arg(opening.lostRowCount)));
        // Three pages of a few rows each.
        QVERIFY2(intactCount > kRowCount - 150, qPrintable(QString::number(intactCount)));
        QVERIFY(opening.salvagedConversationCount > 0);
        VERIFY_OK(store->search(readSearchQuery("question"), 5));
        VERIFY_OK(store->write(tests::wholeChat(99001, "new", "q", "a")));
        VERIFY_OK(store->readChat(99001));
    }
}

void TestStoreMigration::aDestroyedHeaderCostsNothing()
{
    const SampleFile sample;
    for (const int length : { 16, 100, int(kPageBytes) }) {
        const tests::StoreFolder folder;
        writeFile(folder.databasePath(), QByteArray(length, '\x5a') + sample.bytes.mid(length));
        const auto store = tests::openedStore(folder.databasePath());
        QVERIFY(!store->opening().setAside.isEmpty());
        QCOMPARE(store->opening().lostRowCount, 0);
        QCOMPARE(store->opening().salvagedConversationCount, kChatCount);
        QCOMPARE(intactRowCount(sample, *store), kRowCount);
        QCOMPARE(store->readIndex()->folders.size(), size_t(1));
        QVERIFY(*store->readRun(4) == sample.naive.details(4));
    }
}

// In a file that had chats when it was migrated, sources are not where a new file has them.
void TestStoreMigration::aDestroyedHeaderOfAMigratedFileMakesUpNoSources()
{
    const tests::StoreFolder folder;
    useVersion2(folder.databasePath(), kChatCount);
    const StoredSource source { 100'000, 1, "notes.txt", "one\r\ntwo", {} };
    VERIFY_OK(tests::openedStore(folder.databasePath())->write({ PutSource { source } }));
    const QByteArray bytes = readFile(folder.databasePath());
    writeFile(folder.databasePath(), QByteArray(int(kPageBytes), '\x5a') + bytes.mid(kPageBytes));
    const auto store = tests::openedStore(folder.databasePath());
    QVERIFY(!store->opening().setAside.isEmpty());
    QCOMPARE(store->opening().salvagedConversationCount, kChatCount);
    QCOMPARE(store->opening().lostRowCount, 0);
    for (int i = 0; i < kChatCount; ++i) {
        const auto chat = store->readChat(1 + 10 * i);
        VERIFY_OK(chat);
        QCOMPARE(chat->messages.size(), size_t(1));
        for (const StoredSource& found : chat->sources)
            QVERIFY(found == source);
    }
}

void TestStoreMigration::aTruncatedFileKeepsWhatIsThere()
{
    const SampleFile sample;
    int lastCount = kRowCount + 1;
    for (const double share : { 0.95, 0.7, 0.5, 0.35 }) {
        const tests::StoreFolder folder;
        writeFile(
            folder.databasePath(), sample.bytes.left(qint64(double(sample.bytes.size()) * share)));
        const auto store = tests::openedStore(folder.databasePath());
        QVERIFY(!store->opening().setAside.isEmpty());
        const int intactCount = intactRowCount(sample, *store);
        QVERIFY2(intactCount > 0, qPrintable(QString::number(share)));
        QVERIFY2(intactCount + store->opening().lostRowCount >= kRowCount,
            qPrintable(QString("%1: %2 intact, %3 lost")
                           .arg(share)
                           .arg(intactCount)
                           .arg(store->opening().lostRowCount)));
        QVERIFY(store->opening().lostRowCount <= 4 * kRowCount);
        QVERIFY(intactCount <= lastCount);
        lastCount = intactCount;
    }
    for (const qint64 length : { 1, 50, 100, 511, 4095, 4096, 5000 }) {
        const tests::StoreFolder folder;
        writeFile(folder.databasePath(), sample.bytes.left(length));
        const auto store = tests::openedStore(folder.databasePath());
        QVERIFY(store);
        QVERIFY(!store->opening().setAside.isEmpty());
        VERIFY_OK(store->write(manyChats()));
    }
}

void TestStoreMigration::aFileThatIsNoDatabaseIsSetAside()
{
    const tests::StoreFolder folder;
    const QByteArray text = QByteArray("This is a letter, not a database.\n").repeated(1000);
    writeFile(folder.databasePath(), text);
    const auto store = tests::openedStore(folder.databasePath());
    QVERIFY(readFile(store->opening().setAside) == text);
    QCOMPARE(store->opening().salvagedConversationCount, 0);
    VERIFY_OK(store->write(manyChats()));
    QCOMPARE(folder.files("*-reading*") + folder.files("*-salvaged*"), QStringList {});
}

void TestStoreMigration::damageFoundInUseIsMendedAtTheNextStart()
{
    const SampleFile sample;
    // As if the file were too large to be checked at every start: it is damaged after the check,
    // and larger than what SQLite keeps in memory.
    auto store = tests::openedStore(sample.folder.databasePath());
    for (int i = 0; i < 20; ++i)
        VERIFY_OK(store->write(
            tests::wholeChat(50'001 + 10 * i, "large", "q", std::string(400'000, 'l'))));
    VERIFY_OK(store->write({ Purge { tests::moment(0) } })); // empties the log
    QFile file(sample.folder.databasePath());
    QVERIFY(file.open(QIODevice::ReadWrite));
    for (qint64 page = 2; page < file.size() / kPageBytes; ++page) {
        QVERIFY(file.seek(page * kPageBytes));
        file.write(QByteArray(16, '\x5a'));
    }
    file.close();
    QString words;
    for (int i = 0; i < 20 && words.isEmpty(); ++i)
        words = tests::errorText(store->readChat(50'001 + 10 * i));
    QVERIFY2(words.contains("is damaged") && words.contains("next start"), qPrintable(words));
    QCOMPARE(sample.folder.files("tokenglass.sqlite-check").size(), 1);
    store.reset();
    store = tests::openedStore(sample.folder.databasePath());
    QVERIFY(!store->opening().setAside.isEmpty());
    QCOMPARE(sample.folder.files("tokenglass.sqlite-check").size(), 0);
}

void TestStoreMigration::aBrokenSearchIndexIsMadeAnew()
{
    const SampleFile sample;
    {
        const auto database = Database::open(sample.folder.databasePath());
        VERIFY_OK(database);
        VERIFY_OK((*database)->run("UPDATE search_data SET block = x'00' WHERE id > 10"));
    }
    auto store = tests::openedStore(sample.folder.databasePath());
    const auto broken = store->search(readSearchQuery("question"), 5);
    QVERIFY(!broken);
    QVERIFY(tests::errorText(broken).contains("is damaged"));
    store.reset();
    store = tests::openedStore(sample.folder.databasePath());
    QCOMPARE(store->opening().setAside, QString()); // nothing else was wrong
    QCOMPARE(store->search(readSearchQuery("question"), 5)->size(), size_t(5));
    QCOMPARE(intactRowCount(sample, *store), kRowCount);
}

void TestStoreMigration::aFileThatNobodyMayWriteIsShown()
{
    const SampleFile sample;
    const auto database
        = Database::open(sample.folder.databasePath(), Database::Access::Unchanging);
    VERIFY_OK(database);
    QCOMPARE((*database)->number("SELECT count(*) FROM runs").value(), kChatCount);
    QVERIFY(!(*database)->run("DELETE FROM runs"));
    QCOMPARE(sample.folder.files("*"), QStringList { "tokenglass.sqlite" });
}

void TestStoreMigration::aLogLeftByACrashIsReadToo()
{
    const SampleFile sample;
    const tests::StoreFolder crashed;
    {
        const auto store = tests::openedStore(sample.folder.databasePath());
        VERIFY_OK(store->write(tests::wholeChat(99001, "in the log", "q", "a")));
        // The files as they are while the program runs.
        for (const char* end : { "", "-wal" })
            QVERIFY(QFile::copy(sample.folder.databasePath() + end, crashed.databasePath() + end));
    }
    QVERIFY(QFileInfo(crashed.databasePath() + "-wal").size() > 0);
    auto store = tests::openedStore(crashed.databasePath());
    QVERIFY(store->opening() == StoreOpening {});
    VERIFY_OK(store->readChat(99001));
    QCOMPARE(intactRowCount(sample, *store), kRowCount);
}

void TestStoreMigration::rowsWithoutTheirParentsCanBeSeen()
{
    const tests::StoreFolder folder;
    VERIFY_OK(tests::openedStore(folder.databasePath())->write(manyChats()));
    {
        const auto database = Database::open(folder.databasePath());
        VERIFY_OK(database);
        VERIFY_OK((*database)->run("DELETE FROM conversations WHERE id = 1"));
        VERIFY_OK((*database)->run("DELETE FROM messages WHERE id = 12"));
        VERIFY_OK((*database)->run("DELETE FROM messages WHERE id = 23"));
    }
    QByteArray bytes = readFile(folder.databasePath());
    bytes.replace(0, 16, QByteArray(16, '\x5a'));
    writeFile(folder.databasePath(), bytes);
    const auto store = tests::openedStore(folder.databasePath());
    const auto orphans = store->readChat(1);
    VERIFY_OK(orphans);
    QCOMPARE(orphans->messages.size(), size_t(2));
    QCOMPARE(orphans->conversation.title, QString("Recovered conversation"));
    const auto headless = store->readChat(11);
    VERIFY_OK(headless);
    QCOMPARE(headless->messages.size(), size_t(2));
    QVERIFY(headless->messages[0].text.contains("could not be recovered"));
    QCOMPARE(headless->runs.size(), size_t(1));
    QCOMPARE(store->search(readSearchQuery("\"answer 2aaa\""), 9)->size(), size_t(1));
}

QTEST_GUILESS_MAIN(TestStoreMigration)
#include "tst_store_migration.moc"
