#include "engine/session/stop_reason.h"

#include <array>

namespace engine {

namespace {
    // In the order of the enum, which is the order of precedence.
    constexpr std::array kStopReasons {
        StopReasonInfo {
            StopReason::EndToken, "end_token", Verdict::Complete, "the model ended it" },
        StopReasonInfo { StopReason::StopString, "stop_string", Verdict::Stopped,
            "your stop string; may be unfinished" },
        StopReasonInfo { StopReason::LengthCap, "length_cap", Verdict::Capped,
            "length cap reached: not known to be complete" },
        StopReasonInfo {
            StopReason::ContextFull, "context_full", Verdict::Capped, "the context is full" },
        StopReasonInfo {
            StopReason::ThinkingCap, "thinking_cap", Verdict::Capped, "thinking budget used up" },
        StopReasonInfo { StopReason::TimeCap, "time_cap", Verdict::Capped, "time limit" },
        StopReasonInfo {
            StopReason::Repetition, "repetition", Verdict::Capped, "repeating itself" },
        StopReasonInfo { StopReason::Cancelled, "cancelled", Verdict::Partial, "stopped by you" },
        StopReasonInfo { StopReason::Failed, "failed", Verdict::Partial, "failed" },
        StopReasonInfo {
            StopReason::Interrupted, "interrupted", Verdict::Partial, "the program ended" },
    };
}

std::span<const StopReasonInfo> stopReasonTable() { return kStopReasons; }

const StopReasonInfo& stopReasonInfo(StopReason reason) { return kStopReasons[size_t(reason)]; }

std::optional<StopReason> findStopReason(std::string_view name)
{
    for (const StopReasonInfo& info : kStopReasons)
        if (name == info.name)
            return info.reason;
    return std::nullopt;
}

const char* verdictName(Verdict verdict)
{
    switch (verdict) {
    case Verdict::Partial:
        return "partial";
    case Verdict::Complete:
        return "complete";
    case Verdict::Stopped:
        return "stopped";
    case Verdict::Capped:
        return "capped";
    }
    return "partial";
}

const char* cancelledByName(CancelledBy by)
{
    switch (by) {
    case CancelledBy::User:
        return "user";
    case CancelledBy::Closing:
        return "closing";
    case CancelledBy::ModelUnloaded:
        return "model_unloaded";
    }
    return "user";
}

} // namespace engine
