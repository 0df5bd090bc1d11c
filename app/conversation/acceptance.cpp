#include "app/conversation/acceptance.h"

using nlohmann::ordered_json;

namespace app {

ordered_json toJson(const Acceptance& acceptance)
{
    return { { "at", acceptance.at.toUTC().toString(Qt::ISODateWithMs).toStdString() },
        { "text_sha256", acceptance.textSha256 } };
}

std::optional<Acceptance> acceptanceFrom(const ordered_json& json)
{
    if (!json.is_object())
        return std::nullopt;
    const ordered_json at = json.value("at", ordered_json());
    const ordered_json hash = json.value("text_sha256", ordered_json());
    if (!at.is_string() || !hash.is_string())
        return std::nullopt;
    Acceptance acceptance { QDateTime::fromString(
                                QString::fromStdString(at.get<std::string>()), Qt::ISODateWithMs),
        hash.get<std::string>() };
    return acceptance.at.isValid() ? std::optional(acceptance) : std::nullopt;
}

} // namespace app
