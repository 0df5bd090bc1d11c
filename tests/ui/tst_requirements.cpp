#include "tests/ui/window_fixture.h"
#include "ui/chat/ledger_view.h"
#include "ui/inspect/inspector_pane.h"
#include "ui/settings/requirement_choice.h"
#include "ui/settings/settings_panel.h"

#include <QComboBox>
#include <QTabWidget>
#include <QToolButton>

using tests::WindowFixture;

namespace {

constexpr const char* kNotice = "The museum opens on Monday at 9:30, on Saturday at 10:00.";

/// The window on a chat with a notice that asks for the museum's hours.
struct RequirementFixture : WindowFixture {
    RequirementFixture()
    {
        loadModel();
        workspace.addSources(chat(), { app::sourceTextOf("notice.txt", kNotice) });
        auto* sets = choice();
        sets->setFocus();
        QTest::keyClick(sets, Qt::Key_Down);
        settle();
    }
    QComboBox* choice() { return window.findChild<QComboBox*>(QStringLiteral("requirements")); }
    QToolButton* accept()
    {
        return lastAnswer()->footer().findChild<QToolButton*>(QStringLiteral("acceptAnswer"));
    }
    bool figuresSay(const char* words)
    {
        return QTest::qWaitFor([&] { return figures().contains(QString::fromUtf8(words)); }, 5000);
    }
    void answer(const char* text, engine::StopReason reason)
    {
        send("When does it open?");
        engine.token(text);
        engine.end(reason);
        settle();
    }
};

constexpr const char* kWhole = "It opens on Monday at 9:30, on Saturday at 10:00.";

}

/// Requirements of a chat in the window, by key and mouse.
class TestRequirements : public QObject {
    Q_OBJECT
private slots:
    void aShippedSetIsChosenByKey()
    {
        RequirementFixture fixture;
        const auto& chosen = fixture.chat().settings().requirements;
        QVERIFY(chosen && chosen->isShipped);
        QCOMPARE(chosen->origin, QString("museum-hours"));
        QCOMPARE(fixture.choice()->currentText(), QString("Museum hours"));
        QTest::keyClick(fixture.choice(), Qt::Key_Up);
        QVERIFY(!fixture.chat().settings().requirements);
    }

    void theFooterCountsWhatIsPresentWhileItIsWritten()
    {
        RequirementFixture fixture;
        fixture.send("When does it open?");
        fixture.engine.token("It opens on Monday, ");
        QVERIFY2(fixture.figuresSay("present so far 1 of 4 · not ready"), qPrintable(fixture.figures()));
        QVERIFY(fixture.stateLabel()->text().startsWith("Partial"));
        fixture.engine.token("at 9:30, on Saturday at 10:00.");
        fixture.engine.end(engine::StopReason::EndToken);
        QVERIFY2(fixture.figuresSay("4 of 4 · ready"), qPrintable(fixture.figures()));
        QVERIFY(!fixture.footerText().contains("not checked"));
        QVERIFY(fixture.stateLabel()->accessibleName().contains("4 of 4 · ready"));
    }

    void theLedgerListsEveryRequirement()
    {
        RequirementFixture fixture;
        fixture.answer("It opens on Sunday.", engine::StopReason::EndToken);
        QVERIFY2(fixture.figuresSay("checks failed"), qPrintable(fixture.figures()));
        QTest::mouseClick(fixture.chip(), Qt::LeftButton);
        fixture.settle();
        QVERIFY(fixture.lastAnswer()->isLedgerShown());
        auto* checks = fixture.lastAnswer()->findChild<QLabel*>(QStringLiteral("ledgerChecks"));
        QVERIFY(checks);
        QTRY_VERIFY2(checks->isVisible(), qPrintable(checks->text() + (checks->parentWidget()->isVisible() ? " shown" : " hidden")));
        QVERIFY2(checks->text().contains("✓ opening day: met, “Sunday”"), qPrintable(checks->text()));
        QVERIFY2(checks->text().contains("✗ opening time: failed"), qPrintable(checks->text()));
        auto* figures = fixture.lastAnswer()->footer().findChild<QLabel*>(QStringLiteral("figures"));
        QCOMPARE(figures->accessibleDescription(), checks->text());
        auto* ledger = fixture.lastAnswer()->findChild<ui::LedgerView*>();
        QVERIFY2(ledger->words().cause.endsWith("only what you ask of it was checked."), qPrintable(ledger->words().cause));
    }

    void acceptingIsOfferedForCheckedCompleteAnswersOnly()
    {
        RequirementFixture fixture;
        fixture.answer(kWhole, engine::StopReason::LengthCap);
        QVERIFY(fixture.figuresSay("present so far"));
        QVERIFY(!fixture.accept()->isVisible());
        QTest::keyClick(&fixture.window, Qt::Key_R, Qt::ControlModifier);
        fixture.settle();
        fixture.engine.token(kWhole);
        fixture.engine.end(engine::StopReason::EndToken);
        QVERIFY(fixture.figuresSay("4 of 4 · ready"));
        QVERIFY(fixture.accept()->isVisible());
        QCOMPARE(fixture.accept()->text(), QString("Accept for use"));
        fixture.accept()->setFocus();
        QTest::keyClick(fixture.accept(), Qt::Key_Space);
        QVERIFY(fixture.chat().lastDraft()->acceptance());
        QVERIFY2(fixture.footerText().contains("accepted for use"), qPrintable(fixture.footerText()));
        QCOMPARE(fixture.accept()->text(), QString("Take back"));
        QTest::mouseClick(fixture.accept(), Qt::LeftButton);
        QVERIFY(!fixture.chat().lastDraft()->acceptance());
        QTest::mouseClick(fixture.accept(), Qt::LeftButton);
        QVERIFY(fixture.chat().lastDraft()->acceptance());
        fixture.send("Thank you");
        QVERIFY(!fixture.view().answerAt(1)->footer().findChild<QToolButton*>("acceptAnswer")->isVisible());
    }

    void aFileIsTakenInWholeAndABadOneIsToldInWords()
    {
        RequirementFixture fixture;
        const QString path = fixture.folder.filePath("mine.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"requirement_set": 1, "name": "Mine", "requirements": [
            {"kind": "field", "name": "greeting", "pattern": "hello"}]})");
        file.close();
        auto* choice = fixture.window.findChild<ui::RequirementChoice*>();
        choice->takeFile(path);
        QCOMPARE(fixture.choice()->currentText(), QString("Mine (mine.json)"));
        QVERIFY(file.remove());
        fixture.answer("Hello!", engine::StopReason::EndToken);
        QVERIFY(fixture.figuresSay("1 of 1 · ready"));
        choice->takeFile(path);
        bool isTold = false;
        for (const QLabel* label : choice->findChildren<QLabel*>())
            isTold = isTold || label->text().startsWith("mine.json was not taken: ");
        QVERIFY(isTold);
        QCOMPARE(fixture.chat().settings().requirements->origin, path);
    }

    void theTimelineTellsOfTheChecksToo()
    {
        RequirementFixture fixture;
        fixture.answer(kWhole, engine::StopReason::EndToken);
        QVERIFY(fixture.figuresSay("4 of 4 · ready"));
        QTest::keyClick(&fixture.window, Qt::Key_I, Qt::ControlModifier);
        ui::InspectorPane& pane = fixture.window.inspectorPane();
        pane.tabs().setCurrentIndex(pane.tabs().indexOf(pane.findChild<QWidget*>("runTimeline")));
        auto* result = pane.findChild<QLabel*>(QStringLiteral("resultWords"));
        QVERIFY(result);
        QTRY_VERIFY2(result->text().contains("checks: 4 of 4 · ready"), qPrintable(result->text()));
    }
};

QTEST_MAIN(TestRequirements)
#include "tst_requirements.moc"
