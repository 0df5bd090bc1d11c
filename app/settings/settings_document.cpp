#include "app/settings/settings_document.h"

#include "app/runs/run_json.h"
#include "app/settings/chat_settings_json.h"

#include <QCoreApplication>

#include <algorithm>

using nlohmann::ordered_json;

namespace app {

namespace {
    struct Tr {
        Q_DECLARE_TR_FUNCTIONS(SettingsDocument)
    };

    enum class Kind { Switch, Number, WholeNumber, Text, Bytes };
    /// One value outside the chat settings; least and most are for numbers.
    struct Key {
        const char* section;
        const char* name;
        Kind kind;
        double least = 0;
        double most = 0;
    };
    constexpr Key kKeys[] = {
        { "window", "geometry", Kind::Bytes },
        { "window", "panes", Kind::Bytes },
        { "window", "list", Kind::Switch },
        { "window", "settings", Kind::Switch },
        { "window", "textScale", Kind::Number, 0.5, 3 },
        { "window", "appearance", Kind::WholeNumber, 0, 2 },
        { "window", "copyVerdictLine", Kind::Switch },
        { "model", "path", Kind::Text },
        { "model", "device", Kind::Text },
    };

    const Key* keyOf(const std::string& section, const std::string& name)
    {
        const auto found = std::find_if(std::begin(kKeys), std::end(kKeys),
            [&](const Key& key) { return key.section == section && key.name == name; });
        return found == std::end(kKeys) ? nullptr : found;
    }

    bool isGood(const Key& key, const ordered_json& value)
    {
        switch (key.kind) {
        case Kind::Switch:
            return value.is_boolean();
        case Kind::Number:
        case Kind::WholeNumber:
            return value.is_number() && (key.kind == Kind::Number || value.is_number_integer())
                && value.get<double>() >= key.least && value.get<double>() <= key.most;
        case Kind::Text:
            return value.is_string();
        case Kind::Bytes:
            return value.is_string()
                && QByteArray::fromBase64Encoding(
                    QByteArray::fromStdString(value.get<std::string>()),
                    QByteArray::AbortOnBase64DecodingErrors);
        }
        return false;
    }

    QString wanted(const Key& key)
    {
        switch (key.kind) {
        case Kind::Switch:
            return Tr::tr("true or false");
        case Kind::Number:
            return Tr::tr("a number from %1 to %2").arg(key.least).arg(key.most);
        case Kind::WholeNumber:
            return Tr::tr("a whole number from %1 to %2").arg(key.least).arg(key.most);
        case Kind::Text:
            return Tr::tr("text");
        case Kind::Bytes:
            return Tr::tr("text that this program wrote");
        }
        return {};
    }

    QString badValue(const QString& where, const ordered_json& value, const QString& wanted)
    {
        return Tr::tr("%1 is %2; it must be %3. The default is used.")
            .arg(where, QString::fromStdString(dumped(value)).left(40), wanted);
    }

    QVariant toVariant(const ordered_json& json, bool isBytes)
    {
        if (json.is_boolean())
            return json.get<bool>();
        if (json.is_number_integer())
            return json.get<qint64>();
        if (json.is_number())
            return json.get<double>();
        if (!json.is_string())
            return {};
        const std::string text = json.get<std::string>();
        return isBytes ? QVariant(QByteArray::fromBase64(QByteArray::fromStdString(text)))
                       : QVariant(QString::fromStdString(text));
    }

    ordered_json toJson(const QVariant& value)
    {
        switch (value.typeId()) {
        case QMetaType::Bool:
            return value.toBool();
        case QMetaType::Int:
        case QMetaType::LongLong:
            return value.toLongLong();
        case QMetaType::Double:
        case QMetaType::Float:
            return value.toDouble();
        case QMetaType::QByteArray:
            return value.toByteArray().toBase64().toStdString();
        default:
            return value.toString().toStdString();
        }
    }

    /// The object of this name; null when there is none.
    const ordered_json* objectOf(const ordered_json& parent, const std::string& name)
    {
        const auto found = parent.find(name);
        return found != parent.end() && found->is_object() ? &*found : nullptr;
    }

    /// The object of this name, made where there is none.
    ordered_json& madeObject(ordered_json& parent, const std::string& name)
    {
        ordered_json& object = parent[name];
        if (!object.is_object())
            object = ordered_json::object();
        return object;
    }

    /// Writes the settings over what is there and leaves keys alone that are not theirs.
    bool merge(ordered_json& object, const ChatSettings& settings)
    {
        const ordered_json before = object;
        const ordered_json written = chatSettingsJson(settings);
        for (const auto& [key, value] : written.items())
            object[key] = value;
        return object != before;
    }

    void noteChat(QStringList& notes, const QString& where, const ordered_json& json)
    {
        if (!json.is_object()) {
            notes.append(badValue(where, json, Tr::tr("a group of settings in braces")));
            return;
        }
        QStringList found;
        chatSettingsOf(json, &found);
        for (const QString& note : found)
            notes.append(where + QLatin1Char('/') + note);
    }
}

SettingsDocument::SettingsDocument()
    : m_json(ordered_json::object({ { "version", kVersion } }))
{
}

std::optional<SettingsDocument> SettingsDocument::parse(const QByteArray& text)
{
    ordered_json json = ordered_json::parse(text.begin(), text.end(), nullptr, false);
    if (!json.is_object())
        return std::nullopt;
    SettingsDocument document;
    document.m_json = std::move(json);
    return document;
}

QByteArray SettingsDocument::text() const
{
    ordered_json json = m_json;
    json["version"] = kVersion;
    return QByteArray::fromStdString(dumped(json, 2)) + '\n';
}

qint64 SettingsDocument::version() const
{
    const auto found = m_json.find("version");
    return found != m_json.end() && found->is_number_integer() ? found->get<qint64>() : kVersion;
}

bool SettingsDocument::isNewer() const { return version() > kVersion; }

QStringList SettingsDocument::notes() const
{
    QStringList notes;
    for (const auto& [name, value] : m_json.items()) {
        const QString section = QString::fromStdString(name);
        if (name == "version" && (!value.is_number_integer() || version() < 1))
            notes.append(badValue(section, value, Tr::tr("a whole number from 1")));
        if (name == "chat")
            noteChat(notes, section, value);
        const bool isGroup = name == kModels || name == kPresets;
        if (!isGroup && name != "window" && name != "model")
            continue;
        if (!value.is_object()) {
            notes.append(badValue(section, value, Tr::tr("a group of settings in braces")));
            continue;
        }
        for (const auto& [inner, innerValue] : value.items()) {
            const QString where = section + QLatin1Char('/') + QString::fromStdString(inner);
            const Key* key = keyOf(name, inner);
            if (isGroup)
                noteChat(notes, where, innerValue);
            else if (key && !isGood(*key, innerValue))
                notes.append(badValue(where, innerValue, wanted(*key)));
        }
    }
    return notes;
}

QVariant SettingsDocument::value(const QString& key, const QVariant& fallback) const
{
    const std::string section = key.section(QLatin1Char('/'), 0, 0).toStdString();
    const std::string name = key.section(QLatin1Char('/'), 1).toStdString();
    const ordered_json* object = objectOf(m_json, section);
    if (!object || !object->contains(name))
        return fallback;
    const Key* known = keyOf(section, name);
    if (known && !isGood(*known, (*object)[name]))
        return fallback;
    return toVariant((*object)[name], known && known->kind == Kind::Bytes);
}

bool SettingsDocument::setValue(const QString& key, const QVariant& value)
{
    ordered_json& section = madeObject(m_json, key.section(QLatin1Char('/'), 0, 0).toStdString());
    ordered_json& stored = section[key.section(QLatin1Char('/'), 1).toStdString()];
    ordered_json wanted = toJson(value);
    if (stored == wanted)
        return false;
    stored = std::move(wanted);
    return true;
}

ChatSettings SettingsDocument::chatDefaults() const
{
    const ordered_json* chat = objectOf(m_json, "chat");
    return chat ? chatSettingsOf(*chat) : ChatSettings();
}

bool SettingsDocument::setChatDefaults(const ChatSettings& settings)
{
    return merge(madeObject(m_json, "chat"), settings);
}

QStringList SettingsDocument::names(const char* group) const
{
    QStringList names;
    if (const ordered_json* object = objectOf(m_json, group))
        for (const auto& [name, value] : object->items())
            if (value.is_object())
                names.append(QString::fromStdString(name));
    names.sort(Qt::CaseInsensitive);
    return names;
}

std::optional<ChatSettings> SettingsDocument::settings(const char* group, const QString& name) const
{
    const ordered_json* object = objectOf(m_json, group);
    const ordered_json* found = object ? objectOf(*object, name.toStdString()) : nullptr;
    if (!found)
        return std::nullopt;
    return chatSettingsOf(*found);
}

bool SettingsDocument::setSettings(
    const char* group, const QString& name, const std::optional<ChatSettings>& settings)
{
    ordered_json& object = madeObject(m_json, group);
    const std::string key = name.toStdString();
    if (settings)
        return merge(madeObject(object, key), *settings);
    return object.erase(key) > 0;
}

} // namespace app
