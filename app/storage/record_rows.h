#pragma once

#include "app/storage/database.h"
#include "app/storage/stored_chat.h"

#include <nlohmann/json.hpp>

namespace app {

/// A run's record as a file of it would be (app/runs/run_record.h): the kept part, with its prompt,
/// text, tokens and list of passes. A record that cannot be read leaves its fields empty.
nlohmann::ordered_json wholeRecord(const StoredRun& run, const StoredRunDetails& details);

/// The same from the store's rows. Storage thread. Errors: those of ChatReader.
engine::Result<nlohmann::ordered_json> readRecordRows(Database& database, StoredRunId id);

} // namespace app
