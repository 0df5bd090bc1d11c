#pragma once

#include "engine/session/generation_event.h"

#include <nlohmann/json.hpp>

namespace app {

/// JSON of the values that records and `run --json` share. Times are milliseconds since the run was
/// submitted; whatever is empty becomes null.
nlohmann::ordered_json toJson(const engine::RunTiming& timing);
nlohmann::ordered_json toJson(const engine::SamplerSettings& settings);
nlohmann::ordered_json toJson(const engine::TokenRecord& record);
nlohmann::ordered_json toJson(const engine::Ledger& ledger);
nlohmann::ordered_json toJson(const engine::Error& error);
/// [[id, logprob], ...]
nlohmann::ordered_json toJson(const std::vector<engine::Candidate>& top);

/// Bytes as pairs of lower-case digits, and back; what is no such text gives no bytes.
std::string hexOf(std::string_view bytes);
std::string bytesOfHex(std::string_view digits);

/// Floats with the digits that tell them apart, not those of the double beside them.
double shortest(float value);

/// Text for a file or pipe: valid UTF-8 whatever the strings hold. indent -1: one line.
std::string dumped(const nlohmann::ordered_json& json, int indent = -1);

} // namespace app
