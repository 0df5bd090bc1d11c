#pragma once

#include "engine/base/trace_log.h"
#include "engine/kernels/device_probe.h"

#include <iosfwd>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// An operation of a pass, its layers together.
struct OperationRow {
    std::string name;
    std::string shape;
    int count = 0; ///< how often in the pass
    double ms = 0; ///< of all of them, without their time marks
    double gigabytesPerS = 0;
    double gigaMultiplyAddsPerS = 0;
    /// The least time that the probe's figures allow for these bytes and multiply-adds, over the
    /// time taken.
    double share = 0;

    bool operator==(const OperationRow&) const = default;
};

/// What the passes of one kind took: the median of each figure over them. Times on the host are of
/// passes without time marks where there are any.
struct PassTable {
    uint32_t rowCount = 0; ///< of a pass
    int passCount = 0;
    std::vector<OperationRow> operations; ///< in order; empty without timestamps
    OperationRow device; ///< all of them together
    double timeMarkMs = 0; ///< what one adds to an operation: taken off each
    std::vector<std::pair<std::string, double>> host; ///< ms a pass by the name of the span
};

/// What a time mark costs is the difference of passes with and without.
/// Of decode steps (one row) and of the prefill chunks that have the most rows, where there are
/// any.
std::vector<PassTable> passTables(
    const std::vector<engine::TraceSpan>& spans, const engine::DeviceProbe& probe);

nlohmann::ordered_json toJson(const PassTable& table);
void print(std::ostream& out, const PassTable& table);

} // namespace app
