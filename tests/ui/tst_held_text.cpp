#include "tests/ui/window_fixture.h"

#include <QAccessible>

using engine::StopReason;

namespace {
/// The answer of G-09, token by token.
std::vector<std::string> counting(int upTo)
{
    std::vector<std::string> pieces;
    for (int i = 1; i <= upTo; ++i) {
        if (i > 1)
            pieces.insert(pieces.end(), { ",", " " });
        for (const char digit : std::to_string(i))
            pieces.push_back({ digit });
    }
    return pieces;
}

/// U+1F31F as SmolLM2 writes it: three tokens, of two bytes, one and one.
const std::vector<std::string> kStar { "\xF0\x9F", "\x8C", "\x9F" };

/// Everything the window has shown as released text, and that none of it was withdrawn.
struct ShownLog {
    tests::WindowFixture& fixture;
    QStringList states {};
    QStringList ghosts {};
    QStringList footers {};

    QString shown() const { return states.isEmpty() ? QString() : states.back(); }
    bool note()
    {
        fixture.settle(25);
        const ui::TextSurface& surface = fixture.lastAnswer()->surface();
        const QString now = surface.plainText();
        const bool kept = now.startsWith(shown());
        states.append(now);
        ghosts.append(surface.ghost());
        footers.append(fixture.footerText());
        return kept && !now.contains(QChar::ReplacementCharacter)
            && !surface.ghost().contains(QChar::ReplacementCharacter);
    }
};

void setStops(tests::WindowFixture& fixture, const QStringList& stops)
{
    app::ChatSettings settings = fixture.chat().settings();
    settings.stopStrings = stops;
    fixture.chat().setSettings(settings);
}

QString noteOf(tests::WindowFixture& fixture) { return fixture.lastAnswer()->words().note; }
}

/// Text that is held back is seen as such, and nothing that was shown is ever withdrawn.
class TestHeldText : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QAccessible::setActive(true); }
    void g10_aStopStringAcrossTokensNeverShows_data();
    void g10_aStopStringAcrossTokensNeverShows();
    void g10_whatIsHeldBackIsSaidInBytes();
    void g11_everythingHeldBackIsReleasedAtTheEnd();
    void g18_anEmojiShowsWholeOrNotAtAll();
    void g19_aCapInsideACharacterIsMarked();
    void aGhostIsNoPartOfTheAnswer();
    void aGhostIsSeenAfterTheReleasedText_data();
    void aGhostIsSeenAfterTheReleasedText();
    void aLongGhostWrapsInsideTheColumn();
    void assistiveSoftwareIsToldWhatIsHeld();
};

void TestHeldText::g10_aStopStringAcrossTokensNeverShows_data()
{
    QTest::addColumn<QString>("stop");
    QTest::addColumn<QString>("text");
    const auto row
        = [](const char* stop, const char* text) { QTest::newRow(stop) << stop << text; };
    row("5, 6", "1, 2, 3, 4, ");
    row(", 7, ", "1, 2, 3, 4, 5, 6");
    row("10, 11", "1, 2, 3, 4, 5, 6, 7, 8, 9, ");
    row("6", "1, 2, 3, 4, 5, ");
    row(" 6", "1, 2, 3, 4, 5,");
}

void TestHeldText::g10_aStopStringAcrossTokensNeverShows()
{
    QFETCH(QString, stop);
    QFETCH(QString, text);
    tests::WindowFixture fixture;
    fixture.loadModel();
    setStops(fixture, { stop });
    fixture.send("Count to 30.");
    ShownLog log { fixture };
    for (const std::string& piece : counting(30)) {
        const bool goesOn = fixture.engine.piece(piece);
        QVERIFY2(log.note(), qPrintable(log.states.join('\n')));
        // Not one state shows more than the final text.
        QVERIFY2(text.startsWith(log.shown()), qPrintable(log.shown()));
        if (!goesOn)
            break;
    }
    QCOMPARE(QString::fromStdString(fixture.chat().lastDraft()->text()), text);
    QCOMPARE(log.shown(), text.trimmed());
    QVERIFY(log.ghosts.back().isEmpty());
    if (stop.size() > 1)
        QVERIFY(log.ghosts.join(QString()).contains(stop.left(1)));
    QCOMPARE(fixture.chip()->text(), QString::fromUtf8("at your stop string ‘%1’").arg(stop));
}

void TestHeldText::g10_whatIsHeldBackIsSaidInBytes()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    setStops(fixture, { "5, 6" });
    fixture.send("Count");
    ShownLog log { fixture };
    for (const char* piece : { "4", ",", " ", "5", ",", " " }) {
        fixture.engine.piece(piece);
        QVERIFY(log.note());
    }
    QCOMPARE(log.ghosts, (QStringList { "", "", "", "5", "5,", "5, " }));
    QVERIFY(log.footers[3].contains(QString::fromUtf8("1 of 4 bytes of ‘5, 6’ held back")));
    QVERIFY(log.footers[5].contains(QString::fromUtf8("3 of 4 bytes of ‘5, 6’ held back")));
    QVERIFY(log.footers[5].contains("Partial"));
    fixture.engine.piece("7"); // it was something else: all of it is released
    QVERIFY(log.note());
    QCOMPARE(log.shown(), QString("4, 5, 7"));
    QVERIFY(log.ghosts.back().isEmpty());
    QVERIFY(!log.footers.back().contains("held back"));
}

void TestHeldText::g11_everythingHeldBackIsReleasedAtTheEnd()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    const auto textWith = [&](const QStringList& stops, size_t cap) {
        setStops(fixture, stops);
        fixture.send("Count");
        ShownLog log { fixture };
        const std::vector<std::string> pieces = counting(30);
        for (size_t i = 0; i < cap; ++i)
            fixture.engine.piece(pieces[i]);
        if (!log.note())
            return QStringLiteral("withdrawn");
        if (!stops.isEmpty() && log.ghosts.back().isEmpty())
            return QStringLiteral("nothing was held");
        fixture.engine.endPieces(StopReason::LengthCap);
        if (!log.note() || !log.ghosts.back().isEmpty())
            return QStringLiteral("not released");
        return log.shown();
    };
    // The 64th token is the "1" of 19, a possible start of "1Z".
    const QString plain = textWith({}, 64);
    QVERIFY2(plain.endsWith("18, 1"), qPrintable(plain));
    QCOMPARE(textWith({ "1Z" }, 64), plain);
    const QString shorter = textWith({}, 62);
    QCOMPARE(textWith({ ", 19" }, 62), shorter);
}

void TestHeldText::g18_anEmojiShowsWholeOrNotAtAll()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Reply with one emoji");
    ShownLog log { fixture };
    const QString star = QString::fromUtf8("🌟");
    for (int i = 0; i < 3; ++i)
        for (const std::string& piece : kStar) {
            fixture.engine.piece(piece);
            QVERIFY(log.note());
            QCOMPARE(QString(log.shown()).remove(star), QString());
        }
    QCOMPARE(log.shown(), star.repeated(3));
    QCOMPARE(log.ghosts.mid(0, 3),
        (QStringList { QString::fromUtf8("⟨F0 9F⟩"), QString::fromUtf8("⟨F0 9F 8C⟩"), "" }));
    QVERIFY(log.footers[0].contains("2 bytes of an unfinished character held back"));
    QVERIFY(log.footers[1].contains("3 bytes of an unfinished character held back"));
    QVERIFY(!log.footers[2].contains("unfinished"));
}

void TestHeldText::g19_aCapInsideACharacterIsMarked()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    fixture.send("Reply with one emoji");
    ShownLog log { fixture };
    for (int i = 0; i < 64; ++i)
        fixture.engine.piece(kStar[size_t(i) % 3]);
    QVERIFY(log.note());
    fixture.engine.endPieces(StopReason::LengthCap);
    QVERIFY(log.note());
    QCOMPARE(log.shown(), QString::fromUtf8("🌟").repeated(21));
    QCOMPARE(log.ghosts.back(), QString::fromUtf8("⟨F0 9F⟩"));
    QCOMPARE(noteOf(fixture),
        QString::fromUtf8("not known to be complete · 2 bytes of an unfinished character"));
    QCOMPARE(fixture.chat().lastDraft()->records().size(), size_t(64));
    // Marked, but no part of what is copied.
    QVERIFY(!fixture.lastAnswer()->surface().plainText().contains("F0"));
}

void TestHeldText::aGhostIsNoPartOfTheAnswer()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    setStops(fixture, { "END" });
    fixture.send("Hi");
    fixture.engine.piece("The ");
    fixture.engine.piece("EN");
    fixture.settle();
    ui::TextSurface& surface = fixture.lastAnswer()->surface();
    QCOMPARE(surface.ghost(), QString("EN"));
    surface.selectAll();
    QCOMPARE(surface.selectedText(), QString("The"));
    QCOMPARE(
        QAccessible::queryAccessibleInterface(&surface)->text(QAccessible::Value), QString("The"));
}

void TestHeldText::aGhostIsSeenAfterTheReleasedText_data()
{
    QTest::addColumn<QByteArray>("before");
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("words") << QByteArray("Some words ");
    QTest::newRow("paragraphs") << QByteArray("One.\n\nTwo.");
    QTest::newRow("new line") << QByteArray("One.\n\n");
    QTest::newRow("list") << QByteArray("- a\n- b");
    QTest::newRow("code") << QByteArray("```\nint a;");
    QTest::newRow("table") << QByteArray("| a | b |\n|---|---|\n| c | d |\n");
    QTest::newRow("rule") << QByteArray("a\n\n---\n\n");
}

void TestHeldText::aGhostIsSeenAfterTheReleasedText()
{
    QFETCH(QByteArray, before);
    tests::WindowFixture fixture;
    fixture.loadModel();
    setStops(fixture, { "stopping" });
    fixture.send("Hi");
    if (!before.isEmpty())
        fixture.engine.piece(before.toStdString());
    fixture.settle(100);
    ui::TextSurface& surface = fixture.lastAnswer()->surface();
    surface.setCaretShown(false);
    const QImage without = surface.grab().toImage();
    fixture.engine.piece("stop");
    fixture.settle(100);
    QCOMPARE(surface.ghost(), QString("stop"));
    const QImage with = surface.grab().toImage();
    // Something new is drawn, and what stood there still stands.
    int changed = 0;
    const QRgb page = with.isNull() ? 0 : with.pixel(with.width() - 1, with.height() - 1);
    for (int y = 0; y < with.height(); ++y)
        for (int x = 0; x < with.width(); ++x) {
            const QRgb old
                = x < without.width() && y < without.height() ? without.pixel(x, y) : page;
            changed += with.pixel(x, y) != old;
        }
    QVERIFY2(changed > 40, qPrintable(QString::number(changed)));
}

void TestHeldText::aLongGhostWrapsInsideTheColumn()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    const QString stop = QStringLiteral("a long stop string that is held back ").repeated(12) + "X";
    setStops(fixture, { stop });
    fixture.send("Hi");
    fixture.engine.piece("Some words before it: ");
    fixture.settle();
    ui::TextSurface& surface = fixture.lastAnswer()->surface();
    const int lineHeight = surface.height();
    fixture.engine.piece(stop.chopped(1).toStdString());
    fixture.settle(100);
    QVERIFY(surface.height() > lineHeight * 3);
    QCOMPARE(surface.height(), surface.heightForWidth(surface.width()));
    fixture.engine.piece("X");
    fixture.settle(100);
    QCOMPARE(surface.height(), lineHeight);
}

void TestHeldText::assistiveSoftwareIsToldWhatIsHeld()
{
    tests::WindowFixture fixture;
    fixture.loadModel();
    setStops(fixture, { "5, 6" });
    fixture.send("Hi");
    fixture.engine.piece("5");
    fixture.settle();
    QAccessibleInterface* accessible
        = QAccessible::queryAccessibleInterface(&fixture.lastAnswer()->surface());
    QCOMPARE(accessible->text(QAccessible::Description),
        QString::fromUtf8("1 of 4 bytes of ‘5, 6’ held back"));
    fixture.engine.piece("!");
    fixture.settle();
    QCOMPARE(accessible->text(QAccessible::Description), QString());
}

QTEST_MAIN(TestHeldText)
#include "tst_held_text.moc"
