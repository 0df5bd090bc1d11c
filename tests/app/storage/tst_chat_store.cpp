#include "tests/app/storage/naive_store.h"
#include "tests/app/storage/store_samples.h"

#include <QElapsedTimer>

#include <random>

using namespace app;
using tests::moment;

class TestChatStore : public QObject {
    Q_OBJECT
private slots:
    void aNewFileIsEmptyAndItsFolderIsMade();
    void aFolderThatCannotBeMadeIsAnErrorInWords();
    void whatIsWrittenIsReadAfterAReopen();
    void awkwardTextComesBackAsItWas();
    void loneSurrogatesBecomeReplacementCharacters();
    void aDocumentThatWasNotReadStays();
    void oneSiblingIsShown();
    void deletedMessagesTakeWhatIsBelowAndComeBack();
    void foldersGoWithoutTheirConversations();
    void whatAForkKeptStaysWhenTheOldBranchIsPurged();
    void anEndKeepsTextStateAndTokensTogether();
    void aRunFoundUnderWayIsInterrupted();
    void aRunEndsOnce();
    void aChatWithASourceIsNotEmpty();
    void changesOfRunsThatAreGoneDoNothing();
    void oneBadChangeKeepsTheWholeListOut();
    void purgedTextIsInNoFile();
    void whatIsNotThereIsAnError();
    void randomChangesReadAsTheNaiveModelSays();
    void longDraftsCostOnlyTheirNewPart();
};

void TestChatStore::aNewFileIsEmptyAndItsFolderIsMade()
{
    const tests::StoreFolder folder;
    const QString path = folder.path() + "/new/folder/tokenglass.sqlite";
    const auto store = tests::openedStore(path);
    QVERIFY(store);
    QVERIFY(store->opening() == StoreOpening {});
    const auto index = store->readIndex();
    VERIFY_OK(index);
    QVERIFY(*index == StoredIndex {});
    QVERIFY(QFile::exists(path));
}

void TestChatStore::aFolderThatCannotBeMadeIsAnErrorInWords()
{
    const tests::StoreFolder folder;
    QFile inTheWay(folder.path() + "/file");
    QVERIFY(inTheWay.open(QIODevice::WriteOnly));
    const auto store = ChatStore::open(folder.path() + "/file/tokenglass.sqlite");
    QVERIFY(!store);
    QCOMPARE(store.error().code, engine::ErrorCode::Io);
    QVERIFY(tests::errorText(store).contains(folder.path() + "/file"));
}

void TestChatStore::whatIsWrittenIsReadAfterAReopen()
{
    const tests::StoreFolder folder;
    tests::NaiveStore naive;
    StoreChanges changes { PutFolder { { 90, "Work" } } };
    for (const StoreChange& change : tests::wholeChat(1, "A chat", "Why?", "Because."))
        changes.push_back(change);
    StoredConversation row = tests::conversation(50, "Plain");
    row.kind = ConversationKind::PlainText;
    row.isNamed = true;
    row.folder = 90;
    row.typedText = "not sent";
    row.document = QString("Once upon a time");
    changes.push_back(PutConversation { row });
    StoredMessage typed = tests::answer(51, 1, 2);
    typed.text = "It is";
    typed.textSource = engine::TokenSource::Edited;
    typed.textIds = { 5, 6, 70000 };
    changes.push_back(PutMessage { typed });
    for (const StoreChange& change : changes)
        naive.apply(change);

    auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write(changes));
    for (int round = 0; round < 2; ++round) {
        for (const ConversationId id : { 1, 50 }) {
            const auto chat = store->readChat(id);
            VERIFY_OK(chat);
            QVERIFY(*chat == naive.chat(id));
        }
        const auto index = store->readIndex();
        VERIFY_OK(index);
        QVERIFY(*index == naive.index());
        const auto details = store->readRun(4);
        VERIFY_OK(details);
        QVERIFY(*details == naive.details(4));
        store.reset();
        store = tests::openedStore(folder.databasePath());
    }
    store.reset();
    QCOMPARE(folder.files("*"), QStringList { "tokenglass.sqlite" });
}

void TestChatStore::awkwardTextComesBackAsItWas()
{
    const tests::StoreFolder folder;
    const std::vector<QString> texts { "", "'; DROP TABLE messages; --", "\"quotes\" % _ \\",
        QString::fromUtf8("ä 漢字 עברית 👩‍👩‍👧 \u0301 \u2028 \uFEFF"),
        "line\r\nline\n\ttab", QString(1'000'000, u'x') + QString::fromUtf8("末"), "<b>&amp;</b>",
        "2026-11-30", "1e5" };
    StoreChanges changes { PutConversation { tests::conversation(1, texts[3]) } };
    const std::string notUtf8("caf\xe9 \x00 \xf0\x9f", 10);
    for (size_t i = 0; i < texts.size(); ++i) {
        changes.push_back(PutMessage { tests::question(MessageId(10 + i), 1, 0, texts[i]) });
        changes.push_back(tests::openedRun(StoredRunId(10 + i), MessageId(10 + i)));
        changes.push_back(tests::endedRun(StoredRunId(10 + i), engine::StopReason::EndToken,
            i == 0 ? notUtf8 : texts[i].toStdString()));
    }
    auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write(changes));
    store.reset();
    store = tests::openedStore(folder.databasePath());
    const auto chat = store->readChat(1);
    VERIFY_OK(chat);
    QCOMPARE(chat->conversation.title, texts[3]);
    for (size_t i = 0; i < texts.size(); ++i) {
        QVERIFY2(chat->messages[i].text == texts[i], qPrintable(texts[i].left(20)));
        QVERIFY(chat->runs[i].text == (i == 0 ? notUtf8 : texts[i].toStdString()));
    }
}

void TestChatStore::loneSurrogatesBecomeReplacementCharacters()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    const QString text = QString("a") + QChar(0xd83d) + "b" + QChar(0xde00) + QChar(0xd83d);
    VERIFY_OK(store->write({ PutConversation { tests::conversation(1, text) },
        PutMessage { tests::question(2, 1, 0, text) } }));
    const auto chat = store->readChat(1);
    VERIFY_OK(chat);
    const QString mended = QString::fromUtf8("a\uFFFDb\uFFFD\uFFFD");
    QCOMPARE(chat->messages[0].text, mended);
    QCOMPARE(chat->conversation.title, mended);
}

void TestChatStore::aDocumentThatWasNotReadStays()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    StoredConversation row = tests::conversation(1, "Plain");
    row.document = QString("a long text");
    VERIFY_OK(store->write({ PutConversation { row } }));
    StoredConversation renamed = store->readIndex()->conversations[0].conversation;
    QVERIFY(!renamed.document);
    renamed.title = "Renamed";
    VERIFY_OK(store->write({ PutConversation { renamed } }));
    QCOMPARE(store->readChat(1)->conversation.document.value(), QString("a long text"));
    QCOMPARE(store->readChat(1)->conversation.title, QString("Renamed"));
}

void TestChatStore::oneSiblingIsShown()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write({ PutConversation { tests::conversation(1, "t") },
        PutMessage { tests::question(2, 1, 0, "q") }, PutMessage { tests::answer(3, 1, 2) },
        PutMessage { tests::answer(4, 1, 2) }, PutMessage { tests::answer(5, 1, 2) } }));
    const auto shownIds = [&] {
        std::vector<MessageId> ids;
        const auto chat = store->readChat(1);
        for (const StoredMessage& message : chat->messages)
            if (message.isShown)
                ids.push_back(message.id);
        return ids;
    };
    QCOMPARE(shownIds(), (std::vector<MessageId> { 2, 5 }));
    VERIFY_OK(store->write({ ShowMessage { 3 } }));
    QCOMPARE(shownIds(), (std::vector<MessageId> { 2, 3 }));
    VERIFY_OK(store->write({ MarkMessageDeleted { 3, moment(9) } }));
    QCOMPARE(shownIds(), (std::vector<MessageId> { 2, 5 }));
    VERIFY_OK(store->write({ MarkMessageDeleted { 3, {} } }));
    QCOMPARE(shownIds(), (std::vector<MessageId> { 2, 3 }));
}

void TestChatStore::deletedMessagesTakeWhatIsBelowAndComeBack()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write(tests::wholeChat(1, "t", "q", "a")));
    const auto before = store->readChat(1);
    VERIFY_OK(store->write({ MarkMessageDeleted { 2, moment(9) } }));
    QVERIFY(store->readChat(1)->messages.empty());
    QVERIFY(store->readChat(1)->runs.empty());
    QVERIFY(store->readIndex()->conversations[0].isEmpty);
    VERIFY_OK(store->write({ MarkMessageDeleted { 2, {} } }));
    QVERIFY(*store->readChat(1) == *before);

    VERIFY_OK(store->write({ MarkConversationDeleted { 1, moment(9) } }));
    QVERIFY(store->readIndex()->conversations.empty());
    QCOMPARE(store->readIndex()->largestId, int64_t(4));
    VERIFY_OK(store->write({ MarkConversationDeleted { 1, {} } }));
    QVERIFY(*store->readChat(1) == *before);
}

void TestChatStore::foldersGoWithoutTheirConversations()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    StoredConversation row = tests::conversation(1, "t");
    row.folder = 7;
    VERIFY_OK(store->write({ PutFolder { { 7, "Work" } }, PutConversation { row } }));
    QCOMPARE(store->readIndex()->conversations[0].conversation.folder, FolderId(7));
    VERIFY_OK(store->write({ RemoveFolder { 7 } }));
    QVERIFY(store->readIndex()->folders.empty());
    QCOMPARE(store->readIndex()->conversations[0].conversation.folder, FolderId(0));
}

void TestChatStore::whatAForkKeptStaysWhenTheOldBranchIsPurged()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write(tests::wholeChat(1, "A chat", "Why?", "Because.")));
    OpenRun fork = tests::openedRun(21, 20, 0);
    fork.kept = tests::sampleKept(3);
    VERIFY_OK(store->write({ PutMessage { tests::answer(20, 1, 2) }, fork }));
    VERIFY_OK(store->write({ MarkMessageDeleted { 3, moment(1) }, Purge { moment(2) } }));
    QVERIFY(!store->readRun(4)); // the branch it came from
    QVERIFY(store->readRun(21)->kept == fork.kept);
    VERIFY_OK(store->write({ MarkMessageDeleted { 20, moment(3) }, Purge { moment(4) } }));
    QVERIFY(!store->readRun(21));
}

void TestChatStore::anEndKeepsTextStateAndTokensTogether()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    const auto tokens = tests::sampleTokens(10);
    VERIFY_OK(store->write({ PutConversation { tests::conversation(1, "t") },
        PutMessage { tests::answer(2, 1, 0) }, tests::openedRun(3, 2),
        AppendToRun { 3, 0, "He", { tokens.begin(), tokens.begin() + 4 } },
        AppendToRun { 3, 4, "llo", {} },
        AppendToRun { 3, 4, " wor", { tokens.begin() + 4, tokens.begin() + 8 } } }));
    StoredRun run = store->readChat(1)->runs[0];
    QVERIFY(!run.reason);
    QCOMPARE(run.text, std::string("Hello wor"));
    QCOMPARE(run.tokenCount, 8);
    QCOMPARE(store->readIndex()->conversations[0].unfinishedCount, 1);
    QVERIFY(!store->readIndex()->conversations[0].lastReason);

    EndRun end = tests::endedRun(3, engine::StopReason::LengthCap, "Hello world");
    end.firstTokenIndex = 8;
    end.tokens.assign(tokens.begin() + 8, tokens.end());
    VERIFY_OK(store->write({ end }));
    run = store->readChat(1)->runs[0];
    QVERIFY(run.reason == engine::StopReason::LengthCap);
    QCOMPARE(run.text, std::string("Hello world"));
    QCOMPARE(run.tokenCount, 10);
    QCOMPARE(run.record, end.record);
    QVERIFY(store->readRun(3)->tokens == tokens);
    VERIFY_OK(store->write({ PutRecord { 3, R"({"late":1})" } }));
    QCOMPARE(store->readChat(1)->runs[0].record, std::string(R"({"late":1})"));
    // Fields are put in their places, the others stay; what is no record is left as it is.
    VERIFY_OK(store->write({ PutRecord { 3, R"({"late":1,"times":null,"stop":{}})" },
        PutRecordFields { 3, R"({"times":{"a":2},"accepted":{"at":"now"}})", true },
        PutRecordFields { 4, "{}" } }));
    QCOMPARE(store->readChat(1)->runs[0].record,
        std::string(R"({"late":1,"times":{"a":2},"stop":{},"accepted":{"at":"now"}})"));
    VERIFY_OK(store->write({ PutRecord { 3, "[]" }, PutRecordFields { 3, R"({"times":1})" } }));
    QCOMPARE(store->readChat(1)->runs[0].record, std::string("[]"));
}

void TestChatStore::aRunFoundUnderWayIsInterrupted()
{
    const tests::StoreFolder folder;
    auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write(
        { PutConversation { tests::conversation(1, "t") }, PutMessage { tests::answer(2, 1, 0) },
            tests::openedRun(3, 2), AppendToRun { 3, 0, "Once upon", tests::sampleTokens(2) },
            AppendToRun { 3, 2, " a time", tests::sampleTokens(3, 2) } }));
    QCOMPARE(store->readIndex()->interruptedCount, 0);
    store.reset();
    store = tests::openedStore(folder.databasePath());
    QCOMPARE(store->readIndex()->interruptedCount, 1);
    const StoredRun run = store->readChat(1)->runs[0];
    QVERIFY(run.reason == engine::StopReason::Interrupted);
    QCOMPARE(run.text, std::string("Once upon a time"));
    QCOMPARE(run.tokenCount, 5);
    const QByteArray record = QByteArray::fromStdString(run.record);
    QVERIFY(record.contains(R"("stop":{"reason":"interrupted","verdict":"partial")"));
    QVERIFY(record.contains(R"("text":"Once upon a time")"));
    store.reset();
    store = tests::openedStore(folder.databasePath());
    QCOMPARE(store->readIndex()->interruptedCount, 0);
}

void TestChatStore::aRunEndsOnce()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write(tests::wholeChat(1, "t", "q", "a", engine::StopReason::Cancelled)));
    const auto before = store->readChat(1);
    VERIFY_OK(store->write({ tests::endedRun(4, engine::StopReason::EndToken, "other"),
        AppendToRun { 4, 3, "more", tests::sampleTokens(1) } }));
    QVERIFY(*store->readChat(1) == *before);
    QCOMPARE(store->readRun(4)->tokens.size(), size_t(3));
}

void TestChatStore::aChatWithASourceIsNotEmpty()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write({ PutConversation { tests::conversation(1, "") } }));
    QVERIFY(store->readIndex()->conversations[0].isEmpty);
    VERIFY_OK(store->write({ PutSource { { 2, 1, "a.txt", "text", {} } } }));
    QVERIFY(!store->readIndex()->conversations[0].isEmpty);
    VERIFY_OK(store->write({ MarkSourceDeleted { 2, moment(9) } }));
    QVERIFY(store->readIndex()->conversations[0].isEmpty);
    QVERIFY(store->readChat(1)->sources.empty());
    VERIFY_OK(store->write({ MarkSourceDeleted { 2, {} } }));
    QCOMPARE(store->readChat(1)->sources.size(), size_t(1));
}

void TestChatStore::changesOfRunsThatAreGoneDoNothing()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    VERIFY_OK(store->write(
        { AppendToRun { 9, 0, "x", {} }, tests::endedRun(9, engine::StopReason::EndToken, "x"),
            PutRecord { 9, "{}" }, MarkMessageDeleted { 8, moment(1) },
            MarkSourceDeleted { 7, moment(1) }, ShowMessage { 8 }, RemoveFolder { 3 } }));
    QCOMPARE(store->readIndex()->largestId, int64_t(0));
}

void TestChatStore::oneBadChangeKeepsTheWholeListOut()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    // A message of a conversation that is not there.
    const auto result = store->write({ PutConversation { tests::conversation(1, "t") },
        PutMessage { tests::question(2, 77, 0, "q") } });
    QVERIFY(!result);
    QCOMPARE(result.error().code, engine::ErrorCode::BadRequest);
    QVERIFY(store->readIndex()->conversations.empty());
    VERIFY_OK(store->write({ PutConversation { tests::conversation(1, "t") } }));
    QCOMPARE(store->readIndex()->conversations.size(), size_t(1));
}

void TestChatStore::purgedTextIsInNoFile()
{
    const tests::StoreFolder folder;
    auto store = tests::openedStore(folder.databasePath());
    const QString secret = "zyzzyva quokkabird";
    for (int i = 0; i < 30; ++i)
        VERIFY_OK(store->write(tests::wholeChat(100 + 10 * i, "other",
            "another question about things", "an answer " + std::string(300, 'x'))));
    VERIFY_OK(store->write(tests::wholeChat(1, secret, secret, secret.toStdString())));
    VERIFY_OK(store->write(tests::wholeChat(11, "kept", "kept", "kept")));
    StoredMessage branch = tests::question(21, 11, 12, secret + QString(9000, u'y') + secret);
    VERIFY_OK(store->write({ PutMessage { branch }, PutMessage { tests::answer(22, 11, 21) },
        tests::openedRun(23, 22), AppendToRun { 23, 0, secret.toStdString(), {} } }));
    QVERIFY(folder.allBytes().contains("zyzzyva"));
    VERIFY_OK(store->write({ PutSource { { 5, 1, "a", secret.toStdString(), {} } },
        PutSource { { 25, 11, secret, secret.toStdString() + std::string(9000, 'y'), {} } },
        PutSource { { 26, 11, "kept", "kept", {} } } }));
    VERIFY_OK(store->write({ MarkConversationDeleted { 1, moment(1000) },
        MarkMessageDeleted { 21, moment(1000) }, MarkSourceDeleted { 25, moment(1000) } }));
    VERIFY_OK(store->write({ Purge { moment(1000) } }));
    QVERIFY(folder.allBytes().contains("quokkabird")); // not yet: not before this time
    VERIFY_OK(store->write({ Purge { moment(1001) } }));
    for (const char* word : { "zyzzyva", "quokkabird", "yzzyva" })
        QVERIFY2(!folder.allBytes().contains(word), word);
    QVERIFY(!store->readChat(1));
    VERIFY_OK(store->readChat(11));
    QCOMPARE(store->readChat(11)->messages.size(), size_t(2));
    QCOMPARE(store->readChat(11)->sources.size(), size_t(1));
    store.reset();
    store = tests::openedStore(folder.databasePath());
    QVERIFY(!folder.allBytes().contains("zyzzyva"));
    VERIFY_OK(store->readChat(11));
}

void TestChatStore::whatIsNotThereIsAnError()
{
    const tests::StoreFolder folder;
    const auto store = tests::openedStore(folder.databasePath());
    QCOMPARE(store->readChat(5).error().code, engine::ErrorCode::Io);
    QCOMPARE(store->readRun(5).error().code, engine::ErrorCode::Io);
}

namespace {

// Draws changes that a program could make: of things that are there.
class RandomChanges {
public:
    explicit RandomChanges(tests::NaiveStore& naive)
        : m_naive(naive)
    {
    }

    StoreChange next()
    {
        ++m_nextId;
        const auto conversations = m_naive.allConversations();
        const int kind = below(16);
        if (conversations.empty() || kind == 0)
            return PutConversation { someConversation(m_nextId) };
        const ConversationId inside = one(conversations);
        const auto messages = m_naive.messagesOf(inside);
        const auto runs = m_naive.runs();
        const auto folders = m_naive.folders();
        if (kind == 1)
            return PutFolder { { below(3) == 0 && !folders.empty() ? one(folders) : m_nextId,
                QString("folder %1").arg(below(5)) } };
        if (kind == 2 && !folders.empty() && below(4) == 0)
            return RemoveFolder { one(folders) };
        if (kind == 2)
            return PutConversation { someConversation(inside) };
        if (kind == 3 && below(3) == 0)
            return MarkConversationDeleted { inside, someDeletion() };
        if (kind == 4 && below(4) == 0)
            return Purge { moment(below(1000)) };
        if (kind == 5 && !messages.empty())
            return ShowMessage { one(messages) };
        if (kind == 6 && !messages.empty())
            return MarkMessageDeleted { one(messages), someDeletion() };
        if (kind == 7 && !messages.empty())
            return PutMessage { changed(m_naive.message(one(messages))) };
        if (kind <= 9 && !messages.empty()) {
            OpenRun opened = tests::openedRun(m_nextId, one(messages), m_partCount++);
            opened.kept = tests::sampleKept(below(3));
            opened.promptText = someText().toStdString();
            return opened;
        }
        if (kind <= 12 && !runs.empty()) {
            const StoredRunId run = one(runs);
            const int count = m_naive.run(run).tokenCount;
            if (kind == 10)
                return EndRun { run, engine::StopReason(below(10)), someText().toStdString(), count,
                    tests::sampleTokens(below(3), count), R"({"stop":null})" };
            return AppendToRun { run, count, someText().toStdString(),
                tests::sampleTokens(below(4), count) };
        }
        const auto sources = m_naive.sourcesOf(inside);
        if (kind == 13 && !sources.empty())
            return MarkSourceDeleted { one(sources), someDeletion() };
        if (kind >= 14)
            return PutSource { { sources.empty() || below(3) > 0 ? m_nextId : one(sources), inside,
                someText(), someText().toStdString() + "\r\n", {} } };
        StoredMessage fresh = tests::message(m_nextId, inside, 0);
        if (!messages.empty() && below(5) > 0)
            fresh.parent = one(messages);
        return PutMessage { changed(fresh) };
    }

    int below(int limit) { return int(m_random() % unsigned(limit)); }

private:
    template <typename T> T one(const std::vector<T>& list)
    {
        return list[size_t(below(int(list.size())))];
    }

    QString someText()
    {
        static const std::vector<QString> kTexts { "", "word", QString::fromUtf8("ü 漢 👍"), "a\nb",
            QString(5000, u'z') };
        return one(kTexts) + QString::number(below(100));
    }

    std::optional<QDateTime> someDeletion()
    {
        return below(2) == 0 ? std::nullopt : std::optional(moment(below(1000)));
    }

    StoredConversation someConversation(ConversationId id)
    {
        StoredConversation row = tests::conversation(id, someText());
        row.kind = ConversationKind(below(2));
        row.isNamed = below(2) == 0;
        row.changedAt = moment(below(100));
        row.typedText = someText();
        row.document = below(2) == 0 ? std::nullopt : std::optional(someText());
        if (const auto folders = m_naive.folders(); !folders.empty() && below(2) == 0)
            row.folder = one(folders);
        return row;
    }

    StoredMessage changed(StoredMessage message)
    {
        message.role = TurnRole(below(2));
        message.text = someText();
        message.textSource = engine::TokenSource(below(5));
        message.textIds.assign(size_t(below(3)), below(70000));
        message.isShown = below(3) > 0;
        return message;
    }

    tests::NaiveStore& m_naive;
    std::mt19937 m_random { 20261130 };
    int64_t m_nextId = 0;
    int m_partCount = 0;
};

}

void TestChatStore::randomChangesReadAsTheNaiveModelSays()
{
    const tests::StoreFolder folder;
    tests::NaiveStore naive;
    RandomChanges random(naive);
    auto store = tests::openedStore(folder.databasePath());
    int interruptedCount = 0;
    for (int list = 0; list < 300; ++list) {
        StoreChanges changes;
        for (int count = random.below(8); count >= 0; --count) {
            changes.push_back(random.next());
            naive.apply(changes.back());
        }
        const auto written = store->write(changes);
        QVERIFY2(written, qPrintable(QString("list %1: ").arg(list) + tests::errorText(written)));
        if (random.below(10) == 0) {
            store.reset();
            interruptedCount = naive.restart();
            store = tests::openedStore(folder.databasePath());
        }
        StoredIndex expected = naive.index();
        expected.interruptedCount = interruptedCount;
        const auto index = store->readIndex();
        VERIFY_OK(index);
        QVERIFY2(*index == expected, qPrintable(QString("index after list %1").arg(list)));
        if (list % 10 != 0)
            continue;
        for (const ConversationId id : naive.allConversations()) {
            const auto chat = store->readChat(id);
            VERIFY_OK(chat);
            QVERIFY2(*chat == naive.chat(id),
                qPrintable(QString("chat %1 after list %2").arg(id).arg(list)));
        }
        for (const StoredRunId id : naive.runs())
            QVERIFY(*store->readRun(id) == naive.details(id));
    }
    QVERIFY(naive.runs().size() > 20);
}

// Times are printed, not judged: the figures stand in the notes of the change.
void TestChatStore::longDraftsCostOnlyTheirNewPart()
{
    const tests::StoreFolder folder;
    auto store = tests::openedStore(folder.databasePath());
    StoreChanges changes { PutConversation { tests::conversation(1, "long") } };
    for (int i = 0; i < 500; ++i)
        changes.push_back(
            PutMessage { tests::question(10 + i, 1, i == 0 ? 0 : 9 + i, QString(200, u'q')) });
    changes.push_back(PutMessage { tests::answer(600, 1, 509) });
    changes.push_back(tests::openedRun(601, 600));
    VERIFY_OK(store->write(changes));
    constexpr int kTokenCount = 20'000;
    constexpr int kChunk = 64;
    QElapsedTimer timer;
    std::vector<double> appendMs;
    std::string text;
    for (int first = 0; first < kTokenCount; first += kChunk) {
        const std::string part(size_t(kChunk) * 4, 'a');
        const auto tokens = tests::sampleTokens(kChunk, first);
        timer.start();
        VERIFY_OK(store->write({ AppendToRun { 601, first, part, tokens } }));
        appendMs.push_back(double(timer.nsecsElapsed()) / 1e6);
        text += part;
    }
    QCOMPARE(store->readChat(1)->runs[0].text, text);
    VERIFY_OK(store->write({ tests::endedRun(601, engine::StopReason::EndToken, text) }));
    store.reset();
    store = tests::openedStore(folder.databasePath());
    timer.start();
    const auto chat = store->readChat(1);
    const double readMs = double(timer.nsecsElapsed()) / 1e6;
    VERIFY_OK(chat);
    QCOMPARE(chat->messages.size(), size_t(501));
    timer.start();
    VERIFY_OK(store->readRun(601));
    const double detailsMs = double(timer.nsecsElapsed()) / 1e6;
    std::sort(appendMs.begin(), appendMs.end());
    qInfo("append of %d tokens: median %.2f ms, longest %.2f ms; chat of 501 messages: %.1f ms; "
          "%d token records: %.0f ms; file: %.1f MB",
        kChunk, appendMs[appendMs.size() / 2], appendMs.back(), readMs, kTokenCount, detailsMs,
        double(QFileInfo(folder.databasePath()).size()) / 1e6);
}

QTEST_GUILESS_MAIN(TestChatStore)
#include "tst_chat_store.moc"
