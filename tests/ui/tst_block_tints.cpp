#include "ui/chat/block_layout.h"
#include "ui/markdown/markdown_reader.h"

#include <QApplication>
#include <QImage>
#include <QPainter>
#include <QTest>

using ui::BlockLayout;
using ui::TextRange;

class TestBlockTints : public QObject {
    Q_OBJECT
private slots:
    void aStretchHasABoxOnEachOfItsLines();
    void boxesStandWhereCaretsStand();
    void cellsAndCodeLinesHaveBoxes();
    void onlyWhatMayBeSeenIsAskedFor();
    void tintsLieUnderTheText();

private:
    static BlockLayout laidOut(const char* source, qreal width = 200)
    {
        BlockLayout layout(ui::readMarkdown(source).blocks.front());
        layout.setWidth(width, { QApplication::font(), QApplication::font(), 8 });
        return layout;
    }
    static const char* longText()
    {
        return "The quick brown fox jumps over the lazy dog and runs away from it as fast as it "
               "can";
    }
};

void TestBlockTints::aStretchHasABoxOnEachOfItsLines()
{
    const BlockLayout layout = laidOut(longText());
    const std::vector<QRectF> all = layout.rectsOf({ 0, int(layout.text().size()) });
    QVERIFY(all.size() >= 3);
    for (size_t i = 1; i < all.size(); ++i)
        QVERIFY(all[i].top() >= all[i - 1].bottom() - 1);
    QCOMPARE(layout.rectsOf({ 0, 3 }).size(), size_t(1));
    QVERIFY(layout.rectsOf({ 5, 5 }).empty());
    QVERIFY(layout.rectsOf({ 900, 905 }).empty());
}

void TestBlockTints::boxesStandWhereCaretsStand()
{
    const BlockLayout layout = laidOut(longText());
    const QRectF word = layout.rectsOf({ 4, 9 }).front();
    QVERIFY(std::abs(word.left() - layout.caretAt(4).left()) <= BlockLayout::kCaretGap + 0.5);
    QVERIFY(std::abs(word.right() - layout.caretAt(9).left()) <= BlockLayout::kCaretGap + 0.5);
    QCOMPARE(layout.positionAt(word.center() - QPointF(word.width() / 2 - 1, 0)), 4);
}

void TestBlockTints::cellsAndCodeLinesHaveBoxes()
{
    const BlockLayout table = laidOut("| a | b |\n|---|---|\n| one | two |\n", 400);
    QCOMPARE(table.text(), QString("a\tb\none\ttwo\n").chopped(1));
    QCOMPARE(table.rectsOf({ 4, 11 }).size(), size_t(2)); // of two cells
    const BlockLayout code = laidOut("```\nint x;\nint y;\n```\n", 400);
    const std::vector<QRectF> lines = code.rectsOf({ 4, 10 }); // "x;", line break, "int"
    QCOMPARE(lines.size(), size_t(2));
    QVERIFY(lines[1].top() > lines[0].top());
}

void TestBlockTints::onlyWhatMayBeSeenIsAskedFor()
{
    const BlockLayout layout = laidOut(longText());
    const int length = int(layout.text().size());
    QCOMPARE(layout.rangeIn({ 0, 0, 400, layout.height() + 10 }).end, length);
    const QRectF second = layout.rectsOf({ 0, length })[1];
    const TextRange seen = layout.rangeIn({ 0, second.top() + 1, 200, second.height() - 2 });
    QVERIFY(seen.start > 0);
    QVERIFY(seen.end < length);
    for (int i = 0; i < length; ++i)
        if (layout.rectsOf({ i, i + 1 }).front().intersects(second))
            QVERIFY(i >= seen.start && i < seen.end);
}

void TestBlockTints::tintsLieUnderTheText()
{
    const BlockLayout layout = laidOut(longText());
    QImage image(200, int(layout.height()) + 1, QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    const ui::Theme theme = ui::Theme::of(ui::paletteFor(ui::Appearance::Light, {}));
    const QColor tint(200, 220, 90);
    layout.paint(painter, theme, {}, image.rect(), { { { 0, 3 }, tint, 3, ui::TintMark::None } });
    painter.end();
    const QRect box = layout.rectsOf({ 0, 3 }).front().toAlignedRect();
    int tinted = 0;
    int dark = 0;
    for (int y = box.top() + 1; y < box.bottom() - 4; ++y)
        for (int x = box.left() + 1; x < box.right() - 1; ++x) {
            tinted += image.pixelColor(x, y) == tint;
            dark += image.pixelColor(x, y).lightness() < 110;
        }
    QVERIFY(tinted > box.width() * box.height() / 4);
    QVERIFY(dark > 5);
    QVERIFY(image.pixelColor(box.center().x(), box.bottom() - 2).lightness() < 80); // underline
    QCOMPARE(image.pixelColor(box.right() + 1, box.top() + 1), QColor(Qt::white));
}

QTEST_MAIN(TestBlockTints)
#include "tst_block_tints.moc"
