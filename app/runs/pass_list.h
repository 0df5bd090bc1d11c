#pragma once

#include "engine/session/run_pass.h"

#include <nlohmann/json.hpp>

#include <span>
#include <vector>

namespace app {

/// The passes of a run in its record, beside their counts, in one of two forms. A record in a file:
/// `list`, each pass as {"kind": "prefill", "start_ms", "host_ms", "device_ms", "first_position",
/// "positions", "sequences", "weight_bytes", "cache_bytes"}, and likewise `discarded_list`, those
/// computed ahead in vain. In the database: `packed`, text of the base64 of zlib (with the length
/// before it, as qCompress makes it) of CBOR: a version and an array of the same nine values for each
/// pass, kinds as numbers (their order is part of the format). Not observed is null.
void writePassList(std::span<const engine::RunPass> passes, nlohmann::ordered_json& json);
void writePackedPasses(std::span<const engine::RunPass> passes, nlohmann::ordered_json& json);

/// Of either form, in the order of their starts; none where the record has neither, or what is
/// there cannot be read.
std::vector<engine::RunPass> readPasses(const nlohmann::ordered_json& json);

} // namespace app
