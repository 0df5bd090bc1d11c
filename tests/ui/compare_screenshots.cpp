#include "tests/ui/compare_screenshots.h"

#include "ui/compare/compare_actions.h"
#include "ui/compare/compare_details.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/cross_score_view.h"
#include "ui/compare/variants_dialog.h"
#include "ui/library/copied_table.h"
#include "ui/library/library_actions.h"
#include "ui/library/run_library.h"
#include "ui/library/worksheet_window.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QPushButton>
#include <QSlider>

namespace tests {

namespace {
    constexpr QSize kCompareSize { 1240, 860 };

    void chooseTab(ui::CompareDetails& details, const QString& name)
    {
        for (int i = 0; i < details.count(); ++i)
            if (details.tabText(i) == name)
                details.setCurrentIndex(i);
    }

    void waitForAll(ui::ComparePage& page)
    {
        until(
            [&] {
                for (const ui::ComparedAnswer& answer : page.answers())
                    if (answer.answer && answer.answer->isActive())
                        return false;
                return true;
            },
            "all runs have ended");
    }

    /// Keys go to the program's own window again.
    void backTo(RealProgram& program, QWidget& from)
    {
        from.close();
        program.window->activateWindow();
        QTest::qWait(50);
    }

    void savePage(RealProgram& program, const QString& folder, const QString& suffix)
    {
        ui::CompareActions& compare = program.window->compare();
        program.ask("Name three rivers of Europe and the seas they flow into.", 40);
        program.ends();
        auto* dialog = compare.askForSettings(program.chat(), *program.chat().lastAnswerTurn());
        dialog->setThing(app::VariedThing::Temperature);
        dialog->setValues(QStringLiteral("0.7, 1, 1.3"));
        RealProgram::save(*dialog, folder, QStringLiteral("compare-settings") + suffix);
        dialog->accept();
        until([&] { return compare.page(); }, "the runs are shown");
        ui::ComparePage& page = *compare.page();
        page.resize(kCompareSize);
        waitForAll(page);
        QTest::qWait(500);
        RealProgram::save(page, folder, QStringLiteral("compare") + suffix);
        ui::CompareDetails& details = *compare.details();
        chooseTab(details, QStringLiteral("Ledgers"));
        RealProgram::save(page, folder, QStringLiteral("compare-ledgers") + suffix);
        chooseTab(details, QStringLiteral("What if"));
        details.findChild<QSlider*>(QStringLiteral("whatIfSlider"))->setValue(16);
        RealProgram::save(page, folder, QStringLiteral("compare-what-if") + suffix);
        chooseTab(details, QStringLiteral("Tree"));
        RealProgram::save(page, folder, QStringLiteral("compare-tree") + suffix);
        chooseTab(details, QStringLiteral("Scores"));
        details.findChild<QPushButton*>(QStringLiteral("score"))->click();
        until([&] { return !details.scores().score().isUnderWay(); }, "a text is scored");
        RealProgram::save(page, folder, QStringLiteral("compare-scores") + suffix);
        backTo(program, page);
    }

    void saveWhyHere(RealProgram& program, const QString& folder, const QString& suffix)
    {
        program.ask("What is the capital of France?", 6);
        program.ends();
        program.window->compare().whyHere(program.chat(), *program.chat().lastAnswerTurn());
        until([&] { return program.window->compare().page(); }, "the runs are shown");
        ui::ComparePage& page = *program.window->compare().page();
        page.resize(kCompareSize);
        waitForAll(page);
        QTest::qWait(500);
        RealProgram::save(page, folder, QStringLiteral("why-here") + suffix);
        backTo(program, page);
    }

    void saveLibrary(RealProgram& program, const QString& folder, const QString& suffix)
    {
        ui::RunLibrary& library = *program.window->library().showLibrary();
        until([&] { return library.table().model()->rowCount() > 0; }, "runs are listed");
        QTest::qWait(200);
        RealProgram::save(library, folder, QStringLiteral("library") + suffix);
        library.table().selectRow(0);
        library.findChild<QPushButton*>(QStringLiteral("worksheet"))->click();
        const auto sheet = [&] { return program.window->findChild<ui::WorksheetWindow*>(); };
        until([&] { return sheet() && sheet()->isVisible(); }, "a worksheet is shown");
        RealProgram::save(*sheet(), folder, QStringLiteral("worksheet") + suffix);
        sheet()->close();
        backTo(program, library);
    }

    void saveRequirements(RealProgram& program, const QString& folder, const QString& suffix)
    {
        QTest::keyClick(program.window.get(), Qt::Key_N, Qt::ControlModifier);
        program.workspace.addSources(program.chat(),
            { app::sourceTextOf("notice.txt", "The museum is open from Monday to Friday from 9:30 to 17:00. On Saturday it is open from 10:00 to 16:00. On Sunday it is closed.") });
        app::ChatSettings wanted = program.chat().settings();
        wanted.sampling.temperature = 0;
        wanted.lengthCap = 96;
        program.chat().setSettings(wanted);
        auto* sets = program.window->findChild<QComboBox*>(QStringLiteral("requirements"));
        sets->setFocus();
        QTest::keyClick(sets, Qt::Key_Down);
        QTest::keyClicks(program.window->chatPage().input().edit(), "When is the museum open, and what about Saturday?");
        QTest::keyClick(program.window->chatPage().input().edit(), Qt::Key_Return);
        program.ends();
        QTest::qWait(700);
        QTest::keyClick(program.answer().footer().chip(), Qt::Key_Space);
        program.save(folder, QStringLiteral("requirements") + suffix);
    }
}

void saveCompared(RealProgram& program, const QString& folder, const QString& suffix)
{
    savePage(program, folder, suffix);
    saveWhyHere(program, folder, suffix);
    saveLibrary(program, folder, suffix);
    saveRequirements(program, folder, suffix);
}

} // namespace tests
