#include "tests/ui/source_pictures.h"

#include "tests/ui/window_fixture.h"
#include "ui/chat/source_dialog.h"
#include "ui/chat/source_shelf.h"

#include <QPlainTextEdit>
#include <QToolButton>

using engine::StopReason;

namespace tests {

namespace {
    constexpr int kMeasureMs = 400; // the pause after a key, and the measuring

    app::SourceText text(const QString& name, const QByteArray& bytes)
    {
        const auto taken = app::sourceTextOf(name, bytes);
        return taken ? *taken : app::SourceText {};
    }

    void add(WindowFixture& program, const QString& name, const QByteArray& bytes)
    {
        program.workspace.addSources(program.chat(), { text(name, bytes) });
        program.settle(kMeasureMs);
    }
}

void takeSourcePictures(const std::function<void(QWidget& window, const char* name)>& picture)
{
    WindowFixture program;
    program.window.resize(1280, 800);
    program.loadModel();
    add(program, "opening hours.txt",
        "The museum is open from nine to five.\r\nOn Fridays it closes at nine.\r\n");
    add(program, "notes on the exhibition & its catalogue, second draft.md",
        QByteArray("# Exhibition\n\nThe *third floor* shows maps of the coast.\n").repeated(40));
    picture(program.window, "30-sources");
    program.send("When is it open on Fridays?");
    program.engine.token("Until nine in the evening.");
    program.engine.end(StopReason::EndToken);
    program.settle();
    program.type("And where are the maps?");
    program.settle(kMeasureMs);
    picture(program.window, "31-gauge");
    QTest::mouseClick(
        program.window.findChild<ui::SourceShelf*>()->chips()[1]->openButton(), Qt::LeftButton);
    program.settle();
    picture(*program.window.findChild<ui::SourceReader*>(), "32-source-reader");
    program.window.findChild<ui::SourceReader*>()->close();
    program.window.chatPage().addSource();
    program.settle();
    picture(*program.window.findChild<ui::SourceDialog*>(), "33-source-dialog");
    program.window.findChild<ui::SourceDialog*>()->reject();
    add(program, "minutes.txt", QByteArray("All agreed to open earlier.\n").repeated(150));
    picture(program.window, "34-little-room");
    add(program, "report.txt", QByteArray("The year was a good one.\n").repeated(150));
    picture(program.window, "35-too-much");
    program.window.resize(600, 620);
    program.workspace.addSources(program.chat(),
        { app::sourceTextOf("photo.txt", "\xFF\xD8\xFF"),
            app::readSourceFile("/home/me/thesis.pdf") });
    program.settle(kMeasureMs);
    picture(program.window, "36-refused-and-narrow");
    program.window.resize(1280, 800);
    QTest::mouseClick(
        program.window.findChild<ui::SourceShelf*>()->chips()[3]->removeButton(), Qt::LeftButton);
    program.settle(kMeasureMs);
    picture(program.window, "37-removed");
}

} // namespace tests
