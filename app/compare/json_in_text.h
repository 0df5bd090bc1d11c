#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace app {

/// The JSON of an answer: all of it, or what stands in its first code fence. None: no whole JSON.
std::optional<nlohmann::json> jsonInText(std::string_view text);

/// Whether a schema can be used (draft 7, without references to other documents). "" or why not.
std::string schemaFault(const nlohmann::json& schema);
/// "" or the first place where a document does not fit: "/hours: missing property 'close'".
std::string misfitOf(const nlohmann::json& document, const nlohmann::json& schema);

} // namespace app
