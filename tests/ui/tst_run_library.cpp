#include "app/runs/opened_record.h"
#include "tests/ui/kept_window.h"
#include "ui/chat/answer_view.h"
#include "ui/compare/aligned_view.h"
#include "ui/compare/ledger_table.h"
#include "ui/library/copied_table.h"
#include "ui/library/library_actions.h"
#include "ui/library/run_library.h"
#include "ui/library/worksheet_page.h"
#include "ui/library/worksheet_window.h"

#include <QClipboard>
#include <QComboBox>
#include <QDateEdit>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPdfWriter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

#include <cmath>

using engine::StopReason;
using tests::KeptWindow;

namespace {

/// The program with three runs in two conversations, and its library opened by its key.
struct LibraryFixture {
    QTemporaryDir folder;
    KeptWindow program { folder };
    ui::RunLibrary* library = nullptr;

    LibraryFixture()
    {
        program.converse("When does the museum open?", "At nine.", StopReason::EndToken);
        program.converse("And on Saturday?", "At te", StopReason::LengthCap);
        QTest::keyClick(&program.window, Qt::Key_N, Qt::ControlModifier);
        program.converse("A haiku, please", "Leaves fall", StopReason::Cancelled);
        QTest::keyClick(&program.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        library = program.window.findChild<ui::RunLibrary*>();
        if (library)
            waitForList();
    }

    void waitForList()
    {
        QSignalSpy listed(library, &ui::RunLibrary::listed);
        QVERIFY(listed.wait(5000));
        QTest::qWait(20);
    }
    ui::CopiedTable& table() { return library->table(); }
    int rowCount() { return table().model()->rowCount(); }
    QString cell(int row, int column) { return table().model()->index(row, column).data().toString(); }
    template <typename Widget> Widget* part(const char* name)
    {
        return library->findChild<Widget*>(QLatin1String(name));
    }
    QString sum() { return part<QLabel>("sum")->text(); }
    void press(const char* name) { QTest::mouseClick(part<QPushButton>(name), Qt::LeftButton); }
    ui::WorksheetWindow* worksheet()
    {
        const auto isThere = [&] { return program.window.findChild<ui::WorksheetWindow*>() != nullptr; };
        if (!QTest::qWaitFor(isThere, 5000))
            return nullptr;
        return program.window.findChild<ui::WorksheetWindow*>();
    }
};
}

/// The run library, worksheets and opened records, by key and mouse.
class TestRunLibrary : public QObject {
    Q_OBJECT
private slots:
    void everyKeptRunIsListedNewestFirst()
    {
        LibraryFixture fixture;
        QVERIFY(fixture.library);
        QCOMPARE(fixture.rowCount(), 3);
        QCOMPARE(fixture.cell(0, 1), QString("A haiku, please"));
        QVERIFY(fixture.table().columnWidth(1) > fixture.table().fontMetrics().averageCharWidth() * 20);
        QCOMPARE(fixture.cell(0, 4), QString("partial"));
        QCOMPARE(fixture.cell(1, 4), QString("capped"));
        QCOMPARE(fixture.cell(2, 4), QString("complete"));
        QCOMPARE(fixture.cell(2, 2), QString("tiny.gguf"));
        QCOMPARE(fixture.cell(2, 6), QString("1"));
        QCOMPARE(fixture.cell(2, 8), QString("a person"));
        QCOMPARE(fixture.sum(), QString("3 runs"));
        QCOMPARE(fixture.part<ui::CopiedTable>("counts")->model()->rowCount(), 3);
        QVERIFY(!fixture.library->isModal());
    }

    void filtersNarrowTheListAndItsCounts()
    {
        LibraryFixture fixture;
        QTest::keyClicks(fixture.part<QLineEdit>("titleFilter"), "haiku");
        QTRY_COMPARE(fixture.rowCount(), 1);
        QCOMPARE(fixture.sum(), QString("1 of 3 runs"));
        QCOMPARE(fixture.part<ui::CopiedTable>("counts")->model()->rowCount(), 1);
        fixture.part<QLineEdit>("titleFilter")->clear();
        QTRY_COMPARE(fixture.rowCount(), 3);
        auto* verdict = fixture.part<QComboBox>("verdictFilter");
        verdict->setFocus();
        QTest::keyClick(verdict, Qt::Key_Down); // complete
        QTRY_COMPARE(fixture.rowCount(), 1);
        QCOMPARE(fixture.cell(0, 4), QString("complete"));
        QTest::keyClick(verdict, Qt::Key_Down); // stopped: none
        QTRY_COMPARE(fixture.rowCount(), 0);
        QVERIFY2(fixture.sum().startsWith("None of the 3"), qPrintable(fixture.sum()));
        fixture.press("showAll");
        QTRY_COMPARE(fixture.rowCount(), 3);
        QVERIFY(!fixture.part<QPushButton>("showAll")->isVisible());
    }

    void enterOpensTheChatAtTheAnswer()
    {
        LibraryFixture fixture;
        auto& chats = fixture.program;
        fixture.table().setFocus();
        QTest::keyClick(&fixture.table(), Qt::Key_End, Qt::ControlModifier);
        QTest::keyClick(&fixture.table(), Qt::Key_Return);
        QTest::qWait(50);
        QCOMPARE(chats.chat().title(), QString("When does the museum open?"));
        QVERIFY(fixture.library->isVisible());
    }

    void aClickOnAHeaderSorts()
    {
        LibraryFixture fixture;
        auto* header = fixture.table().horizontalHeader();
        const QPoint place(header->sectionViewportPosition(1) + 10, header->height() / 2);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        const QString first = fixture.cell(0, 1);
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, place);
        QVERIFY(fixture.cell(0, 1) != first);
    }

    void rowsCopyAsTabSeparatedValues()
    {
        LibraryFixture fixture;
        fixture.table().setFocus();
        QTest::keyClick(&fixture.table(), Qt::Key_Home, Qt::ControlModifier);
        QTest::keyClick(&fixture.table(), Qt::Key_C, Qt::ControlModifier);
        const QStringList lines = QApplication::clipboard()->text().split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), 2);
        QVERIFY(lines[0].startsWith("Started\tConversation\tModel\tTemplate\tVerdict"));
        QVERIFY(lines[1].contains("\tA haiku, please\ttiny.gguf\t"));
        auto* counts = fixture.part<ui::CopiedTable>("counts");
        counts->setFocus();
        QTest::keyClick(counts, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().startsWith("Stop reason\tModel\tTemplate\tRuns\n"));
    }

    void twoRunsMakeOneWorksheet()
    {
        LibraryFixture fixture;
        fixture.table().setFocus();
        QTest::keyClick(&fixture.table(), Qt::Key_A, Qt::ControlModifier);
        fixture.press("worksheet");
        ui::WorksheetWindow* sheet = fixture.worksheet();
        QVERIFY(sheet);
        const QString page = sheet->page().toPlainText();
        QVERIFY2(page.contains("Leaves fall") && page.contains("At te") && page.contains("At nine."),
            qPrintable(page));
        QVERIFY(page.contains("tiny.gguf"));
        QVERIFY(!sheet->findChild<QPlainTextEdit*>("text")); // of one run alone
        QCOMPARE(sheet->findChild<QTabWidget*>()->count(), 3); // the page, token by token, ledgers // text and tokens are of one run
        QTest::mouseClick(sheet->findChild<QPushButton*>("copy"), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().startsWith("section\tfield\tA\tB\tC\n"));
    }

    void twoRunsPartInThreeActions()
    {
        QTemporaryDir folder;
        KeptWindow program { folder };
        program.writeLetters(program.workspace.send(program.chat(), "Letters"), "ab");
        program.writeLetters(program.workspace.regenerate(program.chat()), "ac");

        QTest::keyClick(&program.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier); // one
        auto* library = program.window.findChild<ui::RunLibrary*>();
        QTRY_COMPARE(library->table().model()->rowCount(), 2);
        auto* button = library->findChild<QPushButton*>("difference");
        QVERIFY(!button->isEnabled());
        library->table().setFocus();
        QTest::keyClick(&library->table(), Qt::Key_A, Qt::ControlModifier); // two
        QVERIFY(button->isEnabled());
        QTest::mouseClick(button, Qt::LeftButton); // three
        QTRY_VERIFY(program.window.findChild<ui::WorksheetWindow*>());
        auto* sheet = program.window.findChild<ui::WorksheetWindow*>();
        QTRY_VERIFY(sheet->alignedView() && sheet->alignedView()->isVisible());
        QCOMPARE(sheet->alignedView()->model().firstDifference(), std::optional<size_t>(1));
        const QString causes = sheet->alignedView()->findChild<QLabel*>("causes")->text();
        QVERIFY2(causes.startsWith("Token 2 is ‘c’ in A and ‘b’ in B."), qPrintable(causes));
        for (QPushButton* swap : sheet->alignedView()->findChildren<QPushButton*>("swap"))
            QVERIFY(!swap->isVisible()); // records are only read
        auto* ledgers = sheet->findChild<ui::LedgerTable*>();
        QVERIFY(ledgers->tsv().startsWith("Condition\tA\tB\n"));
    }

    void aForkStandsBesideItsOriginalFromTheAnswersStart()
    {
        QTemporaryDir folder;
        KeptWindow program { folder };
        program.writeLetters(program.workspace.send(program.chat(), "Letters"), "abc");
        program.writeLetters(
            program.workspace.swapToken(program.chat(), *program.chat().lastAnswerTurn(), 2, 'd'), "de");

        QTest::keyClick(&program.window, Qt::Key_L, Qt::ControlModifier | Qt::ShiftModifier);
        auto* library = program.window.findChild<ui::RunLibrary*>();
        QTRY_COMPARE(library->table().model()->rowCount(), 2);
        library->table().setFocus();
        QTest::keyClick(&library->table(), Qt::Key_A, Qt::ControlModifier);
        QTest::mouseClick(library->findChild<QPushButton*>("difference"), Qt::LeftButton);
        QTRY_VERIFY(program.window.findChild<ui::WorksheetWindow*>());
        const ui::AlignedView& aligned = *program.window.findChild<ui::WorksheetWindow*>()->alignedView();
        QCOMPARE(aligned.model().firstDifference(), std::optional<size_t>(2));
        QVERIFY(aligned.model().index(0, 0).data().toString().startsWith("a"));
        const QString causes = aligned.findChild<QLabel*>("causes")->text();
        QVERIFY2(causes.startsWith("Token 3 is ‘d’ in A and ‘c’ in B.") && !causes.contains("prompt"), qPrintable(causes));
    }

    void aWorksheetIsSavedAndPrinted()
    {
        LibraryFixture fixture;
        fixture.press("worksheet");
        ui::WorksheetWindow* sheet = fixture.worksheet();
        QVERIFY(sheet);
        QCOMPARE(sheet->findChild<QTabWidget*>()->count(), 3);
        QSignalSpy told(sheet, &ui::WorksheetWindow::told);
        const auto contents = [&](const char* name) {
            sheet->saveTo(fixture.folder.filePath(name));
            QFile file(fixture.folder.filePath(name));
            return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        };
        QVERIFY(contents("sheet.md").startsWith("# Run worksheet\n"));
        QVERIFY(contents("sheet.html").startsWith("<!DOCTYPE html>"));
        QVERIFY(contents("sheet.tsv").startsWith("section\tfield\trun\n"));
        sheet->saveTo(fixture.folder.filePath("no such folder/sheet.md"));
        QVERIFY(told.last()[0].toString().contains("could not be written"));
        QPdfWriter pdf(fixture.folder.filePath("sheet.pdf"));
        sheet->page().printTo(pdf);
        QVERIFY(QFileInfo(fixture.folder.filePath("sheet.pdf")).size() > 1000);
    }

    void thePageLoadsNothing()
    {
        LibraryFixture fixture;
        QFile image(fixture.folder.filePath("image.png"));
        QVERIFY(image.open(QIODevice::WriteOnly));
        image.write("not an image");
        image.close();
        ui::WorksheetWindow* sheet = fixture.program.window.library().showWorksheet(
            { { { "schema", 1 }, { "text", "<img src=\"file:///etc/hostname\">" } } });
        QVERIFY(sheet->page().toPlainText().contains("<img src="));
        QVERIFY(sheet->page().loadResource(QTextDocument::ImageResource, QUrl::fromLocalFile(image.fileName())).isNull());
        QVERIFY(!sheet->page().openLinks());
    }

    void aSavedRecordOpensReadOnly()
    {
        LibraryFixture fixture;
        const QString path = fixture.folder.filePath("run.json");
        QSignalSpy told(fixture.library, &ui::RunLibrary::told);
        fixture.library->saveRecord(path);
        QVERIFY(told.wait(5000));
        QVERIFY2(told[0][0].toString().contains("run.json"), qPrintable(told[0][0].toString()));
        const auto record = app::openRecord(path.toStdString());
        QVERIFY(record.has_value());
        QCOMPARE(record->tokens.size(), size_t(1));
        QVERIFY(!record->reading.promptText.empty());
        fixture.program.workspace.unloadModel();
        fixture.program.window.library().openFile(path);
        ui::WorksheetWindow* sheet = fixture.worksheet();
        QVERIFY(sheet);
        QVERIFY(sheet->windowTitle().contains("run.json"));
        QCOMPARE(sheet->findChild<QPlainTextEdit*>("text")->toPlainText(), QString("Leaves fall"));
        QVERIFY(sheet->findChild<QPlainTextEdit*>("text")->isReadOnly());
        auto* tokens = sheet->findChild<ui::CopiedTable*>("tokens");
        QCOMPARE(tokens->model()->rowCount(), 1);
    }

    void aResponseOfAnotherProgramOpensToo()
    {
        LibraryFixture fixture;
        const QString path = fixture.folder.filePath("response.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"({"object":"chat.completion","model":"other","choices":[{"index":0,)"
                   R"("message":{"role":"assistant","content":"Hi there"},"finish_reason":"length"}]})");
        file.close();
        fixture.program.window.library().openFile(path);
        ui::WorksheetWindow* sheet = fixture.worksheet();
        QVERIFY(sheet);
        QVERIFY(sheet->page().toPlainText().contains("Hi there"));
        QVERIFY(sheet->page().toPlainText().contains("length_cap"));
        auto* tokens = sheet->findChild<ui::CopiedTable*>("tokens");
        QCOMPARE(tokens->model()->rowCount(), 0);
        auto* tabs = sheet->findChild<QTabWidget*>();
        QCOMPARE(tabs->tabText(tabs->indexOf(tokens)), QString("&Tokens")); // there were some: none was reported
    }

    void aFileThatIsNoRecordIsToldInWords()
    {
        LibraryFixture fixture;
        const QString path = fixture.folder.filePath("other.json");
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[1, 2");
        file.close();
        QSignalSpy failed(&fixture.program.window.library(), &ui::LibraryActions::failed);
        fixture.program.window.library().openFile(path);
        QVERIFY(failed.wait(5000));
        QVERIFY2(failed[0][0].toString().startsWith("other.json was not opened: "), qPrintable(failed[0][0].toString()));
        QVERIFY(!fixture.program.window.findChild<ui::WorksheetWindow*>());
    }

    /// Verifies the newest run, which said "Leaves fall" in one token.
    void aRunIsVerifiedInTheLibrary()
    {
        LibraryFixture fixture;
        auto* words = fixture.part<QLabel>("verifyWords");
        QVERIFY(!words->isVisible());
        const size_t before = fixture.program.engine.requests.size();
        fixture.press("verify");
        QTRY_VERIFY(fixture.program.engine.requests.size() > before);
        QVERIFY2(words->isVisible() && words->text().startsWith("Verifying: 0 of 1"), qPrintable(words->text()));
        QCOMPARE(fixture.part<QPushButton>("verify")->text(), QString("Stop &verifying"));
        QVERIFY(!fixture.program.workspace.hasActiveRuns()); // it is of no conversation
        fixture.program.engine.token("Leaves fall", 'x');
        fixture.program.engine.end(StopReason::LengthCap);
        QTRY_VERIFY2(words->text().startsWith("Equal: its one token came again, on llvmpipe"), qPrintable(words->text()));
        QVERIFY(!fixture.part<ui::CopiedTable>("verifyTable")->isVisible());
        QCOMPARE(fixture.part<QPushButton>("verify")->text(), QString("&Verify"));
        fixture.table().selectRow(1); // nothing was said of this one
        QVERIFY(!words->isVisible());
        QTest::keyClick(&fixture.table(), Qt::Key_A, Qt::ControlModifier);
        QVERIFY(!fixture.part<QPushButton>("verify")->isEnabled());
        fixture.library->refresh();
        fixture.waitForList();
        QCOMPARE(fixture.rowCount(), 3); // what was verified is no run of its own
    }

    void theFirstOtherTokenIsShownWithBothDistributions()
    {
        LibraryFixture fixture;
        fixture.press("worksheet");
        ui::WorksheetWindow* sheet = fixture.worksheet();
        QVERIFY(sheet);
        auto* words = sheet->findChild<QLabel*>("verifyWords");
        auto* button = sheet->findChild<QPushButton*>("verify");
        const size_t before = fixture.program.engine.requests.size();
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        QTRY_VERIFY(fixture.program.engine.requests.size() > before);
        engine::TokenDecoded decoded;
        decoded.runId = fixture.program.engine.requests.back().runId;
        decoded.record.id = 'y';
        decoded.record.logprob = std::log(0.5f);
        decoded.record.top = { { 'y', std::log(0.5f) }, { 'x', std::log(0.25f) } };
        fixture.program.engine.push(decoded);
        QTRY_VERIFY2(words->text().startsWith("Different from token 1 on: ‘x’ was recorded, ‘y’ came now"),
            qPrintable(words->text()));
        auto* table = sheet->findChild<ui::CopiedTable*>("verifyTable");
        QVERIFY(table->isVisible());
        QCOMPARE(table->tsv(), QString("Rank\tAs recorded\tProbability\tNow\tProbability\n"
                                       "1\t‘x’ taken\t\t‘y’ taken\t0.5000\n"
                                       "2\t\t\t‘x’\t0.2500\n"));
        QVERIFY(!table->accessibleName().isEmpty());
    }

    void verifyingIsStoppedByItsButton()
    {
        LibraryFixture fixture;
        const size_t before = fixture.program.engine.requests.size();
        fixture.press("verify");
        QTRY_VERIFY(fixture.program.engine.requests.size() > before);
        fixture.press("verify");
        QCOMPARE(fixture.program.engine.cancelled.back(), fixture.program.engine.requests.back().runId);
        QVERIFY(fixture.part<QLabel>("verifyWords")->text().startsWith("Verifying was stopped"));
        fixture.program.engine.end(StopReason::Cancelled);
        QTest::qWait(20);
        QVERIFY(fixture.part<QLabel>("verifyWords")->text().startsWith("Verifying was stopped"));
    }

    void whyItCannotBeVerifiedIsTold()
    {
        LibraryFixture fixture;
        fixture.program.window.openModel("/models/other.gguf");
        fixture.program.engine.finishLoad();
        QTest::qWait(20);
        fixture.press("verify");
        auto* words = fixture.part<QLabel>("verifyWords");
        QTRY_VERIFY2(words->text().contains("Another model is loaded: other.gguf. Load tiny.gguf"),
            qPrintable(words->text()));
        ui::WorksheetWindow* imported = fixture.program.window.library().showWorksheet(
            { { { "schema", 1 }, { "started_by", "import" }, { "text", "Hi" } } });
        QTest::mouseClick(imported->findChild<QPushButton*>("verify"), Qt::LeftButton);
        auto* why = imported->findChild<QLabel*>("verifyWords");
        QTRY_VERIFY2(why->text().contains("does not tell the token ids of the prompt"), qPrintable(why->text()));
    }

    void modelReasonAndDayNarrowTheList()
    {
        LibraryFixture fixture;
        auto* model = fixture.part<QComboBox>("modelFilter");
        QCOMPARE(model->count(), 2); // any, and the one that wrote
        model->setFocus();
        QTest::keyClick(model, Qt::Key_Down);
        QTRY_COMPARE(fixture.sum(), QString("3 runs"));
        auto* reason = fixture.part<QComboBox>("reasonFilter");
        reason->setFocus();
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(reason, Qt::Key_Down); // end token, stop string, length cap
        QTRY_COMPARE(fixture.rowCount(), 1);
        QCOMPARE(fixture.cell(0, 4), QString("capped"));
        fixture.press("showAll");
        QTRY_COMPARE(fixture.rowCount(), 3);
        auto* days = fixture.part<QComboBox>("dayFilter");
        days->setFocus();
        QTest::keyClick(days, Qt::Key_Down); // today
        QTRY_COMPARE(fixture.sum(), QString("3 runs"));
        QTest::keyClick(days, Qt::Key_End); // from - to
        auto* to = fixture.part<QDateEdit>("toFilter");
        QVERIFY(to->isVisible());
        to->setFocus();
        to->setDate(QDate::currentDate().addDays(-1));
        QTRY_COMPARE(fixture.rowCount(), 0);
    }

    void privateChatsAreNotListed()
    {
        LibraryFixture fixture;
        app::Workspace& workspace = fixture.program.workspace;
        fixture.program.window.showConversation(
            &workspace.addConversation(app::ConversationKind::Chat, true));
        fixture.program.converse("A secret", "Kept to myself");
        fixture.library->refresh();
        fixture.waitForList();
        QCOMPARE(fixture.rowCount(), 3);
    }

    void anEmptyStoreSaysWhatWillBeHere()
    {
        const QTemporaryDir folder;
        KeptWindow program(folder);
        ui::RunLibrary* library = program.window.library().showLibrary();
        QSignalSpy listed(library, &ui::RunLibrary::listed);
        QVERIFY(listed.wait(5000));
        QVERIFY(library->findChild<QLabel*>("sum")->text().startsWith("No run is kept yet"));
        QVERIFY(!library->findChild<QPushButton*>("openAnswer")->isEnabled());
        QVERIFY(library->findChild<QPushButton*>("openFile")->isEnabled());
    }
};

QTEST_MAIN(TestRunLibrary)
#include "tst_run_library.moc"
