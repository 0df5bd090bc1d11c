#include "app/conversation/chat_import.h"
#include "tests/ui/kept_window.h"
#include "ui/chat/chat_files.h"

#include <QFile>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QTimer>

using tests::KeptWindow;

namespace {

QByteArray contents(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// What the window's note says.
QString noteOf(KeptWindow& program)
{
    QStringList texts;
    for (const QLabel* label : program.window.findChildren<QLabel*>())
        if (label->isVisible())
            texts.append(label->text());
    return texts.join(QLatin1Char('\n'));
}

/// Opens an entry of the File menu by its letter and types a path into the dialog that comes.
void chooseFile(KeptWindow& program, Qt::Key letter, const QString& path)
{
    QApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
    QTimer::singleShot(200, &program.window, [path] {
        auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
        if (!dialog)
            return;
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, path);
        QTest::keyClick(name, Qt::Key_Return);
        if (dialog->isVisible())
            dialog->reject();
    });
    QMenu* file = program.window.menuBar()->actions().front()->menu();
    file->popup(program.window.mapToGlobal(QPoint(10, 10)));
    QTest::keyClick(file, letter);
}

}

class TestChatFiles : public QObject {
    Q_OBJECT
private slots:
    void aChatIsExportedAndImportedFromTheMenu();
    void anImportedChatIsTheSameAfterARestart();
    void markdownIsWhatIsShown();
    void aDamagedFileIsRefusedWithTheFieldAndAddsNothing();
    void whatCannotBeWrittenIsSaid();
    void aPrivateChatIsNotReadFromTheDisk();
    void withoutAStoreAnImportHasItsTokens();
};

void TestChatFiles::aChatIsExportedAndImportedFromTheMenu()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Name a fruit", "The quince.", engine::StopReason::LengthCap);
    const QString path = folder.filePath("fruit.json");
    chooseFile(program, Qt::Key_E, path);
    QTRY_VERIFY(!contents(path).isEmpty());
    QVERIFY(noteOf(program).contains("fruit.json"));

    const app::Conversation* original = &program.chat();
    const size_t before = program.workspace.conversations().size();
    chooseFile(program, Qt::Key_T, path);
    QTRY_COMPARE(program.workspace.conversations().size(), before + 1);
    QVERIFY(&program.chat() != original);
    QVERIFY(program.chat().id() != original->id());
    QCOMPARE(program.chat().title(), original->title());
    QCOMPARE(program.chat().lastAnswer()->text(), std::string("The quince."));
    QVERIFY(program.chat().lastAnswer()->verdict() == engine::Verdict::Capped);
    QCOMPARE(original->turnCount(), size_t(2));
}

void TestChatFiles::anImportedChatIsTheSameAfterARestart()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("fruit.json");
    {
        KeptWindow program(folder);
        program.converse("Name a fruit", "The quince.");
        QVERIFY(program.workspace.regenerate(program.chat()));
        program.answerNext(1, "The medlar.");
        program.chat().setFolder(program.workspace.folders().add("Kitchen"));
        program.window.files().writeTo(path, program.chat());
        QTRY_VERIFY(!contents(path).isEmpty());
        program.workspace.close();
    }
    const QTemporaryDir other;
    {
        KeptWindow program(other);
        program.window.files().readFrom(path);
        QVERIFY(program.storage.flush(5000));
        program.workspace.close();
    }
    KeptWindow program(other);
    QCOMPARE(program.rows().mid(0, 2), QStringList({ "[Kitchen]", "Name a fruit" }));
    program.window.showConversation(program.model()->conversationAt(program.model()->index(1)));
    QTRY_COMPARE(program.chat().turnCount(), size_t(2));
    QCOMPARE(program.chat().lastAnswer()->text(), std::string("The medlar."));
    QCOMPARE(program.chat().tree().turns().size(), size_t(3));
    // The very tokens are there: it can be written on.
    program.window.files().writeTo(other.filePath("again.json"), program.chat());
    QTRY_VERIFY(!contents(other.filePath("again.json")).isEmpty());
    const auto again = app::chatFromJson(contents(other.filePath("again.json")).toStdString());
    QVERIFY(again.has_value());
    QVERIFY(!again->details.at(0).promptIds.empty());
    QCOMPARE(again->details.at(0).tokens.size(), size_t(1));
}

void TestChatFiles::markdownIsWhatIsShown()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Count", "1, 2,", engine::StopReason::Cancelled);
    const QString path = folder.filePath("count.md");
    program.window.files().writeTo(path, program.chat());
    const QByteArray text = contents(path);
    QVERIFY(text.contains("> 1, 2,\n\n*Tokenglass: partial"));
}

void TestChatFiles::aDamagedFileIsRefusedWithTheFieldAndAddsNothing()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    const QString path = folder.filePath("bad.json");
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(R"({"format":"tokenglass-chat","version":1,"messages":[]})");
    file.close();
    const size_t before = program.workspace.conversations().size();
    program.window.files().readFrom(path);
    QVERIFY2(noteOf(program).contains("conversation is missing"), qPrintable(noteOf(program)));
    QCOMPARE(program.workspace.conversations().size(), before);
    program.window.files().readFrom(folder.filePath("nowhere.json"));
    QVERIFY(noteOf(program).contains("nowhere.json was not imported"));
}

void TestChatFiles::whatCannotBeWrittenIsSaid()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Hi", "Hello.");
    program.window.files().writeTo(folder.filePath("no/such/folder/chat.json"), program.chat());
    QTRY_VERIFY(noteOf(program).contains("could not be written"));
}

void TestChatFiles::aPrivateChatIsNotReadFromTheDisk()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    QTest::keyClick(&program.window, Qt::Key_N, Qt::ControlModifier | Qt::AltModifier);
    QVERIFY(program.chat().isPrivate());
    program.converse("Secret", "Hush.");
    program.window.files().writeTo(folder.filePath("secret.json"), program.chat());
    QVERIFY(noteOf(program).contains("not kept on the disk"));
    QVERIFY(!QFile::exists(folder.filePath("secret.json")));
    program.window.files().writeTo(folder.filePath("secret.md"), program.chat());
    QVERIFY(contents(folder.filePath("secret.md")).contains("Hush."));
}

void TestChatFiles::withoutAStoreAnImportHasItsTokens()
{
    const QTemporaryDir folder;
    const QString path = folder.filePath("fruit.json");
    {
        KeptWindow program(folder);
        program.converse("Name a fruit", "The quince.");
        program.window.files().writeTo(path, program.chat());
        QTRY_VERIFY(!contents(path).isEmpty());
    }
    tests::FakeEngine engine;
    app::Workspace workspace(engine.factory());
    const auto file = app::chatFromJson(contents(path).toStdString());
    QVERIFY(file.has_value());
    const app::Conversation& added = workspace.addConversation(*file);
    QVERIFY(added.lastAnswer()->hasDetails());
    QCOMPARE(added.lastDraft()->records().size(), size_t(1));
}

QTEST_MAIN(TestChatFiles)
#include "tst_chat_files.moc"
