#pragma once

#include "app/settings/settings_file.h"

#include <QObject>

namespace app {

class Workspace;

/// Keeps the workspace's default settings at what new conversations start with: the settings kept
/// for the file of the loaded model, else the defaults. When the model changes, a conversation
/// without turns whose settings nobody changed follows. GUI thread.
class StartingSettings : public QObject {
    Q_OBJECT
public:
    StartingSettings(Workspace& workspace, SettingsFile& file, QObject* parent = nullptr);

private:
    void refresh();
    void followModel();

    Workspace& m_workspace;
    SettingsFile& m_file;
};

/// The name that settings of the loaded (or loading) model are kept by; "" without a model.
QString modelFileName(const Workspace& workspace);

} // namespace app
