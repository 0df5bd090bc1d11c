#pragma once

#include <QString>

namespace app {

/// Where the program keeps its state: TOKENGLASS_DATA, else the platform's own place for data.
QString dataFolder();
/// Model files that belong to this program.
QString modelsFolder();
/// The database of conversations.
QString conversationsFile();
/// SHA-256 of model files, in the platform's place for caches.
QString fileHashesFile();
/// One JSON file in the platform's place for settings.
QString settingsFile();
/// The INI file that older programs kept beside it.
QString oldSettingsFile();

} // namespace app
