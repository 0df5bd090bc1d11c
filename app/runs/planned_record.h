#pragma once

#include "app/runs/run_record.h"

#include <string>
#include <vector>

namespace app {

/// A run that nobody has started, as a record: everything known before its start. When it was
/// opened, who started it, and what only a run can observe is null.
nlohmann::ordered_json plannedRecord(const RunRecord& ahead);

/// Why a run that would begin now (the record it would open) is not the planned one: a line for
/// each thing that is another one, in words. Empty: it is the very same run.
std::vector<std::string> planDifferences(
    const nlohmann::ordered_json& planned, const nlohmann::ordered_json& now);

} // namespace app
