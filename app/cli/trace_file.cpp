#include "app/cli/trace_file.h"

#include "app/runs/run_json.h"

#include <QFile>
#include <QSaveFile>
#include <algorithm>

using engine::TraceSpan;
using engine::TraceTrack;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr int kProcess = 1;
    constexpr double kUsPerMs = 1e3;

    struct Track {
        TraceTrack track;
        int thread;
        const char* name;
        const char* category;
    };
    constexpr Track kTracks[] {
        { TraceTrack::Host, 1, "inference thread", "host" },
        { TraceTrack::Device, 2, "device", "device" },
        { TraceTrack::Delivery, 3, "events on their way", "delivery" },
    };

    const Track& trackOf(const TraceSpan& span)
    {
        return *std::ranges::find(kTracks, span.track, &Track::track);
    }

    ordered_json argumentsOf(const TraceSpan& span)
    {
        ordered_json arguments = ordered_json::object();
        if (span.rowCount > 0) {
            arguments["pass"] = span.pass;
            arguments["rows"] = span.rowCount;
        }
        if (!span.work)
            return arguments;
        arguments["shape"] = span.work->shape;
        arguments["bytes"] = span.work->bytes;
        arguments["multiply_adds"] = span.work->multiplyAdds;
        if (span.durationMs > 0) {
            arguments["gb_per_s"] = double(span.work->bytes) / span.durationMs * 1e-6;
            arguments["gmac_per_s"] = double(span.work->multiplyAdds) / span.durationMs * 1e-6;
        }
        return arguments;
    }

    ordered_json event(const TraceSpan& span, const char* phase, double startMs)
    {
        const Track& track = trackOf(span);
        return {
            { "name", span.name },
            { "cat", track.category },
            { "ph", phase },
            { "ts", startMs * kUsPerMs },
            { "pid", kProcess },
            { "tid", track.thread },
        };
    }

    ordered_json nameOf(const char* what, int thread, const char* name)
    {
        return { { "name", what }, { "ph", "M" }, { "pid", kProcess }, { "tid", thread },
            { "args", { { "name", name } } } };
    }
}

ordered_json traceJson(const std::vector<TraceSpan>& spans, const ordered_json& about)
{
    std::vector<TraceSpan> sorted = spans;
    std::ranges::stable_sort(sorted, [](const TraceSpan& a, const TraceSpan& b) {
        // Of two that start at once the outer one first.
        return a.startMs != b.startMs ? a.startMs < b.startMs : a.durationMs > b.durationMs;
    });
    ordered_json events = ordered_json::array();
    events.push_back(nameOf("process_name", 0, "tokenglass"));
    for (const Track& track : kTracks)
        events.push_back(nameOf("thread_name", track.thread, track.name));
    int id = 0;
    for (const TraceSpan& span : sorted) {
        if (span.track == TraceTrack::Delivery) {
            ordered_json begin = event(span, "b", span.startMs);
            ordered_json end = event(span, "e", span.startMs + span.durationMs);
            begin["id"] = end["id"] = ++id;
            events.push_back(std::move(begin));
            events.push_back(std::move(end));
            continue;
        }
        ordered_json complete = event(span, "X", span.startMs);
        complete["dur"] = span.durationMs * kUsPerMs;
        complete["args"] = argumentsOf(span);
        events.push_back(std::move(complete));
    }
    return { { "displayTimeUnit", "ms" }, { "otherData", about },
        { "traceEvents", std::move(events) } };
}

engine::Result<void> saveTrace(const std::string& path, const ordered_json& trace)
{
    QSaveFile file(QFile::decodeName(QByteArray::fromStdString(path)));
    const std::string text = dumped(trace) + "\n";
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0
        || !file.commit())
        return engine::Error::io(
            "the trace cannot be written to " + path + ": " + file.errorString().toStdString());
    return {};
}

} // namespace app
