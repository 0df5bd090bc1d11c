#include "ui/markdown/markdown_stream.h"

#include <QTest>

#include <random>

using ui::BlockKind;
using ui::MarkdownBlock;

namespace {

/// What a person sees of the blocks, for failure messages.
QString show(const std::vector<MarkdownBlock>& blocks)
{
    QString shown;
    for (const MarkdownBlock& block : blocks) {
        shown += QStringLiteral("[%1").arg(int(block.kind));
        for (const ui::BlockContainer& container : block.containers)
            shown += QStringLiteral(" %1'%2'").arg(int(container.kind)).arg(container.marker);
        shown += QStringLiteral("%1] '%2'").arg(block.tight ? " t" : "", block.content.text);
        for (const auto& row : block.rows)
            for (const ui::RichText& cell : row)
                shown += QStringLiteral(" |") + cell.text;
        shown += QLatin1Char('\n');
    }
    return shown;
}

QString plainText(const std::string& source)
{
    QStringList lines;
    for (const MarkdownBlock& block : ui::readMarkdown(source).blocks)
        lines.append(block.content.text);
    return lines.join(QLatin1Char('\n'));
}

const std::vector<std::string> kFragments {
    "Plain words.",
    "Two\nlines",
    "**bold** and *thin*",
    "`code` span",
    "# Heading",
    "Setext",
    "===",
    "---",
    "- item",
    "- second\n- third",
    "* other list",
    "1. one",
    "2. two",
    "3) paren",
    "  continued",
    "    indented",
    "- [ ] open\n- [x] done",
    "> quote",
    "> - list in quote",
    "- > quote in item",
    "```",
    "```python",
    "~~~",
    "````",
    "  ```",
    "- ```\n  inside\n  ```",
    "code line",
    "  code line",
    "\tcode tab",
    "   ",
    "| a | b |\n|---|:-:|\n| 1 | 2 |",
    "| x |",
    "|---|",
    "[label]: http://example.org/",
    "[label]",
    "[text](http://example.org)",
    "[split\nlabel]: /x",
    "![alt](http://127.0.0.1:9/x.png)",
    "![](x.png)\nafter an image",
    "<b>x</b> &amp; <img src=\"x\">",
    "<!-- comment -->",
    "http://example.org/path",
    "\\*escaped\\*",
    "-",
    "+",
    "1.",
    "#",
    "***",
    "a\\",
    "ünïcödé 😀",
    "",
    "",
    "",
    "",
    "- a\n\n  para in item",
    "- a\n\n- loose",
};

std::string randomMarkdown(std::mt19937& random)
{
    std::string source;
    const int count = 1 + int(random() % 12);
    for (int i = 0; i < count; ++i) {
        source += kFragments[random() % kFragments.size()];
        source += random() % 3 ? "\n" : "\n\n";
    }
    if (random() % 2)
        source.pop_back();
    return source;
}

size_t characterEnd(const std::string& text, size_t offset)
{
    while (offset < text.size() && (static_cast<unsigned char>(text[offset]) & 0xC0) == 0x80)
        ++offset;
    return offset;
}

}

class TestMarkdownStream : public QObject {
    Q_OBJECT
private slots:
    void everySplitGivesTheBlocksOfReadingAtOnce();
    void closedBlocksNeverChange();
    void longCodeClosesNothingAndStaysExact();
    void markupIsShownAsItWasWritten_data();
    void markupIsShownAsItWasWritten();
    void linkDefinitionsStayVisible();
    void nestedListsKeepTheirMarkers();
    void codeKeepsIndentationAndTabs();
    void limitsFallBackToPlainText();
};

void TestMarkdownStream::everySplitGivesTheBlocksOfReadingAtOnce()
{
    std::mt19937 random(20240607);
    for (int round = 0; round < 1500; ++round) {
        const std::string source = randomMarkdown(random);
        ui::MarkdownStream stream;
        size_t offset = 0;
        while (offset < source.size()) {
            const size_t length = 1 + random() % (round % 3 == 0 ? 2 : 17);
            const size_t end = characterEnd(source, std::min(offset + length, source.size()));
            stream.append(std::string_view(source).substr(offset, end - offset));
            offset = end;
            const auto atOnce = ui::readMarkdown(std::string_view(source).substr(0, offset)).blocks;
            if (stream.blocks() != atOnce)
                QFAIL(qPrintable(QStringLiteral("source so far:\n%1\nstreamed:\n%2\nat once:\n%3")
                                     .arg(QString::fromStdString(source.substr(0, offset)),
                                         show(stream.blocks()), show(atOnce))));
        }
        QCOMPARE(stream.source(), source);
    }
}

void TestMarkdownStream::closedBlocksNeverChange()
{
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        const std::string source = randomMarkdown(random) + "\n\n" + randomMarkdown(random);
        ui::MarkdownStream stream;
        std::vector<MarkdownBlock> closed;
        for (size_t offset = 0; offset < source.size();) {
            const size_t end = characterEnd(source, offset + 1);
            stream.append(std::string_view(source).substr(offset, end - offset));
            offset = end;
            QVERIFY(stream.closedCount() >= closed.size());
            for (size_t i = 0; i < closed.size(); ++i)
                QCOMPARE(stream.blocks()[i], closed[i]);
            closed.assign(
                stream.blocks().begin(), stream.blocks().begin() + long(stream.closedCount()));
        }
    }
}

void TestMarkdownStream::longCodeClosesNothingAndStaysExact()
{
    std::string source = "Here it is:\n\n```cpp\n";
    ui::MarkdownStream stream;
    stream.append(source);
    for (int i = 0; i < 3000; ++i) {
        const std::string line = "    [x]: int value" + std::to_string(i) + ";\n";
        stream.append(line.substr(0, 7));
        stream.append(line.substr(7));
        source += line;
    }
    stream.append("```\n\nDone.");
    source += "```\n\nDone.";
    QVERIFY(stream.blocks() == ui::readMarkdown(source).blocks);
    QCOMPARE(stream.blocks().size(), size_t(3));
    QCOMPARE(stream.blocks()[1].language, QStringLiteral("cpp"));
    QVERIFY(stream.blocks()[1].content.text.startsWith(QStringLiteral("    [x]: int value0;\n")));
}

void TestMarkdownStream::markupIsShownAsItWasWritten_data()
{
    QTest::addColumn<QString>("message");
    QTest::newRow("G-41") << "Keep <exact lines> visible. <b>x</b> &amp; <img "
                             "src=\"http://127.0.0.1:9/x.png\"> <script>1</script>";
    QTest::newRow("entities") << "&lt;b&gt; &#60; &nbsp;&copy;";
    QTest::newRow("comment") << "<!-- hidden? -->";
    QTest::newRow("block of HTML") << "<div>\nline\n</div>";
    QTest::newRow("image") << "![a picture](http://127.0.0.1:9/x.png)";
    QTest::newRow("local image") << "![](file:///etc/passwd)";
}

void TestMarkdownStream::markupIsShownAsItWasWritten()
{
    QFETCH(QString, message);
    QCOMPARE(plainText(message.toStdString()), message);
}

void TestMarkdownStream::linkDefinitionsStayVisible()
{
    QCOMPARE(plainText("[a]: http://example.org/ \"title\""),
        QStringLiteral("[a]: http://example.org/ \"title\""));
    QCOMPARE(plainText("[^1]: A note."), QStringLiteral("[^1]: A note."));
}

void TestMarkdownStream::nestedListsKeepTheirMarkers()
{
    const auto blocks = ui::readMarkdown("3. three\n   - inner\n4. four\n- [x] task\n").blocks;
    QCOMPARE(blocks.size(), size_t(4));
    QCOMPARE(blocks[0].containers[0].marker, QStringLiteral("3."));
    QCOMPARE(blocks[1].containers.size(), size_t(2));
    QCOMPARE(blocks[1].containers[1].marker, QStringLiteral("\u2022"));
    QCOMPARE(blocks[2].containers[0].marker, QStringLiteral("4."));
    QCOMPARE(blocks[3].containers[0].marker, QStringLiteral("\u2611"));
}

void TestMarkdownStream::codeKeepsIndentationAndTabs()
{
    const auto blocks
        = ui::readMarkdown("```go\nfunc main() {\n\tfor {\n\t    x()\n\n\t}\n}\n```\n").blocks;
    QCOMPARE(blocks.size(), size_t(1));
    QCOMPARE(blocks[0].content.text, QStringLiteral("func main() {\n\tfor {\n\t    x()\n\n\t}\n}"));
}

void TestMarkdownStream::limitsFallBackToPlainText()
{
    const std::string longLine(ui::kLongestMarkdownLine + 1, 'x');
    QCOMPARE(ui::readMarkdown(longLine).blocks[0].kind, BlockKind::Plain);

    std::string table = "| a |\n|---|\n";
    for (size_t i = 0; i <= ui::kMostTableRows; ++i)
        table += "| 1 |\n";
    QCOMPARE(ui::readMarkdown(table).blocks[0].kind, BlockKind::Plain);

    std::string quotes(2000, '>');
    QVERIFY(ui::readMarkdown(quotes + " deep").blocks[0].containers.size() <= ui::kDeepestNesting);
}

QTEST_GUILESS_MAIN(TestMarkdownStream)
#include "tst_markdown_stream.moc"
