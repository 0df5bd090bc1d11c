#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

// Members of JSON objects that may be missing or of another kind: empty then. Where that is an
// error instead, json_fields.h names the field.

namespace app {

/// Null where there is none.
inline const nlohmann::ordered_json& memberAt(const nlohmann::ordered_json& json, const char* key)
{
    static const nlohmann::ordered_json kNull;
    if (!json.is_object())
        return kNull;
    const auto found = json.find(key);
    return found == json.end() ? kNull : *found;
}

inline std::string textAt(const nlohmann::ordered_json& json, const char* key)
{
    const nlohmann::ordered_json& value = memberAt(json, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

template <typename Number>
std::optional<Number> numberAt(const nlohmann::ordered_json& json, const char* key)
{
    const nlohmann::ordered_json& value = memberAt(json, key);
    if (!value.is_number())
        return std::nullopt;
    return value.get<Number>();
}

} // namespace app
