#include "app/settings/settings_file.h"

#include "app/settings/old_settings.h"

#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QSettings>

namespace app {

namespace {
    /// A file of the settings' name that does not exist yet.
    QString asidePath(const QString& path)
    {
        const QFileInfo file(path);
        const QString base
            = QStringLiteral("%1/%2-damaged-%3")
                  .arg(file.absolutePath(), file.completeBaseName(),
                      QDateTime::currentDateTime().toString(QStringLiteral("yyyyMMdd-HHmmss")));
        QString aside = base + QStringLiteral(".json");
        for (int number = 2; QFileInfo::exists(aside); ++number)
            aside = QStringLiteral("%1-%2.json").arg(base).arg(number);
        return aside;
    }
}

SettingsFile::SettingsFile(QString path, QString oldPath, QObject* parent)
    : QObject(parent)
    , m_path(std::move(path))
{
    m_timer.setSingleShot(true);
    m_timer.setInterval(kWriteDelayMs);
    connect(&m_timer, &QTimer::timeout, this, &SettingsFile::writeNow);
    read(oldPath);
}

SettingsFile::~SettingsFile()
{
    // Nobody hears of a failure any more.
    blockSignals(true);
    writeNow();
}

void SettingsFile::read(const QString& oldPath)
{
    QFile file(m_path);
    if (!file.exists()) {
        if (oldPath.isEmpty() || !QFileInfo(oldPath).isReadable())
            return;
        m_document = readOldSettings(QSettings(oldPath, QSettings::IniFormat));
        m_importedPath = oldPath;
        m_notes.append(m_document.notes());
        noteChange(true);
        return;
    }
    if (!file.open(QIODevice::ReadOnly)) {
        keepFile(tr("The settings in %1 cannot be read (%2).").arg(m_path, file.errorString()));
        return;
    }
    auto document = SettingsDocument::parse(file.readAll());
    file.close();
    if (!document) {
        setAside();
        return;
    }
    m_document = std::move(*document);
    if (m_document.isNewer())
        keepFile(tr("The settings in %1 were written by a newer version of Tokenglass (theirs is "
                    "version %2, this program writes %3). They are read as far as they are "
                    "understood.")
                     .arg(m_path)
                     .arg(m_document.version())
                     .arg(SettingsDocument::kVersion));
    m_notes.append(m_document.notes());
}

void SettingsFile::setAside()
{
    const QString aside = asidePath(m_path);
    if (QFile::rename(m_path, aside))
        m_notes.append(tr("The settings in %1 cannot be understood. The file is kept as %2, and "
                          "the defaults are used.")
                           .arg(m_path, QFileInfo(aside).fileName()));
    else
        keepFile(tr("The settings in %1 cannot be understood, and the file cannot be renamed. The "
                    "defaults are used.")
                     .arg(m_path));
}

void SettingsFile::keepFile(const QString& why)
{
    m_mayWrite = false;
    m_notes.append(why + QLatin1Char(' ')
        + tr("The file is left as it is: what you change now lasts until the program ends."));
}

void SettingsFile::noteChange(bool isChanged)
{
    if (!isChanged || !m_mayWrite)
        return;
    m_isDirty = true;
    m_timer.start();
}

bool SettingsFile::writeNow()
{
    m_timer.stop();
    if (!m_isDirty)
        return true;
    QDir().mkpath(QFileInfo(m_path).absolutePath());
    QSaveFile file(m_path);
    const QByteArray text = m_document.text();
    if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit()) {
        if (!m_hasToldFailure)
            emit writeFailed(tr("The settings cannot be saved in %1 (%2). What you changed lasts "
                                "until the program ends.")
                                 .arg(m_path, file.errorString()));
        m_hasToldFailure = true;
        return false;
    }
    m_isDirty = false;
    m_hasToldFailure = false;
    if (!m_importedPath.isEmpty())
        QFile::rename(m_importedPath, m_importedPath + QStringLiteral(".imported"));
    m_importedPath.clear();
    return true;
}

void SettingsFile::setValue(const QString& key, const QVariant& value)
{
    noteChange(m_document.setValue(key, value));
}

void SettingsFile::setChatDefaults(const ChatSettings& settings)
{
    noteChange(m_document.setChatDefaults(settings));
    emit chatSettingsChanged();
}

std::optional<ChatSettings> SettingsFile::modelSettings(const QString& fileName) const
{
    return m_document.settings(SettingsDocument::kModels, fileName);
}

void SettingsFile::setModelSettings(
    const QString& fileName, const std::optional<ChatSettings>& settings)
{
    noteChange(m_document.setSettings(SettingsDocument::kModels, fileName, settings));
    emit chatSettingsChanged();
}

QStringList SettingsFile::presetNames() const
{
    return m_document.names(SettingsDocument::kPresets);
}

std::optional<ChatSettings> SettingsFile::preset(const QString& name) const
{
    return m_document.settings(SettingsDocument::kPresets, name);
}

void SettingsFile::setPreset(const QString& name, const std::optional<ChatSettings>& settings)
{
    noteChange(m_document.setSettings(SettingsDocument::kPresets, name, settings));
    emit chatSettingsChanged();
}

} // namespace app
