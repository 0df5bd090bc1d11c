#include "ui/library/library_actions.h"

#include "app/runs/opened_record.h"
#include "ui/library/plan_bar.h"
#include "ui/library/run_library.h"
#include "ui/library/worksheet_window.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QThreadPool>

namespace ui {

namespace {
    void bringUp(QWidget& window)
    {
        window.show();
        window.raise();
        window.activateWindow();
    }
}

LibraryActions::LibraryActions(const Parts& parts, QMenu* menu)
    : QObject(parts.window)
    , m_workspace(parts.workspace)
    , m_storage(parts.storage)
    , m_window(parts.window)
{
    QAction* library = menu->addAction(tr("Run &library"), this, &LibraryActions::showLibrary);
    library->setObjectName(QStringLiteral("runLibrary"));
    library->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_L));
    QAction* plan
        = menu->addAction(tr("Plan the next run as a &worksheet"), this, &LibraryActions::planRequested);
    plan->setObjectName(QStringLiteral("planRun"));
    plan->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_W));
    menu->addAction(tr("Open a run re&cord…"), this, &LibraryActions::askForFile)
        ->setObjectName(QStringLiteral("openRecord"));
}

RunLibrary* LibraryActions::showLibrary()
{
    if (!m_library) {
        m_library = new RunLibrary(m_workspace, m_storage, m_window);
        m_library->setAttribute(Qt::WA_DeleteOnClose);
        connect(m_library, &RunLibrary::answerChosen, this, [this](const app::RunRow& run) {
            app::SearchHit place;
            place.conversation = run.conversation;
            place.title = run.title;
            place.message = run.message;
            emit answerChosen(place);
            m_window->raise();
            m_window->activateWindow();
        });
        connect(m_library, &RunLibrary::worksheetRequested, this,
            [this](const std::vector<nlohmann::ordered_json>& records) { showWorksheet(records); });
        connect(m_library, &RunLibrary::differenceRequested, this,
            [this](const std::vector<nlohmann::ordered_json>& records) { showWorksheet(records)->showDifference(); });
        connect(m_library, &RunLibrary::openFileRequested, this, &LibraryActions::askForFile);
    }
    bringUp(*m_library);
    return m_library;
}

WorksheetWindow* LibraryActions::showWorksheet(
    const std::vector<nlohmann::ordered_json>& records, const QString& origin)
{
    return present(new WorksheetWindow(m_workspace, records, origin, m_window));
}

WorksheetWindow* LibraryActions::showPlan(
    app::Conversation& conversation, const app::Sending& sending)
{
    auto plan = app::PlannedRun::create(m_workspace, conversation, sending);
    if (!plan) {
        emit failed(tr("The next run was not planned. %1")
                        .arg(QString::fromStdString(plan.error().message)));
        return nullptr;
    }
    auto* window = new WorksheetWindow(m_workspace, std::move(*plan), m_window);
    connect(window->planBar(), &PlanBar::started, this, &LibraryActions::planStarted);
    return present(window);
}

WorksheetWindow* LibraryActions::present(WorksheetWindow* window)
{
    window->setAttribute(Qt::WA_DeleteOnClose);
    bringUp(*window);
    emit opened(window);
    return window;
}

void LibraryActions::askForFile()
{
    const QString path = QFileDialog::getOpenFileName(m_library ? m_library.data() : m_window,
        tr("Open a run record or a response"), {},
        tr("Records and responses (*.json);;All files (*)"));
    if (!path.isEmpty())
        openFile(path);
}

void LibraryActions::openFile(const QString& path)
{
    // A record of a long answer has tens of megabytes: it is read beside the window.
    QThreadPool::globalInstance()->start([path, actions = QPointer(this)] {
        auto record = app::openRecordOrResponse(QFile::encodeName(path).toStdString());
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [path, actions, record = std::move(record)] {
                if (!actions)
                    return;
                if (record)
                    actions->showWorksheet({ record->json }, QFileInfo(path).fileName());
                else
                    emit actions->failed(tr("%1 was not opened: %2")
                                             .arg(QFileInfo(path).fileName(),
                                                 QString::fromStdString(record.error().message)));
            },
            Qt::QueuedConnection);
    });
}

} // namespace ui
