#pragma once

#include "app/storage/storage.h"

#include <QObject>
#include <QPointer>

#include <nlohmann/json.hpp>

class QMenu;

namespace ui {

class RunLibrary;
class WorksheetWindow;

/// The run library, worksheets, and records in files, as entries of a menu. The library's window
/// exists once; each worksheet has its own.
class LibraryActions : public QObject {
    Q_OBJECT
public:
    /// storage: null where nothing is kept. window: of which the others are children.
    LibraryActions(app::Storage* storage, QMenu* menu, QWidget* window);

    RunLibrary* showLibrary();
    WorksheetWindow* showWorksheet(
        const std::vector<nlohmann::ordered_json>& records, const QString& origin = {});
    /// A run record, or another program's response, as a run that is only read. What it is no such
    /// file is told by failed().
    void openFile(const QString& path);

signals:
    void answerChosen(const app::SearchHit& answer);
    void opened(ui::WorksheetWindow* window);
    /// Why a file was not opened, in words.
    void failed(const QString& words);

private:
    void askForFile();

    app::Storage* m_storage;
    QWidget* m_window;
    QPointer<RunLibrary> m_library;
};

} // namespace ui
