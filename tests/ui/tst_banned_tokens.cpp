#include "ui/settings/banned_tokens.h"
#include "tests/ui/window_fixture.h"
#include "ui/settings/settings_panel.h"

#include <QAccessible>
#include <QSignalSpy>
#include <QToolButton>

namespace {
QStringList shownTexts(QWidget& widget)
{
    QStringList texts;
    for (const QLabel* label : widget.findChildren<QLabel*>())
        if (!label->isHidden() && !label->parentWidget()->isHidden())
            texts.append(label->text());
    return texts;
}
}

class TestBannedTokens : public QObject {
    Q_OBJECT
private slots:
    void everyBanIsWrittenOutAndOfWhichVocabulary()
    {
        ui::BannedTokens list;
        static_cast<QWidget&>(list).show();
        QCOMPARE(shownTexts(list).size(), 1); // that there is none, and how one comes
        const std::vector<app::BannedToken> bans { { 7, "a", " Paris" }, { 9, "b", "\n" } };
        list.show(bans, "a");
        QTest::qWait(5);
        QCOMPARE(shownTexts(list).size(), 2);
        QCOMPARE(shownTexts(list)[0], QString("‘ Paris’ (token 7)"));
        QVERIFY(shownTexts(list)[1].contains("token 9"));
        QVERIFY(shownTexts(list)[1].contains("another vocabulary"));
        list.show(bans, ""); // no model is loaded: nothing is said of that
        QTest::qWait(5);
        QVERIFY(!shownTexts(list)[1].contains("another vocabulary"));
        QSignalSpy allowed(&list, &ui::BannedTokens::allowed);
        auto* button = list.findChildren<QToolButton*>().at(1);
        QCOMPARE(button->accessibleName(), QString("Allow ‘⏎’ (token 9) again"));
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        QCOMPARE(allowed.size(), 1);
        QVERIFY(allowed[0][0].value<app::BannedToken>() == bans[1]);
        list.show({}, "a");
        QTest::qWait(5);
        QCOMPARE(shownTexts(list).size(), 1);
    }

    void theSettingsOfAChatListItsBansAndTakeThemBack()
    {
        tests::WindowFixture program;
        program.loadModel();
        app::ChatSettings settings = program.chat().settings();
        settings.bannedTokens = { { 'A', program.workspace.vocabularyHash(), "A" }, { 'B', "other", "B" } };
        program.chat().setSettings(settings);
        program.settle();
        auto* list = program.window.settingsPanel().findChild<ui::BannedTokens*>();
        QCOMPARE(shownTexts(*list).size(), 2);
        QVERIFY(shownTexts(*list)[1].contains("another vocabulary"));
        QTest::mouseClick(list->findChildren<QToolButton*>().front(), Qt::LeftButton);
        program.settle();
        QCOMPARE(program.chat().settings().bannedTokens.size(), size_t(1));
        QCOMPARE(program.chat().settings().bannedTokens[0].text, QString("B"));
        QCOMPARE(list->findChildren<QToolButton*>().size(), 1);
        QTest::mouseClick(list->findChildren<QToolButton*>().front(), Qt::LeftButton);
        program.settle();
        QVERIFY(program.chat().settings().bannedTokens.empty());
    }
};

QTEST_MAIN(TestBannedTokens)
#include "tst_banned_tokens.moc"
