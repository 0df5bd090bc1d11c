#pragma once

#include "app/cli/bench_probe.h"
#include "app/cli/bench_runs.h"
#include "app/cli/operation_table.h"

#include <iosfwd>

namespace app {

/// Where the time of one run went, and what the device could do at best.
struct BenchProfile {
    ProbedDevice probed;
    engine::TraceLog trace;

    std::vector<PassTable> tables() const { return passTables(trace.spans(), probed.probe); }
};

/// Reads a prompt that no run before it had, and writes.
engine::Result<void> runTraced(
    BenchRuns& runs, int promptTokenCount, int decodeTokenCount, engine::TraceLog& trace);

nlohmann::ordered_json toJson(const BenchProfile& profile);
void print(std::ostream& out, const BenchProfile& profile);
/// For ui.perfetto.dev. Error Io.
engine::Result<void> saveTrace(
    const std::string& path, const BenchProfile& profile, const engine::ModelDescription& model);

} // namespace app
