#include "app/settings/places.h"

#include <QDir>
#include <QStandardPaths>

namespace app {

namespace {
    // Not AppDataLocation: that adds organisation and application names of the running program,
    // and the tests' programs must find the same models.
    QString below(QStandardPaths::StandardLocation location)
    {
        return QDir(QStandardPaths::writableLocation(location))
            .filePath(QStringLiteral("tokenglass"));
    }
}

QString dataFolder()
{
    const QString chosen = qEnvironmentVariable("TOKENGLASS_DATA");
    return chosen.isEmpty() ? below(QStandardPaths::GenericDataLocation) : QDir::cleanPath(chosen);
}

QString modelsFolder() { return QDir(dataFolder()).filePath(QStringLiteral("models")); }

QString conversationsFile()
{
    return QDir(dataFolder()).filePath(QStringLiteral("tokenglass.sqlite"));
}

QString fileHashesFile()
{
    return QDir(below(QStandardPaths::GenericCacheLocation))
        .filePath(QStringLiteral("file-hashes.json"));
}

QString settingsFile()
{
    return QDir(below(QStandardPaths::GenericConfigLocation))
        .filePath(QStringLiteral("settings.json"));
}

QString oldSettingsFile()
{
    return QDir(below(QStandardPaths::GenericConfigLocation))
        .filePath(QStringLiteral("settings.ini"));
}

} // namespace app
