#include "app/storage/search_query.h"

#include <QTest>

using app::readSearchQuery;
using app::SearchQuery;

class TestSearchQuery : public QObject {
    Q_OBJECT
private slots:
    void wordsAndPhrases();
    void everyVerdictIsAState();
    void everyStopReasonCanBeNamed();
    void namesAndPlaces();
    void daysAreOfLocalTime();
    void whatIsNotUnderstoodIsToldInWords_data();
    void whatIsNotUnderstoodIsToldInWords();
    void anUnknownKeyIsText();
};

void TestSearchQuery::wordsAndPhrases()
{
    QVERIFY(readSearchQuery("") == SearchQuery {});
    QVERIFY(readSearchQuery("  \t ") == SearchQuery {});
    const auto words = [](const char* typed) { return readSearchQuery(typed).words; };
    QCOMPARE(words(" two  words "), (std::vector<QString> { "two", "words" }));
    QCOMPARE(words("\"a phrase\" more"), (std::vector<QString> { "a phrase", "more" }));
    QCOMPARE(words("\"not closed yet"), (std::vector<QString> { "not closed yet" }));
    QCOMPARE(words("\"is:partial\""), (std::vector<QString> { "is:partial" }));
    QCOMPARE(words("\"\""), std::vector<QString> {});
}

void TestSearchQuery::everyVerdictIsAState()
{
    const SearchQuery query
        = readSearchQuery("is:partial is:WRITING Is:complete is:capped is:stopped is:edited");
    QCOMPARE(query.states,
        (std::vector<QString> { "partial", "writing", "complete", "capped", "stopped", "edited" }));
    QVERIFY(query.problem.isEmpty());
    QVERIFY(query.words.empty());
}

void TestSearchQuery::everyStopReasonCanBeNamed()
{
    for (const engine::StopReasonInfo& info : engine::stopReasonTable()) {
        const SearchQuery query = readSearchQuery(QString("reason:") + info.name);
        QCOMPARE(query.reasons, std::vector { info.reason });
        QVERIFY(query.problem.isEmpty());
    }
}

void TestSearchQuery::namesAndPlaces()
{
    const SearchQuery query = readSearchQuery("model:smol folder:\"My work\" in:title word");
    QCOMPARE(query.model, QString("smol"));
    QCOMPARE(query.folder, QString("My work"));
    QVERIFY(query.onlyTitles);
    QCOMPARE(query.words, std::vector<QString> { "word" });
    QVERIFY(query.problem.isEmpty());
}

void TestSearchQuery::daysAreOfLocalTime()
{
    const SearchQuery query = readSearchQuery("before:2026-11-30 after:2026-01-02");
    QCOMPARE(query.before, std::optional(QDate(2026, 11, 30).startOfDay()));
    QCOMPARE(query.after, std::optional(QDate(2026, 1, 2).startOfDay()));
    QCOMPARE(query.after->timeSpec(), Qt::UTC);
}

void TestSearchQuery::whatIsNotUnderstoodIsToldInWords_data()
{
    QTest::addColumn<QString>("typed");
    QTest::addColumn<QString>("named");
    QTest::newRow("state") << "is:done"
                           << "“is:done”";
    QTest::newRow("state's choices") << "is:done"
                                     << "partial";
    QTest::newRow("no state") << "is:"
                              << "writing";
    QTest::newRow("reason") << "reason:bored"
                            << "context_full";
    QTest::newRow("day") << "before:yesterday"
                         << "before:2026-11-30";
    QTest::newRow("no such day") << "after:2026-02-30"
                                 << "“after:2026-02-30”";
    QTest::newRow("place") << "in:body"
                           << "in:title";
    QTest::newRow("no name") << "model:"
                             << "“model:”";
    QTest::newRow("no folder") << "folder: x"
                               << "“folder:”";
    QTest::newRow("two problems") << "is:done in:body"
                                  << "in:title";
}

void TestSearchQuery::whatIsNotUnderstoodIsToldInWords()
{
    QFETCH(QString, typed);
    QFETCH(QString, named);
    const QString problem = readSearchQuery(typed).problem;
    QVERIFY2(problem.contains(named), qPrintable(problem));
}

void TestSearchQuery::anUnknownKeyIsText()
{
    const SearchQuery query = readSearchQuery("http://x.org 12:30 note:this :x x:");
    QCOMPARE(
        query.words, (std::vector<QString> { "http://x.org", "12:30", "note:this", ":x", "x:" }));
    QVERIFY(query.problem.isEmpty());
}

QTEST_APPLESS_MAIN(TestSearchQuery)
#include "tst_search_query.moc"
