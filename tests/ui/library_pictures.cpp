#include "tests/ui/library_pictures.h"

#include "tests/ui/kept_window.h"
#include "tests/ui/window_fixture.h"
#include "ui/library/copied_table.h"
#include "ui/library/library_actions.h"
#include "ui/library/run_library.h"
#include "ui/library/worksheet_window.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTabWidget>

using engine::StopReason;

namespace tests {

namespace {
    void takeLibrary(const std::function<void(QWidget& window, const char* name)>& picture)
    {
        const QTemporaryDir folder;
        KeptWindow program(folder);
        const std::pair<const char*, StopReason> answers[] { { "At nine.", StopReason::EndToken },
            { "At ten on", StopReason::LengthCap }, { "1, 2, 3,", StopReason::StopString },
            { "Leaves", StopReason::Cancelled }, { "At nine, too.", StopReason::EndToken } };
        for (const auto& [text, reason] : answers) {
            QTest::keyClick(&program.window, Qt::Key_N, Qt::ControlModifier);
            program.converse("When does the museum open?", text, reason);
        }
        ui::RunLibrary* library = program.window.library().showLibrary();
        QTest::qWait(200);
        picture(*library, "40-library");
        library->table().selectAll();
        QTest::mouseClick(library->findChild<QPushButton*>("worksheet"), Qt::LeftButton);
        QTest::qWait(200);
        picture(*program.window.findChild<ui::WorksheetWindow*>(), "41-worksheet-several");
        program.window.findChild<ui::WorksheetWindow*>()->close();
        QTest::qWait(50);
        library->table().selectRow(1);
        QTest::mouseClick(library->findChild<QPushButton*>("worksheet"), Qt::LeftButton);
        QTest::qWait(200);
        auto* sheet = program.window.findChild<ui::WorksheetWindow*>();
        picture(*sheet, "42-worksheet");
        sheet->findChild<QTabWidget*>()->setCurrentIndex(2);
        QTest::qWait(50);
        picture(*sheet, "43-worksheet-tokens");
        QTest::keyClicks(library->findChild<QLineEdit*>("titleFilter"), "train");
        QTest::qWait(400);
        picture(*library, "44-library-nothing");
    }

    void takePlan(const std::function<void(QWidget& window, const char* name)>& picture)
    {
        const QTemporaryDir folder;
        KeptWindow program(folder);
        program.converse("Hi", "Hello");
        QTest::keyClicks(program.window.chatPage().input().edit(), "When does the museum open?");
        QTest::keyClick(&program.window, Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
        auto* sheet = program.window.findChild<ui::WorksheetWindow*>();
        QTest::qWait(200);
        picture(*sheet, "47-planned-worksheet");
        const size_t before = program.engine.requests.size();
        QTest::mouseClick(sheet->findChild<QPushButton*>("runPlan"), Qt::LeftButton);
        program.answerNext(before, "On Monday", StopReason::LengthCap);
        QTest::qWait(400);
        picture(*sheet, "48-planned-worksheet-filled");
        QTest::mouseClick(sheet->findChild<QPushButton*>("verify"), Qt::LeftButton);
        QTest::qWait(200);
        engine::TokenDecoded decoded;
        decoded.runId = program.engine.requests.back().runId;
        decoded.record.id = 'y';
        for (int i = 0; i < 20; ++i)
            decoded.record.top.push_back({ i == 0 ? 'y' : 'a' + i, float(-0.5 - 0.4 * i) });
        program.engine.push(decoded);
        QTest::qWait(200);
        picture(*sheet, "49-verified-worksheet");
    }

    void takeRequirements(const std::function<void(QWidget& window, const char* name)>& picture)
    {
        WindowFixture fixture;
        fixture.window.resize(1280, 900);
        fixture.loadModel();
        fixture.workspace.addSources(fixture.chat(),
            { app::sourceTextOf("notice.txt", "Open on Monday at 9:30, on Saturday at 10:00.") });
        auto* sets = fixture.window.findChild<QComboBox*>(QStringLiteral("requirements"));
        sets->setFocus();
        QTest::keyClick(sets, Qt::Key_Down);
        fixture.send("When does it open?");
        fixture.engine.token("It opens on Monday, ");
        QTest::qWait(600);
        picture(fixture.window, "45-requirements-growing");
        fixture.engine.token("at 9:30, on Saturday at 10:00.");
        fixture.engine.end(StopReason::EndToken);
        QTest::qWait(600);
        QTest::mouseClick(fixture.chip(), Qt::LeftButton);
        QTest::qWait(200);
        picture(fixture.window, "46-requirements-ledger");
    }
}

void takeLibraryPictures(const std::function<void(QWidget& window, const char* name)>& picture)
{
    takeLibrary(picture);
    takePlan(picture);
    takeRequirements(picture);
}

} // namespace tests
