#include "tests/ui/kept_window.h"
#include "ui/chat/chat_page.h"
#include "ui/library/copied_table.h"
#include "ui/library/library_actions.h"
#include "ui/library/plan_bar.h"
#include "ui/library/worksheet_page.h"
#include "ui/library/worksheet_window.h"

#include <QLabel>
#include <QMenuBar>
#include <QPdfWriter>
#include <QPushButton>
#include <QTabWidget>

using engine::StopReason;
using tests::KeptWindow;

namespace {

/// The program with a chat, and the worksheet of what was typed into its message box.
struct PlanFixture {
    QTemporaryDir folder;
    KeptWindow program { folder };
    ui::WorksheetWindow* sheet = nullptr;

    PlanFixture()
    {
        program.converse("Hi", "Hello");
        QTest::keyClicks(box(), "When does it open?");
        openPlan();
    }
    ui::MessageEdit* box() { return program.window.chatPage().input().edit(); }
    void openPlan()
    {
        sheet = nullptr;
        const auto note = connect(program.window.library());
        QTest::keyClick(&program.window, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        QObject::disconnect(note);
    }
    QMetaObject::Connection connect(ui::LibraryActions& library)
    {
        return QObject::connect(&library, &ui::LibraryActions::opened, &program.window,
            [this](ui::WorksheetWindow* window) { sheet = window; });
    }
    template <typename Widget> Widget* part(const char* name)
    {
        return sheet->findChild<Widget*>(QLatin1String(name));
    }
    QString words() { return part<QLabel>("planWords")->text(); }
    void press(const char* name) { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
    QString page() { return sheet->page().toPlainText(); }
    /// The value of a row of the saved table.
    QString valueOf(const QString& field)
    {
        sheet->saveTo(folder.filePath("sheet.tsv"));
        QFile file(folder.filePath("sheet.tsv"));
        if (!file.open(QIODevice::ReadOnly))
            return "not written";
        for (const QString& line : QString::fromUtf8(file.readAll()).split('\n'))
            if (line.section('\t', 1, 1) == field)
                return line.section('\t', 2, 2);
        return "no such row";
    }
};

}

/// The next run of a chat as a worksheet, by key and mouse.
class TestPlannedWorksheet : public QObject {
    Q_OBJECT
private slots:
    void theNextRunIsShownWithBlanks()
    {
        PlanFixture fixture;
        QVERIFY(fixture.sheet);
        QVERIFY(fixture.page().contains("A planned run: nobody has started it."));
        QVERIFY(fixture.page().contains("When does it open?"));
        QCOMPARE(fixture.valueOf("File"), QString("tiny.gguf"));
        QCOMPARE(fixture.valueOf("Length cap, new tokens"), QString("1024"));
        QVERIFY(!fixture.valueOf("Seed").isEmpty());
        for (const char* blank : { "Started by", "Opened at", "New tokens", "Reason", "Time to first output",
                 "Time to completion", "Tokens reused", "Requirements" })
            QCOMPARE(fixture.valueOf(blank), QString());
        QVERIFY2(fixture.words().contains("filled only by the run that is started here"), qPrintable(fixture.words()));
        QVERIFY(!fixture.part<QPushButton>("verify")->isVisible());
        QVERIFY(fixture.part<QPushButton>("runPlan")->isVisible());
        QCOMPARE(fixture.box()->toPlainText(), QString("When does it open?")); // nothing was sent
        QCOMPARE(fixture.program.engine.requests.size(), size_t(1));
        QPdfWriter pdf(fixture.folder.filePath("plan.pdf"));
        fixture.sheet->page().printTo(pdf);
        QVERIFY(QFileInfo(fixture.folder.filePath("plan.pdf")).size() > 1000);
    }

    void itsButtonStartsThatRunAndTheSameWindowIsFilled()
    {
        PlanFixture fixture;
        const QString seed = fixture.valueOf("Seed");
        const size_t before = fixture.program.engine.requests.size();
        fixture.press("runPlan");
        QVERIFY(QTest::qWaitFor([&] { return fixture.program.engine.requests.size() > before; }, 5000));
        QVERIFY2(fixture.words().contains("under way"), qPrintable(fixture.words()));
        QCOMPARE(fixture.box()->toPlainText(), QString());
        QCOMPARE(QString::number(fixture.program.engine.requests.back().sampling.seed), seed);
        fixture.program.engine.token("On Monday");
        QTest::qWait(30);
        QCOMPARE(fixture.valueOf("New tokens"), QString()); // not before its end
        fixture.program.engine.end(StopReason::LengthCap);
        QTRY_COMPARE(fixture.valueOf("Reason"), QString("length_cap"));
        QCOMPARE(fixture.valueOf("Started by"), QString("worksheet"));
        QCOMPARE(fixture.valueOf("New tokens"), QString("1"));
        QCOMPARE(fixture.valueOf("Seed"), seed);
        QVERIFY(fixture.page().contains("On Monday"));
        QVERIFY(!fixture.page().contains("A planned run"));
        QVERIFY2(fixture.words().startsWith("Filled by the run"), qPrintable(fixture.words()));
        QVERIFY(!fixture.part<QPushButton>("runPlan")->isVisible());
        QVERIFY(fixture.part<QPushButton>("verify")->isVisible());
        QCOMPARE(fixture.part<ui::CopiedTable>("tokens")->model()->rowCount(), 1);
        QCOMPARE(fixture.program.chat().turnCount(), size_t(4));
        // When it was painted is known a moment later.
        QTRY_VERIFY2(fixture.valueOf("Time to first output").endsWith(" s"), qPrintable(fixture.valueOf("Time to first output")));
    }

    void aRunStartedInTheChatFillsNothing()
    {
        PlanFixture fixture;
        const size_t before = fixture.program.engine.requests.size();
        QTest::keyClick(fixture.box(), Qt::Key_Return);
        fixture.program.answerNext(before, "On Monday");
        QTest::qWait(50);
        QCOMPARE(fixture.valueOf("Reason"), QString());
        QVERIFY(fixture.page().contains("A planned run"));
        fixture.press("runPlan");
        QVERIFY2(fixture.words().startsWith("Not started. The chat has gone on"), qPrintable(fixture.words()));
        QCOMPARE(fixture.program.chat().turnCount(), size_t(4));
    }

    void aChangedSettingIsNamed()
    {
        PlanFixture fixture;
        app::ChatSettings settings = fixture.program.chat().settings();
        settings.sampling.temperature = 0;
        fixture.program.chat().setSettings(settings);
        fixture.press("runPlan");
        QVERIFY2(fixture.words().contains("Temperature (0.8 → 0.0)"), qPrintable(fixture.words()));
        QCOMPARE(fixture.program.chat().turnCount(), size_t(2));
        QCOMPARE(fixture.box()->toPlainText(), QString("When does it open?"));
    }

    void whatWasTypedSinceStays()
    {
        PlanFixture fixture;
        QTest::keyClicks(fixture.box(), " And close?");
        fixture.press("runPlan"); // of what was typed when it was planned
        QTRY_COMPARE(fixture.program.chat().turnCount(), size_t(4));
        QCOMPARE(fixture.program.chat().turns()[2]->text, QString("When does it open?"));
        QCOMPARE(fixture.box()->toPlainText(), QString("When does it open? And close?"));
    }

    void theRunIsStoppedInItsWindow()
    {
        PlanFixture fixture;
        const size_t before = fixture.program.engine.requests.size();
        fixture.press("runPlan");
        QVERIFY(QTest::qWaitFor([&] { return fixture.program.engine.requests.size() > before; }, 5000));
        QCOMPARE(fixture.part<QPushButton>("runPlan")->text(), QString("Stop the &run"));
        fixture.press("runPlan");
        QCOMPARE(fixture.program.engine.cancelled.size(), size_t(1));
        fixture.program.engine.end(StopReason::Cancelled);
        QTRY_COMPARE(fixture.valueOf("Verdict"), QString("partial"));
    }

    void withoutAMessageNothingIsPlanned()
    {
        PlanFixture fixture;
        fixture.box()->clear();
        QSignalSpy failed(&fixture.program.window.library(), &ui::LibraryActions::failed);
        fixture.openPlan();
        QVERIFY(!fixture.sheet);
        QCOMPARE(failed.size(), 1);
        QVERIFY2(failed[0][0].toString().contains("The message box is empty"), qPrintable(failed[0][0].toString()));
    }

    void closingItLeavesTheRunAlone()
    {
        PlanFixture fixture;
        const size_t before = fixture.program.engine.requests.size();
        fixture.press("runPlan");
        fixture.sheet->close();
        QTest::qWait(20);
        fixture.program.answerNext(before, "On Monday");
        QCOMPARE(fixture.program.chat().lastDraft()->text(), std::string("On Monday"));
    }
};

QTEST_MAIN(TestPlannedWorksheet)
#include "tst_planned_worksheet.moc"
