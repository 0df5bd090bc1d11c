#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string_view>

namespace app {

/// Why a text is no JSON document.
enum class JsonFault { NotWhole, TooDeep };

/// A document that another program, or nobody, may have written; Json: nlohmann::json or
/// ordered_json. None: it is not whole, or nested so deeply that it would exhaust the stack later
/// on. fault: gets which; may be null.
template <typename Json>
std::optional<Json> parsedJson(std::string_view text, JsonFault* fault = nullptr)
{
    constexpr int kDeepest = 100; // no document of this program is deeper
    bool isTooDeep = false;
    const auto limit = [&](int depth, typename Json::parse_event_t, Json&) {
        isTooDeep = isTooDeep || depth > kDeepest;
        return !isTooDeep;
    };
    Json document = Json::parse(text, limit, false);
    if (!isTooDeep && !document.is_discarded())
        return document;
    if (fault)
        *fault = isTooDeep ? JsonFault::TooDeep : JsonFault::NotWhole;
    return std::nullopt;
}

} // namespace app
