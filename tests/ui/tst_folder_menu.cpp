#include "tests/ui/kept_window.h"
#include "ui/chat/folder_menu.h"

#include <QAbstractItemModelTester>
#include <QLineEdit>

using tests::KeptWindow;

namespace {

/// Chooses an entry of the folder menu by its keys, as it stands when it opens.
void choose(KeptWindow& program, const QString& text)
{
    auto* menu = program.window.findChild<ui::FolderMenu*>();
    menu->popup(program.window.mapToGlobal(QPoint(40, 40)));
    QTRY_VERIFY(menu->isVisible());
    for (QAction* action : menu->actions())
        if (action->text().remove(QLatin1Char('&')).startsWith(text)) {
            while (menu->activeAction() != action)
                QTest::keyClick(menu, Qt::Key_Down);
            QTest::keyClick(menu, Qt::Key_Return);
            return;
        }
    menu->close();
    QFAIL(qPrintable(QStringLiteral("no entry “%1”").arg(text)));
}

/// Types a name into the editor that is open in the list.
void typeName(KeptWindow& program, const QString& name)
{
    QTRY_VERIFY(program.list()->findChild<QLineEdit*>());
    auto* editor = program.list()->findChild<QLineEdit*>();
    editor->selectAll();
    QTest::keyClicks(editor, name);
    QTest::keyClick(editor, Qt::Key_Return);
    QTest::qWait(20);
}

}

class TestFolderMenu : public QObject {
    Q_OBJECT
private slots:
    void aNewFolderIsNamedInPlaceAndHoldsTheConversation();
    void foldersAreThereAfterARestart();
    void aFolderIsRenamedAndRemovedAndItsConversationsStay();
    void aConversationLeavesItsFolder();
    void twoFoldersNeverHaveOneName();
    void deletingIsNotOfferedOnAHeading();
    void theListIsAWellBehavedModel();
    void anEarlierAnswerThatIsUnfinishedHasItsBadge();
};

void TestFolderMenu::aNewFolderIsNamedInPlaceAndHoldsTheConversation()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Soup", "Boil it.");
    choose(program, "New folder");
    typeName(program, "Recipes & more");
    QCOMPARE(program.rows().mid(0, 3),
        QStringList({ "[Recipes & more]", "Soup", "[Outside of folders]" }));
    QCOMPARE(program.model()->conversationAt(program.list()->currentIndex()), &program.chat());
}

void TestFolderMenu::foldersAreThereAfterARestart()
{
    const QTemporaryDir folder;
    {
        KeptWindow program(folder);
        program.converse("Soup", "Boil it.");
        choose(program, "New folder");
        typeName(program, "Recipes");
        program.workspace.close();
    }
    KeptWindow program(folder);
    QCOMPARE(
        program.rows().mid(0, 3), QStringList({ "[Recipes]", "Soup", "[Outside of folders]" }));
}

void TestFolderMenu::aFolderIsRenamedAndRemovedAndItsConversationsStay()
{
    const QTemporaryDir folder;
    {
        KeptWindow program(folder);
        program.converse("Soup", "Boil it.");
        choose(program, "New folder");
        typeName(program, "Recipes");
        choose(program, "Rename folder");
        typeName(program, "Kitchen");
        QCOMPARE(program.rows().value(0), QStringLiteral("[Kitchen]"));
        choose(program, "Remove folder");
        QCOMPARE(program.rows(), QStringList({ "Soup" }));
        program.workspace.close();
    }
    KeptWindow program(folder);
    QVERIFY(program.rows().contains("Soup"));
    QVERIFY(!program.rows().contains("[Kitchen]"));
}

void TestFolderMenu::aConversationLeavesItsFolder()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Soup", "Boil it.");
    choose(program, "New folder");
    typeName(program, "Recipes");
    choose(program, "No folder");
    QCOMPARE(program.rows(), QStringList({ "[Recipes]", "[Outside of folders]", "Soup" }));
    choose(program, "Recipes");
    QCOMPARE(program.rows(), QStringList({ "[Recipes]", "Soup", "[Outside of folders]" }));
}

void TestFolderMenu::twoFoldersNeverHaveOneName()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    app::FolderList& folders = program.workspace.folders();
    const app::FolderId one = folders.add("One");
    const app::FolderId two = folders.add(" Two ");
    QCOMPARE(folders.nameOf(two), QStringLiteral("Two"));
    QCOMPARE(folders.add("one"), one);
    QVERIFY(!folders.rename(two, "ONE"));
    QVERIFY(!folders.rename(two, "  "));
    QVERIFY(folders.rename(one, "ONE"));
    QCOMPARE(folders.add("  "), app::FolderId(0));
}

void TestFolderMenu::deletingIsNotOfferedOnAHeading()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.converse("Soup", "Boil it.");
    choose(program, "New folder");
    typeName(program, "Recipes");
    QAction* remove = nullptr;
    for (QAction* action : program.list()->actions())
        if (action->text().contains("Delete"))
            remove = action;
    QVERIFY(remove && remove->isEnabled());
    program.list()->setFocus();
    QTest::keyClick(program.list(), Qt::Key_Up);
    QVERIFY(program.model()->headingAt(program.list()->currentIndex()) != 0);
    QVERIFY(!remove->isEnabled());
    QCOMPARE(program.chat().title(), QStringLiteral("Soup")); // what is shown stays
    QTest::keyClick(program.list(), Qt::Key_Down);
    QVERIFY(remove->isEnabled());
}

void TestFolderMenu::theListIsAWellBehavedModel()
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    QAbstractItemModelTester tester(
        program.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    app::FolderList& folders = program.workspace.folders();
    std::vector<app::Conversation*> chats;
    for (int i = 0; i < 6; ++i) {
        chats.push_back(&program.workspace.addConversation(app::ConversationKind::Chat));
        chats.back()->setTitle(QStringLiteral("Chat %1").arg(i));
    }
    const app::FolderId b = folders.add("B");
    const app::FolderId a = folders.add("A");
    for (size_t i = 0; i < chats.size(); ++i)
        chats[i]->setFolder(i % 3 == 0 ? a : i % 3 == 1 ? b : 0);
    QCOMPARE(program.rows().mid(0, 8),
        QStringList({ "[A]", "Chat 3", "Chat 0", "[B]", "Chat 4", "Chat 1", "[Outside of folders]",
            "Chat 5" }));
    folders.rename(a, "Z");
    QCOMPARE(program.rows().value(0), QStringLiteral("[B]"));
    folders.remove(b);
    QCOMPARE(program.rows().value(0), QStringLiteral("[Z]"));
    program.workspace.removeConversation(*chats[3]);
    QCOMPARE(program.rows().mid(0, 2), QStringList({ "[Z]", "Chat 0" }));
    program.workspace.restoreConversation(*chats[3]);
    QCOMPARE(program.rows().mid(0, 3), QStringList({ "[Z]", "Chat 3", "Chat 0" }));
}

void TestFolderMenu::anEarlierAnswerThatIsUnfinishedHasItsBadge()
{
    const QTemporaryDir folder;
    const auto badgeOf = [](KeptWindow& program) {
        const QModelIndex index = program.model()->indexOf(&program.chat());
        return index.data(ui::ConversationListModel::EarlierRole).toBool()
            ? index.data(Qt::AccessibleTextRole).toString()
            : QString();
    };
    {
        KeptWindow program(folder);
        program.converse("Count", "1, 2,", engine::StopReason::LengthCap);
        QCOMPARE(badgeOf(program), QString()); // the last answer has its own badge
        program.converse("Thanks", "Welcome.");
        QVERIFY(badgeOf(program).contains("1 earlier answer is not known to be complete"));
        program.workspace.close();
    }
    KeptWindow program(folder);
    for (int row = 0; row < program.model()->rowCount(); ++row) {
        const QModelIndex index = program.model()->index(row);
        QCOMPARE(index.data(ui::ConversationListModel::EarlierRole).toBool(),
            index.data().toString() == "Count");
    }
}

QTEST_MAIN(TestFolderMenu)
#include "tst_folder_menu.moc"
