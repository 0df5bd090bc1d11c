#pragma once

#include "app/settings/chat_settings.h"

#include <QByteArray>
#include <QVariant>

#include <nlohmann/json.hpp>

namespace app {

/// The text of the settings file as a JSON document of version 1:
/// {"version", "window": {...}, "model": {...}, "chat": {...}, "models": {file name: {...}},
/// "presets": {name: {...}}}; the last three hold chat settings (chat_settings_json).
/// What is not understood is kept as it is; what is no value of its kind or out of range counts as
/// missing, and notes() says so.
class SettingsDocument {
public:
    static constexpr int kVersion = 1;

    SettingsDocument();
    /// None when the text is no JSON object.
    static std::optional<SettingsDocument> parse(const QByteArray& text);
    QByteArray text() const;

    /// Of a later program: may be read, but not written.
    bool isNewer() const;
    qint64 version() const;
    /// A sentence for every bad value: where it is, what it is, what it must be.
    QStringList notes() const;

    /// One value of the window or the model: "window/list".
    QVariant value(const QString& key, const QVariant& fallback = {}) const;
    /// False when that is what there was.
    bool setValue(const QString& key, const QVariant& value);

    /// What new chats start with.
    ChatSettings chatDefaults() const;
    bool setChatDefaults(const ChatSettings& settings);
    /// Chat settings of group "models" or "presets" by their names.
    QStringList names(const char* group) const;
    std::optional<ChatSettings> settings(const char* group, const QString& name) const;
    /// None takes them out.
    bool setSettings(
        const char* group, const QString& name, const std::optional<ChatSettings>& settings);

    static constexpr const char* kModels = "models";
    static constexpr const char* kPresets = "presets";

private:
    nlohmann::ordered_json m_json;
};

} // namespace app
