#include "app/storage/search_excerpt.h"
#include "tests/app/storage/store_samples.h"

#include <algorithm>

using namespace app;
using engine::StopReason;
using tests::moment;

class TestChatSearch : public QObject {
    Q_OBJECT
private slots:
    void init();
    void findsTitlesMessagesAnswersAndDocuments();
    void allWordsMustOccurAndPrefixesCount();
    void phrasesKeepTheirOrder();
    void caseAndAccentsDoNotMatter();
    void textWithoutBlanksIsFoundInside();
    void signsOfTheQueryLanguageAreText();
    void statesAndReasons();
    void modelsFoldersAndDays();
    void titlesOnly();
    void deletedTextIsNotFound();
    void changedTextIsFoundAsItIsNow();
    void newestComeFirstUpToTheLimit();
    void excerptsMarkTheWords();
    void longTextsAreCutAroundTheFirstMatch();
    void aProblemIsAnError();

private:
    QStringList found(const QString& typed, int limit = 100);

    std::unique_ptr<tests::StoreFolder> m_folder;
    std::unique_ptr<ChatStore> m_store;
};

void TestChatSearch::init()
{
    m_store.reset();
    m_folder = std::make_unique<tests::StoreFolder>();
    m_store = tests::openedStore(m_folder->databasePath());
}

// "conversation/message", sorted.
QStringList TestChatSearch::found(const QString& typed, int limit)
{
    QStringList places;
    const auto hits = m_store->search(readSearchQuery(typed), limit);
    if (!hits)
        return { tests::errorText(hits) };
    for (const SearchHit& hit : *hits)
        places << QString("%1/%2").arg(hit.conversation).arg(hit.message);
    std::sort(places.begin(), places.end());
    return places;
}

void TestChatSearch::findsTitlesMessagesAnswersAndDocuments()
{
    StoredConversation plain = tests::conversation(50, "Plain");
    plain.document = QString("a story about an aardvark");
    VERIFY_OK(m_store->write({ PutConversation { plain } }));
    VERIFY_OK(m_store->write(tests::wholeChat(1, "Badger title", "Cheetah asked", "Dingo said")));
    QCOMPARE(found("aardvark"), QStringList { "50/0" });
    QCOMPARE(found("badger"), QStringList { "1/0" });
    QCOMPARE(found("cheetah"), QStringList { "1/2" });
    QCOMPARE(found("dingo"), QStringList { "1/3" });
    QCOMPARE(found("elephant"), QStringList {});
    QCOMPARE(found("").size(), 2); // every title
}

void TestChatSearch::allWordsMustOccurAndPrefixesCount()
{
    VERIFY_OK(m_store->write(tests::wholeChat(1, "t", "apples and pears", "only apples")));
    QCOMPARE(found("apples pears"), QStringList { "1/2" });
    QCOMPARE(found("app"), (QStringList { "1/2", "1/3" }));
    QCOMPARE(found("pples"), QStringList {});
}

void TestChatSearch::phrasesKeepTheirOrder()
{
    VERIFY_OK(m_store->write(tests::wholeChat(1, "t", "the big red house", "the red big house")));
    QCOMPARE(found("\"big red\""), QStringList { "1/2" });
    QCOMPARE(found("big red"), (QStringList { "1/2", "1/3" }));
}

void TestChatSearch::caseAndAccentsDoNotMatter()
{
    VERIFY_OK(m_store->write(
        tests::wholeChat(1, "t", QString::fromUtf8("Crème BRÛLÉE"), "Straße \xc3\x84rger")));
    QCOMPARE(found("creme brulee"), QStringList { "1/2" });
    QCOMPARE(found(QString::fromUtf8("BRÛLÉE")), QStringList { "1/2" });
    QCOMPARE(found(QString::fromUtf8("ärger")), QStringList { "1/3" });
}

void TestChatSearch::textWithoutBlanksIsFoundInside()
{
    VERIFY_OK(m_store->write(tests::wholeChat(1, "t", QString::fromUtf8("今日は天気がいいですね"),
        QString::fromUtf8("วันนี้อากาศดี").toStdString())));
    QCOMPARE(found(QString::fromUtf8("天気")), QStringList { "1/2" });
    QCOMPARE(found(QString::fromUtf8("気天")), QStringList {});
    QCOMPARE(found(QString::fromUtf8("อากาศ")), QStringList { "1/3" });
}

void TestChatSearch::signsOfTheQueryLanguageAreText()
{
    VERIFY_OK(m_store->write(
        tests::wholeChat(1, "t", "a NEAR b AND c* (d) -e ^f {g} h:i \"j", "see http://x.org/y")));
    for (const char* typed : { "NEAR", "AND", "c*", "(d)", "-e", "^f", "{g}", "h:i", "http://x.org",
             "\"d) -e\"", "*", "\"", "(", "'", "text:a" })
        for (const QString& place : found(typed))
            QVERIFY2(place.startsWith("1/"), qPrintable(place));
    QCOMPARE(found("h:i"), QStringList { "1/2" });
    QCOMPARE(found("http://x.org"), QStringList { "1/3" });
}

void TestChatSearch::statesAndReasons()
{
    const std::vector<std::pair<int64_t, StopReason>> chats { { 10, StopReason::EndToken },
        { 20, StopReason::LengthCap }, { 30, StopReason::ContextFull },
        { 40, StopReason::StopString }, { 50, StopReason::Interrupted } };
    for (const auto& [id, reason] : chats)
        VERIFY_OK(m_store->write(tests::wholeChat(id, "same", "same", "same", reason)));
    StoredMessage edited = tests::answer(61, 10, 11);
    edited.text = "same";
    edited.textSource = engine::TokenSource::Edited;
    VERIFY_OK(m_store->write({ PutMessage { edited }, PutMessage { tests::answer(62, 20, 21) },
        tests::openedRun(63, 62) }));
    QCOMPARE(found("is:complete"), QStringList { "10/12" });
    QCOMPARE(found("is:capped"), (QStringList { "20/22", "30/32" }));
    QCOMPARE(found("is:stopped"), QStringList { "40/42" });
    QCOMPARE(found("is:partial"), (QStringList { "20/62", "50/52" }));
    QCOMPARE(found("is:writing"), QStringList { "20/62" });
    QCOMPARE(found("is:edited"), QStringList { "10/61" });
    QCOMPARE(found("reason:context_full"), QStringList { "30/32" });
    QCOMPARE(found("reason:context_full reason:length_cap"), (QStringList { "20/22", "30/32" }));
    QCOMPARE(found("is:capped reason:context_full"), QStringList { "30/32" });
    // With words: messages that hold them and are so, and titles of chats with such an answer.
    QCOMPARE(found("same is:stopped"), (QStringList { "40/0", "40/42" }));
    // An answer that was continued is what its last part is.
    VERIFY_OK(m_store->write(
        { tests::openedRun(64, 22, 1), tests::endedRun(64, StopReason::EndToken, " and more") }));
    QCOMPARE(found("is:capped"), QStringList { "30/32" });
}

void TestChatSearch::modelsFoldersAndDays()
{
    StoredConversation row = tests::conversation(1, "alpha");
    row.folder = 70;
    row.changedAt = QDateTime(QDate(2026, 3, 5), QTime(12, 0));
    VERIFY_OK(m_store->write(tests::wholeChat(1, "alpha", "alpha", "alpha")));
    VERIFY_OK(m_store->write(tests::wholeChat(11, "alpha", "alpha", "alpha")));
    VERIFY_OK(m_store->write({ PutFolder { { 70, "Work" } }, PutConversation { row } }));
    QCOMPARE(found("alpha model:SMOLLM2"), (QStringList { "1/0", "1/3", "11/0", "11/13" }));
    QCOMPARE(found("alpha model:gemma"), QStringList {});
    QCOMPARE(found("alpha folder:work"), (QStringList { "1/0", "1/2", "1/3" }));
    QCOMPARE(found("folder:nowhere"), QStringList {});
    QCOMPARE(found("in:title after:2026-03-05"), QStringList { "1/0" });
    QCOMPARE(found("in:title after:2026-03-06"), QStringList {});
    QCOMPARE(found("in:title after:2026-03-05 before:2026-03-06"), QStringList { "1/0" });
    QCOMPARE(found("in:title before:2026-03-05"), QStringList { "11/0" });
}

void TestChatSearch::titlesOnly()
{
    VERIFY_OK(m_store->write(tests::wholeChat(1, "alpha", "alpha", "alpha")));
    VERIFY_OK(m_store->write(tests::wholeChat(11, "beta", "alpha", "alpha")));
    QCOMPARE(found("alpha in:title"), QStringList { "1/0" });
    QCOMPARE(found("in:title is:complete"), (QStringList { "1/0", "11/0" }));
}

void TestChatSearch::deletedTextIsNotFound()
{
    VERIFY_OK(m_store->write(tests::wholeChat(1, "alpha", "alpha", "alpha")));
    VERIFY_OK(m_store->write(tests::wholeChat(11, "alpha", "alpha", "alpha")));
    VERIFY_OK(m_store->write({ MarkMessageDeleted { 2, moment(5) } }));
    QCOMPARE(found("alpha"), (QStringList { "1/0", "11/0", "11/12", "11/13" }));
    QCOMPARE(found("is:complete"), QStringList { "11/13" });
    VERIFY_OK(m_store->write({ MarkConversationDeleted { 11, moment(5) } }));
    QCOMPARE(found("alpha"), QStringList { "1/0" });
    VERIFY_OK(m_store->write({ MarkMessageDeleted { 2, {} } }));
    QCOMPARE(found("alpha"), (QStringList { "1/0", "1/2", "1/3" }));
    VERIFY_OK(m_store->write({ Purge { moment(6) } }));
    QCOMPARE(found("alpha"), (QStringList { "1/0", "1/2", "1/3" }));
}

void TestChatSearch::changedTextIsFoundAsItIsNow()
{
    VERIFY_OK(m_store->write(tests::wholeChat(1, "alpha", "alpha", "alpha")));
    VERIFY_OK(m_store->write({ PutConversation { tests::conversation(1, "beta") },
        PutMessage { tests::question(2, 1, 0, "gamma") } }));
    QCOMPARE(found("alpha"), QStringList { "1/3" });
    QCOMPARE(found("beta"), QStringList { "1/0" });
    QCOMPARE(found("gamma"), QStringList { "1/2" });
    // A draft that the program left behind.
    VERIFY_OK(m_store->write({ PutMessage { tests::answer(8, 1, 2) }, tests::openedRun(9, 8),
        AppendToRun { 9, 0, "delta", {} } }));
    QCOMPARE(found("delta"), QStringList {});
    m_store.reset();
    m_store = tests::openedStore(m_folder->databasePath());
    QCOMPARE(found("delta is:partial"), (QStringList { "1/8" }));
}

void TestChatSearch::newestComeFirstUpToTheLimit()
{
    for (int i = 0; i < 20; ++i)
        VERIFY_OK(m_store->write(tests::wholeChat(1 + 10 * i, "t", "alpha", "-")));
    const auto hits = m_store->search(readSearchQuery("alpha"), 5);
    VERIFY_OK(hits);
    QCOMPARE(hits->size(), size_t(5));
    QCOMPARE(hits->front().message, MessageId(192));
    QCOMPARE(hits->front().at, moment(192));
    QVERIFY(std::is_sorted(hits->begin(), hits->end(),
        [](const SearchHit& a, const SearchHit& b) { return a.at > b.at; }));
}

void TestChatSearch::excerptsMarkTheWords()
{
    VERIFY_OK(m_store->write(tests::wholeChat(
        1, "The title", QString::fromUtf8("Über\nCafé alphabet, café; xcafe"), "-")));
    const auto hits = m_store->search(readSearchQuery("cafe alpha"), 5);
    VERIFY_OK(hits);
    QCOMPARE(hits->size(), size_t(1));
    QCOMPARE(hits->front().title, QString("The title"));
    QCOMPARE(hits->front().excerpt, QString::fromUtf8("Über Café alphabet, café; xcafe"));
    QCOMPARE(
        hits->front().marks, (std::vector<std::pair<int, int>> { { 5, 4 }, { 10, 5 }, { 20, 4 } }));
}

void TestChatSearch::longTextsAreCutAroundTheFirstMatch()
{
    const QString text
        = QString(500, u'x') + QString::fromUtf8(" 👍👍👍 needle ") + QString(500, u'y');
    const SearchExcerpt excerpt = searchExcerpt(text, { "needle" });
    QVERIFY(excerpt.text.size() <= 125);
    QVERIFY(excerpt.text.isValidUtf16());
    QVERIFY(excerpt.text.startsWith(u'…') && excerpt.text.endsWith(u'…'));
    QCOMPARE(excerpt.marks.size(), size_t(1));
    QCOMPARE(excerpt.text.mid(excerpt.marks[0].first, excerpt.marks[0].second), QString("needle"));
    for (int length = 400; length < 440; ++length) {
        const SearchExcerpt cut = searchExcerpt(
            QString(length, u'x') + QString::fromUtf8(" 👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍👍 needle"), { "needle" });
        QVERIFY(cut.text.isValidUtf16());
    }
    QCOMPARE(searchExcerpt("short", { "nothing" }).text, QString("short"));
    QVERIFY(searchExcerpt("", { "x" }).text.isEmpty());
}

void TestChatSearch::aProblemIsAnError()
{
    const auto hits = m_store->search(readSearchQuery("is:done"), 5);
    QVERIFY(!hits);
    QVERIFY(tests::errorText(hits).contains("is:done"));
}

QTEST_GUILESS_MAIN(TestChatSearch)
#include "tst_chat_search.moc"
