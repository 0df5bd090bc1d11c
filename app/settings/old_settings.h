#pragma once

#include "app/settings/settings_document.h"

class QSettings;

namespace app {

/// What the INI file of programs before the settings file held. A value that is out of range
/// is left out.
SettingsDocument readOldSettings(const QSettings& store);

} // namespace app
