#pragma once

#include "app/settings/chat_settings.h"

#include <nlohmann/json.hpp>

#include <string>

namespace app {

/// The settings of a conversation as JSON, all of them, by the names of the run record.
nlohmann::ordered_json chatSettingsJson(const ChatSettings& settings);
/// What is missing leaves the default. What is no value of its kind or out of range leaves the
/// default too, and notes (if given) gets a sentence naming the key, the value and the range.
ChatSettings chatSettingsOf(const nlohmann::ordered_json& json, QStringList* notes = nullptr);

/// The same as text; text that is no JSON gives the defaults.
std::string chatSettingsToJson(const ChatSettings& settings);
ChatSettings chatSettingsFromJson(const std::string& text);

} // namespace app
