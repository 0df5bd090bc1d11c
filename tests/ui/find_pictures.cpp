#include "tests/ui/find_pictures.h"

#include "tests/ui/kept_window.h"

#include <QLineEdit>

using engine::StopReason;

namespace tests {

namespace {
    void search(KeptWindow& program, const QString& text)
    {
        auto* line = program.window.findChild<QLineEdit*>(QStringLiteral("searchConversations"));
        line->clear();
        QTest::keyClick(&program.window, Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
        QTest::keyClicks(line, text);
        QTest::qWait(400);
    }

    void fill(KeptWindow& program)
    {
        const auto begin = [&] {
            QTest::keyClick(&program.window, Qt::Key_N, Qt::ControlModifier);
            QTest::qWait(20);
        };
        program.converse("How long does rice take?",
            "Rice takes about **18 minutes**.\n\n1. Rinse the rice.\n2. Boil it.\n3. Let it rest.");
        program.converse(
            "And brown rice?", "Brown rice takes longer: 40 minutes,", StopReason::LengthCap);
        const app::FolderId kitchen = program.workspace.folders().add("Kitchen");
        program.chat().setFolder(kitchen);
        begin();
        program.converse("A soup for a cold day", "Leek and potato.");
        program.chat().setFolder(kitchen);
        begin();
        program.converse("Opening hours of the museum", "It opens on Mon", StopReason::Cancelled);
        program.chat().setFolder(program.workspace.folders().add("Journeys"));
        begin();
        program.converse("Tell me a story about rice & <b>salt</b>", "Once upon a time");
        begin();
        program.converse("Haiku", "An old silent pond");
    }
}

void takeFindPictures(const std::function<void(QWidget& window, const char* name)>& picture)
{
    const QTemporaryDir folder;
    KeptWindow program(folder);
    program.window.resize(1280, 800);
    fill(program);
    picture(program.window, "20-folders");
    search(program, "rice");
    picture(program.window, "21-search");
    QTest::keyClick(program.window.findChild<QLineEdit*>(QStringLiteral("searchConversations")),
        Qt::Key_Return);
    search(program, "is:done");
    picture(program.window, "22-search-problem");
    search(program, "xylophone");
    picture(program.window, "23-search-nothing");
    search(program, "longer");
    QTest::keyClick(program.window.findChild<QLineEdit*>(QStringLiteral("searchConversations")),
        Qt::Key_Return);
    QTest::qWait(200);
    search(program, "");
    QTest::keyClick(&program.window, Qt::Key_F, Qt::ControlModifier);
    auto* line = program.window.findChild<QLineEdit*>(QStringLiteral("findInChat"));
    QTest::keyClicks(line, "rice");
    QTest::keyClick(line, Qt::Key_Return);
    QTest::keyClick(line, Qt::Key_Return);
    picture(program.window, "24-find-in-chat");
}

} // namespace tests
