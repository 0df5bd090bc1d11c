#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <vector>

namespace app {

/// A wait of a run until somebody let it go on, in milliseconds since it was given to the engine,
/// as the window saw it.
struct DraftPause {
    int beforeToken = 0; ///< among the new tokens
    double startMs = 0;
    std::optional<double> endMs; ///< none: it still waits

    bool operator==(const DraftPause&) const = default;
};

/// How long the window took to make a prompt of the messages.
struct PromptTimes {
    std::optional<double> templateMs; ///< the template written out
    std::optional<double> tokenizeMs; ///< its text turned into token ids

    bool operator==(const PromptTimes&) const = default;
};

/// What the window observed of a run. Moments are milliseconds since a person submitted it, which
/// is before the prompt was made; empty: not observed, or no window was there.
struct WindowTimes {
    PromptTimes prompt;
    std::optional<double> startedMs; ///< given to the engine, whose own moments count from here
    std::optional<double> firstPaintMs;
    std::optional<double> lastPaintMs;
    std::vector<DraftPause> pauses; ///< known when startedMs is

    bool operator==(const WindowTimes&) const = default;
};

/// Into the `times` of a run record: template_ms, tokenize_ms, started_ms, first_paint_ms,
/// last_paint_ms and pauses, a list of [before which new token, start_ms, end_ms]; and back. What a
/// record lacks is empty.
void writeWindowTimes(const WindowTimes& window, nlohmann::ordered_json& times);
WindowTimes readWindowTimes(const nlohmann::ordered_json& times);

} // namespace app
