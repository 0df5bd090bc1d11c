#include "app/runs/window_times.h"

using nlohmann::ordered_json;

namespace app {

namespace {
    ordered_json orNull(const std::optional<double>& ms)
    {
        return ms ? ordered_json(*ms) : ordered_json();
    }

    std::optional<double> msIn(const ordered_json& value)
    {
        return value.is_number() ? std::optional(value.get<double>()) : std::nullopt;
    }

    std::optional<double> msAt(const ordered_json& times, const char* key)
    {
        return times.is_object() && times.contains(key) ? msIn(times[key]) : std::nullopt;
    }
}

void writeWindowTimes(const WindowTimes& window, ordered_json& times)
{
    times["template_ms"] = orNull(window.prompt.templateMs);
    times["tokenize_ms"] = orNull(window.prompt.tokenizeMs);
    times["started_ms"] = orNull(window.startedMs);
    times["first_paint_ms"] = orNull(window.firstPaintMs);
    times["last_paint_ms"] = orNull(window.lastPaintMs);
    ordered_json pauses;
    if (window.startedMs) {
        pauses = ordered_json::array();
        for (const DraftPause& pause : window.pauses)
            pauses.push_back(
                ordered_json::array({ pause.beforeToken, pause.startMs, orNull(pause.endMs) }));
    }
    times["pauses"] = std::move(pauses);
}

WindowTimes readWindowTimes(const ordered_json& times)
{
    WindowTimes window;
    window.prompt.templateMs = msAt(times, "template_ms");
    window.prompt.tokenizeMs = msAt(times, "tokenize_ms");
    window.startedMs = msAt(times, "started_ms");
    window.firstPaintMs = msAt(times, "first_paint_ms");
    window.lastPaintMs = msAt(times, "last_paint_ms");
    if (!times.is_object() || !times.contains("pauses"))
        return window;
    for (const ordered_json& pause : times["pauses"])
        if (pause.is_array() && pause.size() == 3 && pause[0].is_number_integer()
            && pause[1].is_number())
            window.pauses.push_back(
                { pause[0].get<int>(), pause[1].get<double>(), msIn(pause[2]) });
    return window;
}

} // namespace app
