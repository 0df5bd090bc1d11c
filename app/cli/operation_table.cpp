#include "app/cli/operation_table.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <ostream>
#include <set>

using engine::TraceSpan;
using engine::TraceTrack;
using nlohmann::ordered_json;

namespace app {

namespace {
    using Key = std::pair<std::string, std::string>; // name, shape
    const Key kDevice { "device", "" };
    const Key kWait { "wait", "" };

    /// What the spans of one name and shape add up to in one pass.
    struct Sum {
        int count = 0;
        double ms = 0;
        uint64_t bytes = 0;
        uint64_t multiplyAdds = 0;

        void add(const TraceSpan& span)
        {
            ++count;
            ms += span.durationMs;
            bytes += span.work ? span.work->bytes : 0;
            multiplyAdds += span.work ? span.work->multiplyAdds : 0;
        }
    };

    /// The sums of each pass under one key, and the keys in the order they came.
    struct Sums {
        std::vector<Key> order;
        std::map<Key, std::map<uint32_t, Sum>> ofPass;

        void add(const Key& key, const TraceSpan& span)
        {
            if (!ofPass.contains(key))
                order.push_back(key);
            ofPass[key][span.pass].add(span);
        }
        /// The pass in the middle, by time.
        Sum medianOf(const Key& key) const
        {
            std::vector<Sum> sums;
            for (const auto& [pass, sum] : ofPass.at(key))
                sums.push_back(sum);
            const auto middle = sums.begin() + ptrdiff_t(sums.size() / 2);
            std::ranges::nth_element(sums, middle, {}, &Sum::ms);
            return *middle;
        }
    };

    OperationRow rowOf(
        const Key& key, const Sum& sum, double timeMarkMs, const engine::DeviceProbe& probe)
    {
        OperationRow row { .name = key.first, .shape = key.second, .count = sum.count };
        row.ms = std::max(0.0, sum.ms - sum.count * timeMarkMs);
        if (row.ms <= 0)
            return row;
        row.gigabytesPerS = double(sum.bytes) / row.ms * 1e-6;
        row.gigaMultiplyAddsPerS = double(sum.multiplyAdds) / row.ms * 1e-6;
        if (probe.texelGigabytesPerS > 0 && probe.gigaMultiplyAddsPerS > 0)
            row.share = std::max(row.gigabytesPerS / probe.texelGigabytesPerS,
                row.gigaMultiplyAddsPerS / probe.gigaMultiplyAddsPerS);
        return row;
    }

    /// The medians over the passes of one row count. timeMarkMs: where these do not tell it.
    PassTable tableOf(uint32_t rowCount, const std::vector<TraceSpan>& spans, double timeMarkMs,
        const engine::DeviceProbe& probe)
    {
        std::set<uint32_t> passes;
        std::set<uint32_t> markedPasses;
        for (const TraceSpan& span : spans) {
            if (span.rowCount != rowCount || span.track == TraceTrack::Delivery)
                continue;
            passes.insert(span.pass);
            if (span.track == TraceTrack::Device)
                markedPasses.insert(span.pass);
        }
        const bool hasPlainPasses = markedPasses.size() < passes.size();
        Sums operations;
        Sums device;
        Sums plainHost;
        Sums markedHost;
        for (const TraceSpan& span : spans) {
            if (!passes.contains(span.pass) || span.track == TraceTrack::Delivery)
                continue;
            if (span.track == TraceTrack::Host) {
                (markedPasses.contains(span.pass) ? markedHost : plainHost)
                    .add({ span.name, "" }, span);
                continue;
            }
            operations.add({ span.name, span.work ? span.work->shape : "" }, span);
            device.add(kDevice, span);
        }
        PassTable table {
            .rowCount = rowCount, .passCount = int(passes.size()), .timeMarkMs = timeMarkMs
        };
        if (hasPlainPasses && !markedPasses.empty())
            table.timeMarkMs
                = std::max(0.0, markedHost.medianOf(kWait).ms - plainHost.medianOf(kWait).ms)
                / device.medianOf(kDevice).count;
        for (const Key& key : operations.order)
            table.operations.push_back(
                rowOf(key, operations.medianOf(key), table.timeMarkMs, probe));
        if (!markedPasses.empty())
            table.device = rowOf(kDevice, device.medianOf(kDevice), table.timeMarkMs, probe);
        const Sums& host = hasPlainPasses ? plainHost : markedHost;
        for (const Key& key : host.order)
            table.host.emplace_back(key.first, host.medianOf(key).ms);
        return table;
    }

    ordered_json toJson(const OperationRow& row)
    {
        return {
            { "operation", row.name },
            { "shape", row.shape },
            { "count", row.count },
            { "ms", row.ms },
            { "gb_per_s", row.gigabytesPerS },
            { "gmac_per_s", row.gigaMultiplyAddsPerS },
            { "share", row.share },
        };
    }

    void print(std::ostream& out, const OperationRow& row)
    {
        std::array<char, 192> line;
        std::snprintf(line.data(), line.size(), "  %-23s%-34s%5d %9.3f %8.2f %8.2f %6.1f %%\n",
            row.name.c_str(), row.shape.c_str(), row.count, row.ms, row.gigabytesPerS,
            row.gigaMultiplyAddsPerS, row.share * 100);
        out << line.data();
    }
}

std::vector<PassTable> passTables(
    const std::vector<TraceSpan>& spans, const engine::DeviceProbe& probe)
{
    uint32_t mostRows = 0;
    bool hasSteps = false;
    for (const TraceSpan& span : spans) {
        mostRows = std::max(mostRows, span.rowCount);
        hasSteps = hasSteps || span.rowCount == 1;
    }
    std::vector<PassTable> tables;
    if (hasSteps)
        tables.push_back(tableOf(1, spans, 0, probe));
    if (mostRows > 1)
        tables.push_back(tableOf(mostRows, spans, hasSteps ? tables.front().timeMarkMs : 0, probe));
    return tables;
}

ordered_json toJson(const PassTable& table)
{
    ordered_json operations = ordered_json::array();
    for (const OperationRow& row : table.operations)
        operations.push_back(toJson(row));
    ordered_json host = ordered_json::object();
    for (const auto& [name, ms] : table.host)
        host[name + "_ms"] = ms;
    return {
        { "rows", table.rowCount },
        { "passes", table.passCount },
        { "operations", operations },
        { "device", toJson(table.device) },
        { "time_mark_ms", table.timeMarkMs },
        { "host", host },
    };
}

void print(std::ostream& out, const PassTable& table)
{
    out << (table.rowCount == 1 ? "decode step" : "prefill chunk") << " of " << table.rowCount
        << (table.rowCount == 1 ? " row" : " rows") << ", medians of " << table.passCount << "\n";
    if (table.operations.empty()) {
        out << "  this device has no timestamps: no times of operations\n";
    } else {
        std::array<char, 192> line;
        std::snprintf(line.data(), line.size(), "  %-23s%-34s%5s %9s %8s %8s %8s\n", "operation",
            "shape", "count", "ms", "GB/s", "GMAC/s", "of probe");
        out << line.data();
        for (const OperationRow& row : table.operations)
            print(out, row);
        print(out, table.device);
        std::snprintf(
            line.data(), line.size(), "  taken off each: its time mark %43.3f\n", table.timeMarkMs);
        out << line.data();
    }
    for (const auto& [name, ms] : table.host) {
        std::array<char, 96> line;
        std::snprintf(line.data(), line.size(), "  host: %-56s %9.3f\n", name.c_str(), ms);
        out << line.data();
    }
}

} // namespace app
