#include "ui/inspect/chip_text.h"

#include <QTest>

class TestChipText : public QObject {
    Q_OBJECT
private slots:
    void whatCannotBeSeenHasAMark_data();
    void whatCannotBeSeenHasAMark();
    void marksAreRunsOfTheirOwn();
    void aLineBreakBreaksTheStrip();
    void aControlTokenIsACapsuleWithItsName();
    void aTokenWithoutVocabularyIsItsId();
    void aPieceIsSpokenWithItsSpaces();

private:
    static app::TrackToken token(const std::string& bytes)
    {
        app::TrackToken token;
        token.id = 335;
        token.bytes = bytes;
        return token;
    }
};

void TestChipText::whatCannotBeSeenHasAMark_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::addColumn<QString>("shown");
    QTest::newRow("space") << QByteArray(" on") << QString("·on");
    QTest::newRow("tab") << QByteArray("\tx") << QString("⇥x");
    QTest::newRow("line breaks") << QByteArray(".\n\n") << QString(".⏎⏎");
    QTest::newRow("lone byte") << QByteArray("\xF0") << QString("⟨F0⟩");
    QTest::newRow("half a character") << QByteArray("\xF0\x9F\x8C") << QString("⟨F0⟩⟨9F⟩⟨8C⟩");
    QTest::newRow("tail, then text") << QByteArray("\x9F!") << QString("⟨9F⟩!");
    QTest::newRow("whole character") << QByteArray("\xF0\x9F\x8C\x9F") << QString("🌟");
    QTest::newRow("surrogate half") << QByteArray("\xED\xA0\x80") << QString("⟨ED⟩⟨A0⟩⟨80⟩");
    QTest::newRow("overlong") << QByteArray("\xC0\xAF") << QString("⟨C0⟩⟨AF⟩");
    QTest::newRow("bell") << QByteArray("\x07") << QString("⟨07⟩");
    QTest::newRow("right-to-left override") << QByteArray("\xE2\x80\xAE") << QString("⟨U+202E⟩");
    QTest::newRow("narrow space") << QByteArray("\xE2\x80\xAF") << QString("⟨U+202F⟩");
    QTest::newRow("umlaut") << QByteArray("ü") << QString("ü");
}

void TestChipText::whatCannotBeSeenHasAMark()
{
    QFETCH(QByteArray, bytes);
    QFETCH(QString, shown);
    const ui::ChipText chip = ui::chipText(token(bytes.toStdString()));
    QCOMPARE(chip.text(), shown);
    QVERIFY(!chip.isControl);
}

void TestChipText::marksAreRunsOfTheirOwn()
{
    const ui::ChipText chip = ui::chipText(token("  on\n"));
    const std::vector<ui::ChipRun> expected { { "··", true }, { "on", false }, { "⏎", true } };
    QVERIFY(chip.runs == expected);
}

void TestChipText::aLineBreakBreaksTheStrip()
{
    QVERIFY(ui::chipText(token(".\n")).endsLine);
    QVERIFY(!ui::chipText(token(". ")).endsLine);
}

void TestChipText::aControlTokenIsACapsuleWithItsName()
{
    app::TrackToken end = token("");
    end.controlText = "<|im_end|>";
    const ui::ChipText chip = ui::chipText(end);
    QVERIFY(chip.isControl);
    QCOMPARE(chip.text(), QString("<|im_end|>"));
    // The same characters as ordinary text are no control token.
    QVERIFY(!ui::chipText(token("<|im_end|>")).isControl);
}

void TestChipText::aTokenWithoutVocabularyIsItsId()
{
    const ui::ChipText chip = ui::chipText(token(""));
    QCOMPARE(chip.text(), QString("#335"));
    QVERIFY(!chip.isControl);
}

void TestChipText::aPieceIsSpokenWithItsSpaces()
{
    QCOMPARE(ui::spokenPiece(token(" Paris")), QString(" Paris"));
    QCOMPARE(ui::spokenPiece(token("\xF0")), QString("⟨F0⟩"));
    QCOMPARE(ui::spokenPiece(token("\n")), QString("⏎"));
}

QTEST_APPLESS_MAIN(TestChipText)
#include "tst_chip_text.moc"
