#pragma once

#include "app/settings/settings_file.h"
#include "app/storage/storage.h"

#include <QObject>

namespace app {
class Workspace;
}

namespace ui {

class NoticeBar;

/// Tells above the chat what became of the files with conversations and settings: damage, what was
/// saved from it, what cannot be written.
class StoreNotes : public QObject {
    Q_OBJECT
public:
    /// storage: null where nothing is kept.
    StoreNotes(app::Workspace& workspace, const app::SettingsFile& settings, const app::Storage* storage,
        NoticeBar& notice, QObject* parent);

private:
    void tellOpening(const app::StoreOpening& opening, int interruptedCount);
    void tellTrouble();

    const app::Storage* m_storage;
    NoticeBar& m_notice;
};

} // namespace ui
