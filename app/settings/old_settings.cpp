#include "app/settings/old_settings.h"

#include "app/settings/chat_settings.h"

#include <QSettings>

namespace app {

SettingsDocument readOldSettings(const QSettings& store)
{
    SettingsDocument document;
    const auto take = [&](const char* name, auto convert) {
        const QString key = QLatin1String(name);
        if (store.contains(key))
            document.setValue(key, convert(store.value(key)));
    };
    const auto toBytes = [](const QVariant& value) { return value.toByteArray(); };
    const auto toText = [](const QVariant& value) { return value.toString(); };
    const auto toSwitch = [](const QVariant& value) { return value.toBool(); };
    take("window/geometry", toBytes);
    take("window/panes", toBytes);
    take("window/list", toSwitch);
    take("window/settings", toSwitch);
    take("window/textScale", [](const QVariant& value) { return value.toDouble(); });
    take("window/appearance", [](const QVariant& value) { return value.toInt(); });
    take("model/path", toText);
    take("model/device", toText);
    document.setChatDefaults(readChatSettings(store));
    return document;
}

} // namespace app
