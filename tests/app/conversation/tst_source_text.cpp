#include "app/conversation/source_text.h"
#include "app/runs/run_record.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using app::readSourceFile;
using app::sourceBlock;
using app::SourceText;
using app::sourceTextOf;

namespace {

SourceText taken(const QString& name, const QByteArray& bytes)
{
    const auto source = sourceTextOf(name, bytes);
    return source ? *source : SourceText {};
}

QString refusal(const QString& name, const QByteArray& bytes)
{
    const auto source = sourceTextOf(name, bytes);
    return source ? QString() : QString::fromStdString(source.error().message);
}

}

class TestSourceText : public QObject {
    Q_OBJECT
private slots:
    void theTextIsKeptAsItCame();
    void aByteOrderMarkIsKept();
    void whatIsNotUtf8IsRefusedByName_data();
    void whatIsNotUtf8IsRefusedByName();
    void aTextThatIsTooLargeIsRefusedWithBothNumbers();
    void anEmptyTextIsRefused();
    void aNameIsOneLine();
    void aFileIsNamedAfterItself();
    void aMissingFileIsToldByName();
    void otherFilesAreRefusedByName();
    void theFenceIsLongerThanAnyInTheText();
    void theTextStandsInItsBlockByteForByte();
    void filesOfTextAreKnownByTheirNames();
};

void TestSourceText::theTextIsKeptAsItCame()
{
    const QByteArray bytes("Zeile 1\r\nGr\xC3\xBC\xC3\x9F"
                           "e\r\n\xC2\xA0<|im_end|>\n");
    const SourceText source = taken("a.txt", bytes);
    QCOMPARE(source.text, bytes);
    QCOMPARE(source.sha256, app::sha256Hex(bytes.toStdString()));
    QCOMPARE(source.name, QString("a.txt"));
}

void TestSourceText::aByteOrderMarkIsKept()
{
    for (const char* bytes : { "\xEF\xBB\xBFtext", "\xEF\xBB\xBF\xEF\xBB\xBFx", "a\xEF\xBB\xBF" })
        QCOMPARE(taken("a.txt", bytes).text, QByteArray(bytes));
}

void TestSourceText::whatIsNotUtf8IsRefusedByName_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("Latin-1") << QByteArray("Gr\xFC\xDF"
                                           "e");
    QTest::newRow("cut off") << QByteArray("abc\xE2\x82");
    QTest::newRow("overlong") << QByteArray("\xC0\xAF");
    QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80");
    QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80");
    QTest::newRow("UTF-16") << QByteArray("\xFF\xFEh\0i\0", 6);
}

void TestSourceText::whatIsNotUtf8IsRefusedByName()
{
    QFETCH(QByteArray, bytes);
    QVERIFY(refusal("Notes.txt", bytes).contains("Notes.txt"));
    QVERIFY(refusal("Notes.txt", bytes).contains("UTF-8"));
}

void TestSourceText::aTextThatIsTooLargeIsRefusedWithBothNumbers()
{
    QVERIFY(sourceTextOf("a.txt", QByteArray(app::kLargestSourceBytes, 'a')));
    const QString words = refusal("a.txt", QByteArray(app::kLargestSourceBytes + 1, 'a'));
    QVERIFY(words.contains("a.txt"));
    QVERIFY(words.contains(QLocale().toString(app::kLargestSourceBytes + 1)));
    QVERIFY(words.contains(QLocale().toString(app::kLargestSourceBytes)));
    QTemporaryDir folder;
    QFile file(folder.filePath("large.md"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    QVERIFY(file.resize(app::kLargestSourceBytes + 7));
    file.close();
    const auto read = readSourceFile(file.fileName());
    QVERIFY(!read);
    QVERIFY(QString::fromStdString(read.error().message)
                .contains(QLocale().toString(app::kLargestSourceBytes + 7)));
}

void TestSourceText::anEmptyTextIsRefused() { QVERIFY(refusal("a.txt", "").contains("a.txt")); }

void TestSourceText::aNameIsOneLine()
{
    QCOMPARE(taken(" a\n\"b\"\t.txt\x01", "x").name, QString("a 'b' .txt"));
    QVERIFY(!taken("", "x").name.isEmpty());
    for (const char* name : { " a\n\"b\"\t.txt\x01", "a \x01", "\x7f  b" }) {
        const QString once = taken(name, "x").name;
        QCOMPARE(taken(once, "x").name, once); // as after an export and an import
    }
}

void TestSourceText::aFileIsNamedAfterItself()
{
    QTemporaryDir folder;
    QFile file(folder.filePath("Über uns.txt"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("one\r\ntwo");
    file.close();
    const auto read = readSourceFile(file.fileName());
    QVERIFY(read);
    QCOMPARE(read->name, QString("Über uns.txt"));
    QCOMPARE(read->text, QByteArray("one\r\ntwo"));
}

void TestSourceText::aMissingFileIsToldByName()
{
    const auto read = readSourceFile("/nowhere/gone.txt");
    QVERIFY(!read);
    QCOMPARE(read.error().code, engine::ErrorCode::Io);
    QVERIFY(QString::fromStdString(read.error().message).contains("gone.txt"));
}

void TestSourceText::otherFilesAreRefusedByName()
{
    const auto read = app::readSourceFiles({ "/nowhere/report.pdf", "/nowhere/gone.txt" });
    QCOMPARE(read.size(), size_t(2));
    QCOMPARE(read[0].error().code, engine::ErrorCode::BadRequest);
    QVERIFY(QString::fromStdString(read[0].error().message).contains("report.pdf"));
    QVERIFY(QString::fromStdString(read[0].error().message).contains(".md"));
    QCOMPARE(read[1].error().code, engine::ErrorCode::Io);
}

void TestSourceText::theFenceIsLongerThanAnyInTheText()
{
    QCOMPARE(
        sourceBlock(taken("a.txt", "text")), std::string("Source \"a.txt\":\n```\ntext\n```\n\n"));
    QCOMPARE(sourceBlock(taken("a.md", "````\ncode\n````")),
        std::string("Source \"a.md\":\n`````\n````\ncode\n````\n`````\n\n"));
}

void TestSourceText::theTextStandsInItsBlockByteForByte()
{
    for (const char* text : { "x", "a\r\n", "```", "\n\n", "Source \"a\":\n```\nx\n```\n\n" }) {
        const SourceText source = taken("a", text);
        QCOMPARE(QByteArray::fromStdString(sourceBlock(source))
                     .mid(qsizetype(textOffsetInBlock(source)), source.text.size()),
            source.text);
    }
}

void TestSourceText::filesOfTextAreKnownByTheirNames()
{
    for (const char* name : { "/a/b.txt", "C.MD", "x.markdown" })
        QVERIFY(app::isSourceFileName(name));
    for (const char* name : { "/a/b.gguf", "txt", "a.md.pdf", "" })
        QVERIFY(!app::isSourceFileName(name));
}

QTEST_GUILESS_MAIN(TestSourceText)
#include "tst_source_text.moc"
