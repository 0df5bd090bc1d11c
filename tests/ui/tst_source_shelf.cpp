#include "tests/ui/window_fixture.h"
#include "ui/chat/source_dialog.h"
#include "ui/chat/source_shelf.h"
#include "ui/notice_bar.h"

#include <QClipboard>
#include <QDropEvent>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QTimer>
#include <QToolButton>

namespace {

struct Room : tests::WindowFixture {
    Room() { loadModel(); }

    QString file(const QString& name, const QByteArray& bytes)
    {
        QFile written(folder.filePath(name));
        if (written.open(QIODevice::WriteOnly))
            written.write(bytes);
        return written.fileName();
    }
    /// Over the messages, as the system tells it.
    bool drop(const QStringList& paths)
    {
        QMimeData mime;
        QList<QUrl> urls;
        for (const QString& path : paths)
            urls.append(QUrl::fromLocalFile(path));
        mime.setUrls(urls);
        QDragEnterEvent enter(
            QPoint(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window.chatPage(), &enter);
        if (!enter.isAccepted())
            return false;
        QDropEvent drop(QPointF(10, 10), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window.chatPage(), &drop);
        settle();
        return drop.isAccepted();
    }
    ui::SourceShelf& shelf() { return *window.findChild<ui::SourceShelf*>(); }
};

}

class TestSourceShelf : public QObject {
    Q_OBJECT
private slots:
    void droppedTextsAreShownWithNameAndTokens();
    void aModelThatIsDroppedIsNoSource();
    void aTextIsPastedThroughTheMenu();
    void filesAreChosenByKeyboardAndKeepEveryByte();
    void pastedTextHasLineFeedsAndItsOwnBlanks();
    void aFileThatIsNoTextIsToldAndTheOthersAdded();
    void chipsKeepTheKeyboardWhileTheyAreCounted();
    void theGaugeSaysWhatTheNextPromptTakes();
    void aRemovedTextIsBroughtBack();
    void aTextIsReadButNotChanged();
    void whatIsRefusedIsToldInTheChat();
    void chipsBreakIntoLines();
};

void TestSourceShelf::droppedTextsAreShownWithNameAndTokens()
{
    Room room;
    QVERIFY(!room.shelf().isVisible());
    QVERIFY(room.drop({ room.file("notes.txt", "12345"), room.file("b.md", "1") }));
    QVERIFY(room.shelf().isVisible());
    QCOMPARE(room.shelf().chips().size(), size_t(2));
    QTRY_COMPARE(room.shelf().chips()[0]->openButton()->text(), QString("notes.txt · 5 tokens"));
    QVERIFY(room.shelf().chips()[1]->openButton()->accessibleName().contains("1 token"));
    QVERIFY(room.shelf().geometry().bottom() <= room.window.chatPage().input().y());
    room.send("Well?");
    QVERIFY(QString::fromStdString(room.chat().lastDraft()->origin().promptText)
                .contains("Source \"notes.txt\":\n```\n12345\n```"));
}

void TestSourceShelf::aModelThatIsDroppedIsNoSource()
{
    Room room;
    QVERIFY(!room.drop({ "/models/other.gguf" }));
    QVERIFY(room.chat().sources().empty());
}

void TestSourceShelf::aTextIsPastedThroughTheMenu()
{
    Room room;
    QTest::keyClick(&room.window, Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
    room.settle();
    auto* dialog = room.window.findChild<ui::SourceDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    QTest::keyClicks(dialog->findChild<QPlainTextEdit*>("sourceText"), "one line");
    QTest::keyClicks(dialog->findChild<QLineEdit*>("sourceName"), "Mine");
    QTest::keyClick(dialog->findChild<QLineEdit*>("sourceName"), Qt::Key_Return);
    room.settle();
    QCOMPARE(room.chat().sources().size(), size_t(1));
    QCOMPARE(room.chat().sources()[0].name, QString("Mine"));
    QCOMPARE(room.chat().sources()[0].text, QByteArray("one line"));
}

void TestSourceShelf::filesAreChosenByKeyboardAndKeepEveryByte()
{
    Room room;
    const QString path = room.file("notes.txt", "\xEF\xBB\xBFone\r\ntwo\r");
    QTest::keyClick(&room.window, Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
    room.settle();
    auto* dialog = room.window.findChild<ui::SourceDialog*>();
    QVERIFY(dialog);
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QTimer::singleShot(200, dialog, [path] {
        auto* files = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!files)
            return;
        auto* name = files->findChild<QLineEdit*>("fileNameEdit");
        name->setFocus();
        QTest::keyClicks(name, path);
        QTest::keyClick(name, Qt::Key_Return);
        if (files->isVisible())
            files->reject();
    });
    auto* choose = dialog->findChild<QPushButton*>("chooseFiles");
    choose->setFocus();
    QTest::keyClick(choose, Qt::Key_Space);
    room.settle();
    QCOMPARE(room.chat().sources().size(), size_t(1));
    QCOMPARE(room.chat().sources()[0].name, QString("notes.txt"));
    QCOMPARE(room.chat().sources()[0].text, QByteArray("\xEF\xBB\xBFone\r\ntwo\r"));
}

void TestSourceShelf::pastedTextHasLineFeedsAndItsOwnBlanks()
{
    Room room;
    room.window.chatPage().addSource();
    auto* dialog = room.window.findChild<ui::SourceDialog*>();
    QVERIFY(dialog);
    QMimeData pasted;
    pasted.setText(QString::fromUtf8("one\r\ntwo\xC2\xA0three\n\n"));
    QGuiApplication::clipboard()->setText(pasted.text());
    dialog->findChild<QPlainTextEdit*>("sourceText")->paste();
    dialog->accept();
    room.settle();
    QCOMPARE(room.chat().sources().size(), size_t(1));
    QCOMPARE(room.chat().sources()[0].text, QByteArray("one\ntwo\xC2\xA0three\n\n"));
}

void TestSourceShelf::aFileThatIsNoTextIsToldAndTheOthersAdded()
{
    Room room;
    QVERIFY(room.drop({ room.file("report.pdf", "%PDF"), room.file("a.txt", "1") }));
    QCOMPARE(room.chat().sources().size(), size_t(1));
    QVERIFY(room.problemText().contains("report.pdf"));
}

void TestSourceShelf::chipsKeepTheKeyboardWhileTheyAreCounted()
{
    Room room;
    QVERIFY(room.drop({ room.file("a.txt", "1") }));
    room.shelf().chips()[0]->openButton()->setFocus();
    QVERIFY(room.drop({ room.file("b.txt", "12") }));
    QTRY_COMPARE(room.shelf().chips()[1]->openButton()->text(), QString("b.txt · 2 tokens"));
    QCOMPARE(room.window.focusWidget(), room.shelf().chips()[0]->openButton());
    // Tab goes from chip to chip and then into the message box.
    for (QWidget* next : std::initializer_list<QWidget*> { room.shelf().chips()[0]->removeButton(),
             room.shelf().chips()[1]->openButton(), room.shelf().chips()[1]->removeButton() }) {
        QTest::keyClick(room.window.focusWidget(), Qt::Key_Tab);
        QCOMPARE(room.window.focusWidget(), next);
    }
    QTest::keyClick(room.window.focusWidget(), Qt::Key_Tab);
    QVERIFY2(room.window.chatPage().input().isAncestorOf(room.window.focusWidget()),
        qPrintable(room.window.focusWidget()->metaObject()->className() + QString(" ")
            + room.window.focusWidget()->objectName()));
}

void TestSourceShelf::theGaugeSaysWhatTheNextPromptTakes()
{
    Room room;
    QVERIFY(room.drop({ room.file("a.txt", QByteArray(9000, 'x')) }));
    const auto shown = [&] { return room.window.findChild<QLabel*>("tokenCount")->text(); };
    QTRY_VERIFY2(shown().startsWith("will not fit"), qPrintable(shown()));
    QVERIFY(shown().contains("more than 9,000 tokens"));
    QVERIFY(shown().contains("9,000 of them source texts"));
    QVERIFY(room.window.findChild<QLabel*>("tokenCount")->accessibleName().contains("8,192"));
    room.type("Well?");
    QTRY_VERIFY2(shown().startsWith("5 tokens"), qPrintable(shown()));
}

void TestSourceShelf::aRemovedTextIsBroughtBack()
{
    Room room;
    QVERIFY(room.drop({ room.file("notes.txt", "12345") }));
    QToolButton* remove = room.shelf().chips()[0]->removeButton();
    QVERIFY(remove->accessibleName().contains("notes.txt"));
    remove->setFocus();
    QTest::keyClick(remove, Qt::Key_Space);
    room.settle();
    QVERIFY(room.chat().sources().empty());
    QVERIFY(!room.shelf().isVisible());
    QVERIFY(room.window.findChild<ui::NoticeBar*>()->text().contains("notes.txt"));
    QTest::keyClick(&room.window, Qt::Key_Z, Qt::ControlModifier | Qt::AltModifier);
    room.settle();
    QCOMPARE(room.chat().sources().size(), size_t(1));
    QVERIFY(room.shelf().isVisible());
}

void TestSourceShelf::aTextIsReadButNotChanged()
{
    Room room;
    QVERIFY(room.drop({ room.file("notes.txt", "12345") }));
    QTest::mouseClick(room.shelf().chips()[0]->openButton(), Qt::LeftButton);
    room.settle();
    auto* reader = room.window.findChild<ui::SourceReader*>();
    QVERIFY(reader && reader->isVisible());
    auto* text = reader->findChild<QPlainTextEdit*>();
    QVERIFY(text->isReadOnly());
    QCOMPARE(text->toPlainText(), QString("12345"));
    QTest::keyClick(reader, Qt::Key_Escape);
    room.settle();
}

void TestSourceShelf::whatIsRefusedIsToldInTheChat()
{
    Room room;
    room.drop({ room.file("latin.txt", "Gr\xFC") });
    QVERIFY(room.chat().sources().empty());
    QVERIFY(room.problemText().contains("latin.txt"));
}

void TestSourceShelf::chipsBreakIntoLines()
{
    Room room;
    for (int i = 0; i < 7; ++i)
        QVERIFY(room.drop({ room.file(QString("a longer name %1.txt").arg(i), "12345") }));
    const auto& chips = room.shelf().chips();
    QVERIFY(chips.back()->y() > chips.front()->y());
    for (const ui::SourceChip* chip : chips)
        QVERIFY(room.shelf().rect().contains(chip->geometry()));
    for (const int width : { 700, 1280, 900 }) {
        room.window.resize(width, 700);
        room.settle(300);
        for (const ui::SourceChip* chip : chips)
            QVERIFY(room.shelf().rect().contains(chip->geometry()));
    }
}

QTEST_MAIN(TestSourceShelf)
#include "tst_source_shelf.moc"
