#include "ui/chat/answer_tints.h"
#include "ui/chat/text_surface.h"

#include <QTest>

namespace {

const char* const kSource = "The **cat** sat.\n\nOn a [mat](https://example.org), `x = 1`:\n\n"
                            "| a | b |\n|---|---|\n| one | two |\n\n```cpp\nint x;\n```\n\n"
                            "- first\n- second üöä\n\nThe end \xF0\x9F\x8C\x9F.";

/// Three bytes a token, widened to whole characters.
std::vector<ui::ByteTint> tintsOf(const std::string& source)
{
    std::vector<ui::ByteTint> tints;
    const auto isInside = [&](size_t i) { return i < source.size() && (source[i] & 0xC0) == 0x80; };
    for (size_t start = 0; start < source.size();) {
        size_t end = std::min(source.size(), start + 3);
        while (isInside(end))
            ++end;
        tints.push_back({ { start, end }, Qt::yellow, 1 });
        start = end;
    }
    return tints;
}

struct Surface {
    ui::MarkdownStream stream;
    ui::TextSurface surface;
    ui::AnswerTints tints { stream, surface };

    void write(const std::string& text)
    {
        const size_t firstChanged = stream.closedCount();
        stream.append(text);
        surface.setBlocks(stream.blocks(), firstChanged);
        tints.noteGrown();
    }
};

}

class TestAnswerTints : public QObject {
    Q_OBJECT
private slots:
    void placesAreThoseOfTheWholeSource();
    void writingGivesTheSameAsAllAtOnce();
    void textThatWasNotReleasedHasNoTintYet();
    void clearingLeavesNone();
};

void TestAnswerTints::placesAreThoseOfTheWholeSource()
{
    const std::string source = kSource;
    Surface shown;
    shown.write(source);
    shown.tints.append(tintsOf(source));
    QTest::qWait(20);
    const ui::SourceMap map(source);
    const std::vector<ui::ByteTint> given = tintsOf(source);
    QCOMPARE(shown.surface.tints().count(), given.size());
    for (size_t i = 0; i < given.size(); ++i) {
        const ui::TextPlace end = map.placeOfEnd(given[i].bytes.end);
        const ui::TextPlace start = std::min(map.placeOfStart(given[i].bytes.start), end);
        QVERIFY2(shown.surface.tints()[i].end == end, qPrintable(QString("end of %1").arg(i)));
        QVERIFY2(
            shown.surface.tints()[i].start == start, qPrintable(QString("start of %1").arg(i)));
    }
}

void TestAnswerTints::writingGivesTheSameAsAllAtOnce()
{
    const std::string source = kSource;
    Surface whole;
    whole.write(source);
    whole.tints.append(tintsOf(source));
    Surface grown;
    for (const ui::ByteTint& tint : tintsOf(source)) {
        grown.write(source.substr(tint.bytes.start, tint.bytes.end - tint.bytes.start));
        grown.tints.append({ tint });
        QTest::qWait(1);
    }
    QTest::qWait(20);
    QCOMPARE(grown.surface.tints().count(), whole.surface.tints().count());
    for (size_t i = 0; i < whole.surface.tints().count(); ++i) {
        const ui::TextTint& expected = whole.surface.tints()[i];
        const ui::TextTint& tint = grown.surface.tints()[i];
        // Markup alone stands at the end of the block before or at the start of the one after.
        QVERIFY((tint.start == expected.start && tint.end == expected.end)
            || (tint.start == tint.end && expected.start == expected.end));
    }
}

void TestAnswerTints::textThatWasNotReleasedHasNoTintYet()
{
    Surface shown;
    shown.tints.append({ { { 0, 3 }, Qt::yellow, 1 }, { { 3, 6 }, Qt::yellow, 1 } });
    shown.write("The");
    QTest::qWait(20);
    QCOMPARE(shown.surface.tints().count(), size_t(1));
    shown.write(" ca");
    QTest::qWait(20);
    QCOMPARE(shown.surface.tints().count(), size_t(2));
    QCOMPARE(shown.surface.tints()[1].end.position, 6);
}

void TestAnswerTints::clearingLeavesNone()
{
    Surface shown;
    shown.write("The cat");
    shown.tints.append(tintsOf("The cat"));
    QTest::qWait(20);
    QCOMPARE(shown.surface.tints().count(), size_t(3));
    shown.tints.clear();
    QCOMPARE(shown.surface.tints().count(), size_t(0));
    shown.write(" sat");
    QTest::qWait(20);
    QCOMPARE(shown.surface.tints().count(), size_t(0));
}

QTEST_MAIN(TestAnswerTints)
#include "tst_answer_tints.moc"
