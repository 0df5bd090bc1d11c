#include "tests/ui/compare_screenshots.h"
#include "tests/ui/inspector_screenshots.h"
#include "ui/theme/theme.h"

#include <QApplication>
#include <QTemporaryDir>

namespace {

/// Answers with their stop reasons, and the program after it was gone without a word.
void saveAnswers(const QTemporaryDir& home, const QString& folder)
{
    tests::RealProgram program(home.path());
    program.ask("What is the capital of France?", 256);
    program.ends();
    program.save(folder, "complete");
    program.ask("Why do leaves turn red in autumn?", 48);
    program.ends();
    program.save(folder, "capped");
    QTest::keyClick(program.answer().footer().chip(), Qt::Key_Space);
    program.save(folder, "ledger");
    program.ask("Tell me a story about a lighthouse.", 512);
    program.writes(60);
    QTest::keyClick(program.window.get(), Qt::Key_Escape);
    program.ends();
    program.save(folder, "stopped");
    program.ask("Explain how a sundial tells the time.", 512);
    program.writes(70);
    program.save(folder, "writing");
    QTest::qWait(500);
    // The program is gone without a word to the engine or the store.
}

void saveInterrupted(tests::RealProgram& program, const QString& folder)
{
    for (const auto& chat : program.workspace.conversations())
        if (chat->badge().reason == engine::StopReason::Interrupted) {
            program.window->showConversation(chat.get());
            tests::until([&] { return chat->isLoaded(); }, "the chat is read");
        }
    program.save(folder, "interrupted");
}

}

/// Takes the pictures of the README, with the real model: window_screenshots FOLDER
/// [inspector|inspector-dark|compare|compare-dark], all that is light without a part.
/// QT_SCALE_FACTOR=1.5 makes the inspector's larger; all but the light ones at scale 1 have names of
/// their own.
int main(int argc, char** argv)
{
    QApplication application(argc, argv);
    const QStringList arguments = application.arguments();
    const QString part = arguments.value(2);
    const bool isDark = part.endsWith(QLatin1String("-dark"));
    const QString subject = isDark ? part.chopped(5) : part;
    const bool isAll = part.isEmpty();
    const bool isInspector = isAll || subject == QLatin1String("inspector");
    const bool isCompare = isAll || subject == QLatin1String("compare");
    if (argc < 2 || argc > 3 || (!isInspector && !isCompare)) {
        std::cerr << "usage: window_screenshots FOLDER [inspector|inspector-dark|compare|compare-dark]\n";
        return 2;
    }
    const QString folder = arguments[1];
    QApplication::setPalette(ui::paletteFor(
        isDark ? ui::Appearance::Dark : ui::Appearance::Light, QApplication::palette()));
    QString suffix = isDark ? QStringLiteral("-dark") : QString();
    if (application.devicePixelRatio() > 1)
        suffix += QStringLiteral("-large");
    const QTemporaryDir home;
    if (isAll)
        saveAnswers(home, folder);
    tests::RealProgram program(home.path());
    if (isAll)
        saveInterrupted(program, folder);
    if (isInspector)
        tests::saveInspector(program, folder, suffix);
    if (isCompare)
        tests::saveCompared(program, folder, suffix);
    return 0;
}
