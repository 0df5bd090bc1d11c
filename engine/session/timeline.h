#pragma once

#include "engine/base/cache_miss.h"
#include "engine/base/result.h"
#include "engine/base/token.h"
#include "engine/base/trace_log.h"
#include "engine/sampling/step_result.h"
#include "engine/session/kv_room.h"
#include "engine/session/run_pass.h"

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
    std::optional<CacheMiss> miss; ///< none when there was no miss
    std::optional<TokenId> heldToken; ///< of CacheMiss::OtherToken: what the cache has there
    std::string missCause; ///< in words; "" when there was no miss
    int chunkCount = 0; ///< prefill passes

    bool operator==(const SyncReport&) const = default;
};

/// What a caller of sync may watch and stop.
struct SyncControl {
    std::function<void(int done, int total, int reused)> progress; ///< after each submission
    std::function<bool()> cancelled; ///< asked before each submission
    bool reusesCache = true; ///< false: everything is computed anew
};

/// How a timeline is to choose tokens itself.
struct ChoosingOptions {
    SamplerSettings sampling; ///< without an obstacle
    uint64_t firstDrawStep = 0;
    int mostTokens = 0; ///< no pass is computed past the one that chooses this many
    bool looksAhead = true; ///< computes the next token before this one is known to the caller
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
    /// None: it has no cache in pages.
    virtual std::optional<KvRoom> room() const { return std::nullopt; }

    /// Why the timeline cannot choose tokens itself, in words; none: it can. Else the caller chooses
    /// from logits and appends.
    virtual std::optional<std::string> choosingObstacle(const SamplerSettings&) const
    {
        return "the scores are not made on a device";
    }
    /// After sync, without an obstacle: nextToken gives the tokens that follow.
    virtual Result<void> beginChoosing(const ChoosingOptions&) { return noChoosing(); }
    /// Adds the token that the call before chose, if any, and chooses the next one; nothing more is
    /// to be done where its scores are not finite. Not called after mostTokens. Errors as of append.
    virtual Result<StepResult> nextToken() { return noChoosing(); }
    /// The token last chosen is not added. Returns how many passes were computed ahead in vain.
    virtual int endChoosing() { return 0; }

    /// Measures what it computes into the log from now on; null: no longer.
    virtual void setTrace(TraceLog*) { }
    /// Tells the log of every pass from now on, as prefill (sync), decode or discarded; null: no
    /// longer. One that computes nothing has none to tell of.
    virtual void setPassLog(PassLog*) { }

private:
    static Error noChoosing() { return Error::badRequest("this timeline does not choose tokens"); }
};

} // namespace engine
