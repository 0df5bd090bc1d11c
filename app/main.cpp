#include "app/cli/command_line.h"
#include "app/cli/command_table.h"
#include "app/cli/engine_factory.h"
#include "app/cli/interrupt_watch.h"
#include "app/models/file_hashes.h"
#include "app/paint_trace.h"
#include "app/settings/places.h"
#include "app/settings/settings_file.h"
#include "app/storage/instance_lock.h"
#include "app/storage/storage.h"
#include "app/window_options.h"
#include "ui/main_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QIcon>
#include <QTimer>

#include <iostream>

namespace {

/// Qt aborts without a display; this says what to do instead.
bool hasDisplay()
{
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
    for (const char* variable : { "QT_QPA_PLATFORM", "DISPLAY", "WAYLAND_DISPLAY" })
        if (!qEnvironmentVariableIsEmpty(variable))
            return true;
    return false;
#else
    return true;
#endif
}

constexpr int kInterruptCheckMs = 200;

int showWindow(int argc, char** argv, const app::WindowOptions& options)
{
    if (!hasDisplay()) {
        std::cerr
            << "tokenglass: there is no display to open the window on. In a terminal, ask with\n"
               "  tokenglass run --model FILE.gguf --prompt \"What is the capital of France?\"\n";
        return app::kExitFailed;
    }
    QApplication application(argc, argv);
    QApplication::setApplicationName(QStringLiteral("tokenglass"));
    QApplication::setApplicationDisplayName(QStringLiteral("Tokenglass"));
    QApplication::setApplicationVersion(QStringLiteral(TOKENGLASS_VERSION));
    QApplication::setDesktopFileName(QStringLiteral("tokenglass"));

    const app::InstanceStart start = app::InstanceLock::take(app::dataFolder());
    if (!start.lock) {
        std::cerr << "tokenglass: " << start.message.toStdString() << "\n";
        return start.wasOtherRaised ? app::kExitOk : app::kExitFailed;
    }
    app::SettingsFile store(app::settingsFile(), app::oldSettingsFile());
    app::Storage storage(app::conversationsFile());
    app::FileHashes hashes(app::fileHashesFile());
    app::Workspace workspace(app::threadBackend(app::engineFactory()));
    workspace.keepIn(storage);
    workspace.takeHashesFrom(hashes);
    std::unique_ptr<app::PaintTrace> trace;
    if (const QString path = qEnvironmentVariable("TOKENGLASS_TRACE"); !path.isEmpty())
        trace = std::make_unique<app::PaintTrace>(workspace, path);
    app::ModelFinder models;
    app::DeviceFinder devices;
    ui::MainWindow window({ workspace, models, devices, store, &storage });
    QObject::connect(start.lock.get(), &app::InstanceLock::raiseRequested, &window, [&window] {
        window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
        window.show();
        window.raise();
        window.activateWindow();
    });
    const app::InterruptWatch interrupts;
    QTimer interruptTimer;
    QObject::connect(&interruptTimer, &QTimer::timeout, &window, [&] {
        if (interrupts.isInterrupted())
            window.closeWithoutAsking();
    });
    interruptTimer.start(kInterruptCheckMs);
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/icons/tokenglass.svg")));
    window.show();
    window.showFirstStart();

    models.search(app::modelFolders());
    devices.search();
    const QString model = options.modelPath.empty()
        ? window.lastModel()
        : QFileInfo(QString::fromStdString(options.modelPath)).absoluteFilePath();
    if (!model.isEmpty())
        window.openModel(model);
    return QApplication::exec();
}

}

int main(int argc, char** argv)
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (const auto options = app::windowOptions(words))
        return showWindow(argc, argv, *options);
    return app::runCommandLine(words).value_or(app::kExitUsage);
}
