#pragma once

#include "engine/base/result.h"
#include "engine/base/token.h"
#include "engine/base/trace_log.h"

#include <functional>
#include <optional>
#include <span>
#include <string>

namespace engine {

/// How much of a sequence was already in the KV cache, and why not more.
struct SyncReport {
    int reusedTokens = 0;
    int computedTokens = 0;
    std::optional<int> firstMissPosition; ///< none when everything but the last position was reused
    std::string missCause; ///< in words; "" when there was no miss
    int chunkCount = 0; ///< prefill passes

    bool operator==(const SyncReport&) const = default;
};

/// What a caller of sync may watch and stop.
struct SyncControl {
    std::function<void(int done, int total, int reused)> progress; ///< after each submission
    std::function<bool()> cancelled; ///< asked before each submission
};

/// One mutable sequence of tokens that a model scores. A real seam: Session runs a model on the
/// device; the scripted model of the guided trace and of tests answers from a table.
/// Inference thread only.
class Timeline {
public:
    virtual ~Timeline() = default;

    /// Makes the timeline exactly these tokens (at least one): keeps the longest reusable prefix,
    /// computes the rest in chunks. The last position is always computed, so that its logits exist.
    /// Errors: ContextFull with both numbers, Cancelled (what was read stays reusable), DeviceLost,
    /// OutOfMemory.
    virtual Result<SyncReport> sync(std::span<const TokenId> ids, const SyncControl& control) = 0;
    /// One decode pass: adds a token and computes its logits. Error ContextFull at the end.
    virtual Result<void> append(TokenId id) = 0;
    /// Raw scores of the token after the last position, [vocabularySize] f32. Valid until the next
    /// sync or append.
    virtual std::span<const float> logits() const = 0;
    /// Forgets the pages computed since this position: after scores that are not finite.
    virtual void dropFrom(int position) = 0;
    /// Tokens now on the timeline.
    virtual int tokenCount() const = 0;
    virtual int contextLength() const = 0;
    /// Measures what it computes into the log from now on; null: no longer.
    virtual void setTrace(TraceLog*) { }
};

} // namespace engine
