#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace engine {

/// What may be said of a draft. Everything that has not ended is Partial.
enum class Verdict { Partial, Complete, Stopped, Capped };

/// The one condition that ended a draft. The order is the precedence when several hold at a token.
enum class StopReason {
    EndToken,
    StopString,
    LengthCap,
    ContextFull,
    ThinkingCap,
    TimeCap,
    Repetition,
    Cancelled,
    Failed,
    Interrupted,
};

/// One row of the only table of stop reasons: JSON, window words and verdicts come from here.
struct StopReasonInfo {
    StopReason reason;
    const char* name; ///< in JSON and in searches: "length_cap"
    Verdict verdict;
    const char* words; ///< for people; translated by the window
};

std::span<const StopReasonInfo> stopReasonTable();
const StopReasonInfo& stopReasonInfo(StopReason reason);
std::optional<StopReason> findStopReason(std::string_view name);

/// "partial", "complete", "stopped", "capped".
const char* verdictName(Verdict verdict);

/// Who cancelled a run.
enum class CancelledBy { User, Closing, ModelUnloaded };
/// "user", "closing", "model_unloaded".
const char* cancelledByName(CancelledBy by);

} // namespace engine
