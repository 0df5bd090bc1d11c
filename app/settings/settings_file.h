#pragma once

#include "app/settings/settings_document.h"

#include <QObject>
#include <QTimer>

namespace app {

/// The settings on disk: one JSON file, written whole a moment after a change and when this ends.
/// A file that is no JSON is set aside under another name; a newer one, or one that cannot be read,
/// is left as it is, and changes then last until the program ends. GUI thread.
class SettingsFile : public QObject {
    Q_OBJECT
public:
    /// Without a file, the INI file of older programs is read once (if there is one).
    explicit SettingsFile(QString path, QString oldPath = {}, QObject* parent = nullptr);
    ~SettingsFile() override;

    /// What was found wrong at the start, in sentences.
    const QStringList& notes() const { return m_notes; }
    const QString& path() const { return m_path; }

    QVariant value(const QString& key, const QVariant& fallback = {}) const
    {
        return m_document.value(key, fallback);
    }
    void setValue(const QString& key, const QVariant& value);

    /// What new chats start with, unless their model has settings of its own.
    ChatSettings chatDefaults() const { return m_document.chatDefaults(); }
    void setChatDefaults(const ChatSettings& settings);
    /// By the name of the model's file.
    std::optional<ChatSettings> modelSettings(const QString& fileName) const;
    void setModelSettings(const QString& fileName, const std::optional<ChatSettings>& settings);
    QStringList presetNames() const;
    std::optional<ChatSettings> preset(const QString& name) const;
    void setPreset(const QString& name, const std::optional<ChatSettings>& settings);

    /// Now instead of in a moment. False when it cannot be written: all stays in memory, and the
    /// next change tries again.
    bool writeNow();
    static constexpr int kWriteDelayMs = 500;

signals:
    /// Defaults, settings of a model or presets.
    void chatSettingsChanged();
    /// It cannot be written, in a sentence: told once until it can.
    void writeFailed(const QString& message);

private:
    void read(const QString& oldPath);
    void setAside();
    void keepFile(const QString& why);
    void noteChange(bool isChanged);

    QString m_path;
    QString m_importedPath; ///< read instead of the file; renamed once the file is written
    SettingsDocument m_document;
    QStringList m_notes;
    QTimer m_timer;
    bool m_mayWrite = true;
    bool m_isDirty = false;
    bool m_hasToldFailure = false;
};

} // namespace app
