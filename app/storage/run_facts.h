#pragma once

#include "app/storage/database.h"
#include "app/storage/run_list.h"

namespace app {

/// What lists of runs show of a run's record: reading ten thousand records would take seconds. The
/// facts are a JSON array: opened at, model name, file, template family, tokens, cap, started by. They
/// follow from the table runs and can be made anew at any time.
/// It is short because the list of all tables must stay on the file's first page (salvage.cpp).
constexpr const char* kCreateRunFacts
    = "CREATE TABLE run_facts (run INTEGER PRIMARY KEY REFERENCES runs ON DELETE CASCADE, facts)";

/// Takes the facts of this run from its row, within the caller's transaction. Storage thread.
engine::Result<void> noteRunFacts(Database& database, StoredRunId run);
/// Puts them into a row of the list; facts that cannot be read leave it empty.
void readRunFacts(const QByteArray& facts, RunRow& row);
/// The same as noteRunFacts for every run of the file.
engine::Result<void> noteAllRunFacts(Database& database);

} // namespace app
