#pragma once

#include "app/conversation/workspace.h"
#include "app/storage/storage.h"

#include <QObject>
#include <QPointer>

#include <nlohmann/json.hpp>

class QMenu;

namespace ui {

class RunLibrary;
class WorksheetWindow;

/// The run library, worksheets, the plan of the next run, and records in files, as entries of a
/// menu. The library's window exists once; each worksheet has its own.
class LibraryActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        app::Workspace& workspace;
        app::Storage* storage; ///< null where nothing is kept
        QWidget* window; ///< of which the others are children
    };
    LibraryActions(const Parts& parts, QMenu* menu);

    RunLibrary* showLibrary();
    WorksheetWindow* showWorksheet(
        const std::vector<nlohmann::ordered_json>& records, const QString& origin = {});
    /// The run that this message would begin, as a worksheet with blanks. Null: there is none, and
    /// failed() tells why.
    WorksheetWindow* showPlan(app::Conversation& conversation, const app::Sending& sending);
    /// A run record, or another program's response, as a run that is only read. What it is no such
    /// file is told by failed().
    void openFile(const QString& path);

signals:
    void answerChosen(const app::SearchHit& answer);
    void opened(ui::WorksheetWindow* window);
    /// The next run of the shown chat is to be planned: showPlan with what is typed.
    void planRequested();
    /// A planned message became a turn of its chat.
    void planStarted(app::Conversation* conversation, const QString& text);
    /// Why a file was not opened, or a run not planned, in words.
    void failed(const QString& words);

private:
    void askForFile();
    WorksheetWindow* present(WorksheetWindow* window);

    app::Workspace& m_workspace;
    app::Storage* m_storage;
    QWidget* m_window;
    QPointer<RunLibrary> m_library;
};

} // namespace ui
