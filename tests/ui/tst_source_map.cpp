#include "ui/chat/block_layout.h"
#include "ui/markdown/markdown_reader.h"
#include "ui/markdown/source_map.h"

#include <QTest>

using namespace ui;

namespace {
/// What is shown of a stretch of source, blocks divided by a bar.
QString shownOf(const std::string& source, size_t start, size_t end)
{
    const MarkdownReading reading = readMarkdown(source);
    const SourceMap map(source);
    const TextPlace to = map.placeOfEnd(end);
    const TextPlace from = std::min(map.placeOfStart(start), to);
    QString shown;
    for (size_t i = from.block; i <= to.block && i < reading.blocks.size(); ++i) {
        const QString text = BlockLayout(reading.blocks[i]).text();
        const int first = i == from.block ? from.position : 0;
        const int last = i == to.block ? to.position : int(text.size());
        shown
            += (i == from.block ? QString() : QStringLiteral("|")) + text.mid(first, last - first);
    }
    return shown;
}

QString shownOf(const std::string& source, const std::string& part)
{
    const size_t start = source.find(part);
    return start == source.npos ? QStringLiteral("not in the source")
                                : shownOf(source, start, start + part.size());
}
}

class TestSourceMap : public QObject {
    Q_OBJECT
private slots:
    void sourceIsFoundWhereItIsShown_data()
    {
        QTest::addColumn<QString>("source");
        QTest::addColumn<QString>("part");
        QTest::addColumn<QString>("shown");
        const auto row
            = [](const char* name, const char* source, const char* part, const char* shown) {
                  QTest::newRow(name) << QString::fromUtf8(source) << QString::fromUtf8(part)
                                      << QString::fromUtf8(shown);
              };
        row("plain", "The exhibition opens", " opens", " opens");
        row("bold", "It is **very** late", "very", "very");
        row("markup and words", "It is **very** late", "**very** l", "very l");
        row("markup alone", "It is **very** late", "**", "");
        row("second paragraph", "One.\n\nTwo words.", "words", "words");
        row("over a border", "One.\n\nTwo words.", "One.\n\nTwo", "One.|Two");
        row("line break alone", "One.\n\nTwo.", "\n\n", "");
        row("heading", "# Title here\n\nText", "here", "here");
        row("list", "- first\n- second item\n", "second", "second");
        row("code", "```c\nint a;\n    int b;\n```\n", "int b", "int b");
        row("inline code", "call `f(x)` now", "f(x)", "f(x)");
        row("table", "| a | b |\n|---|---|\n| cc | dd |\n| ee | ff |\n", "ff", "ff");
        row("table cell", "| a | b |\n|---|---|\n| cc | dd |\n", "cc | dd", "cc\tdd");
        row("wide letters", "één 漢字 🌟 star", "🌟 st", "🌟 st");
        row("escape", "a \\* b", "* b", "* b");
        row("guarded bracket", "[x] and\n[y]: z more", "z more", "z more");
        row("link", "see [the page](http://a.b/c) now", "now", "now");
        row("entity", "a &amp; b", "&amp; b", "&amp; b");
    }
    void sourceIsFoundWhereItIsShown()
    {
        QFETCH(QString, source);
        QFETCH(QString, part);
        QFETCH(QString, shown);
        QCOMPARE(shownOf(source.toStdString(), part.toStdString()), shown);
    }
    void everyByteHasAPlaceInsideTheBlocks()
    {
        const std::string source = "# A\n\n1. *x* `y`\n   > q\n\n| a |\n|---|\n| b |\n\n---\n\n"
                                   "```\n\tcode\n\n```\n\nend **b";
        const auto blocks = readMarkdown(source).blocks;
        const SourceMap map(source);
        TextPlace last;
        for (size_t i = 0; i <= source.size(); ++i)
            for (const TextPlace place : { map.placeOfStart(i), map.placeOfEnd(i) }) {
                QVERIFY(place.block < blocks.size());
                QVERIFY(place.position <= int(BlockLayout(blocks[place.block]).text().size()));
            }
        for (size_t i = 0; i <= source.size(); ++i) {
            QVERIFY(last <= map.placeOfEnd(i));
            last = map.placeOfEnd(i);
        }
    }
    void nothingHasOnlyOnePlace()
    {
        QCOMPARE(SourceMap("").placeOfStart(0), TextPlace());
        QCOMPARE(SourceMap("\n\n").placeOfEnd(2), TextPlace());
    }
    void anOverlongLineIsPlainText()
    {
        const std::string source = "**" + std::string(kLongestMarkdownLine + 1, 'a') + "** b";
        QCOMPARE(shownOf(source, source.size() - 4, source.size()), QString("** b"));
    }
};

QTEST_GUILESS_MAIN(TestSourceMap)
#include "tst_source_map.moc"
