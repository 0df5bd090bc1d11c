#include "app/conversation/starting_settings.h"

#include "app/conversation/workspace.h"

#include <QFileInfo>

namespace app {

StartingSettings::StartingSettings(Workspace& workspace, SettingsFile& file, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_file(file)
{
    connect(&workspace, &Workspace::modelChanged, this, &StartingSettings::followModel);
    connect(&file, &SettingsFile::chatSettingsChanged, this, &StartingSettings::refresh);
    refresh();
}

void StartingSettings::refresh()
{
    const auto ofModel = m_file.modelSettings(modelFileName(m_workspace));
    m_workspace.setDefaultSettings(ofModel ? *ofModel : m_file.chatDefaults());
}

void StartingSettings::followModel()
{
    const ChatSettings before = m_workspace.defaultSettings();
    refresh();
    const ChatSettings& now = m_workspace.defaultSettings();
    if (now == before)
        return;
    for (const auto& conversation : m_workspace.conversations())
        if (conversation->isLoaded() && conversation->turnCount() == 0
            && conversation->document().isEmpty() && conversation->settings() == before)
            conversation->setSettings(now);
}

QString modelFileName(const Workspace& workspace)
{
    return QFileInfo(QString::fromStdString(workspace.loadRequest().path)).fileName();
}

} // namespace app
