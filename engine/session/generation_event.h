#pragma once

#include "engine/base/cache_miss.h"
#include "engine/base/error.h"
#include "engine/sampling/token_record.h"
#include "engine/session/generation_request.h"
#include "engine/session/kv_room.h"
#include "engine/session/pace.h"
#include "engine/session/run_pass.h"
#include "engine/session/stop_reason.h"

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace engine {

/// The run waits for others.
struct RunQueued {
    RunId runId = 0;
    int before = 0; ///< how many runs come first

    bool operator==(const RunQueued&) const = default;
};

/// The prompt is being read.
struct PrefillProgress {
    RunId runId = 0;
    int done = 0; ///< prompt positions in the KV cache, reused ones included
    int total = 0;
    int reused = 0; ///< taken from an earlier run's pages
    std::vector<RunPass> passes {}; ///< that ended since the last event that tells of passes

    bool operator==(const PrefillProgress&) const = default;
};

/// One token was decided. The draft is still partial, whatever the token is.
struct TokenDecoded {
    RunId runId = 0;
    int index = 0; ///< 0 = first new token
    TokenRecord record;
    std::string text; ///< released at this token: whole characters; may be empty
    int waitingBytes = 0; ///< held for the rest of a character
    std::string heldText; ///< held because a stop string may be matching
    std::string heldFor; ///< that stop string
    std::vector<RunPass> passes {}; ///< that ended since the last event that tells of passes

    bool operator==(const TokenDecoded&) const = default;
};

/// Text that was held back is released without a new token.
struct TextReleased {
    RunId runId = 0;
    std::string text;

    bool operator==(const TextReleased&) const = default;
};

/// The run waits until somebody lets it go on, or ends it. The draft is partial.
struct RunPaused {
    RunId runId = 0;
    PauseCause cause = PauseCause::Asked;

    bool operator==(const RunPaused&) const = default;
};

/// A paused run goes on.
struct RunResumed {
    RunId runId = 0;

    bool operator==(const RunResumed&) const = default;
};

/// How near a stop condition was when the draft ended.
struct LedgerEntry {
    StopReason reason = StopReason::EndToken;
    bool held = false; ///< the condition was met at the deciding token
    std::string state; ///< "57 of 64", "used 88 of 8192"

    bool operator==(const LedgerEntry&) const = default;
};

/// Why a draft ended: the deciding condition, and how near the others were.
struct Ledger {
    static constexpr int kContractVersion = 1;

    int contractVersion = kContractVersion;
    StopReason reason = StopReason::Failed;
    std::optional<int> decidingTokenIndex; ///< among the new tokens
    std::optional<TokenId> endTokenId;
    std::string stopString;
    std::optional<int64_t> stopStringOffset; ///< bytes from the start of the generated text
    std::optional<Repetition> repetition; ///< what the guard saw at the end; none when it was off
    std::optional<CancelledBy> cancelledBy;
    std::optional<Error> error;
    int tokenCount = 0; ///< new tokens of this run, the end token included
    int lengthCap = 0;
    int contextUsed = 0; ///< prompt and new tokens
    int contextLength = 0;
    std::vector<LedgerEntry> entries;

    bool operator==(const Ledger&) const = default;
};

/// Milliseconds since the run was submitted; empty = not reached.
struct RunTiming {
    std::optional<double> dequeuedMs;
    std::optional<double> prefillStartMs;
    std::optional<double> prefillEndMs;
    std::optional<double> firstTokenMs;
    std::optional<double> firstTextMs; ///< first text delivered to the sink
    std::optional<double> endedMs;

    bool operator==(const RunTiming&) const = default;
};

/// How the KV cache served a run.
struct CacheUse {
    int reusedTokens = 0;
    int computedTokens = 0;
    std::optional<int> firstMissPosition; ///< none when everything known was reused
    std::string missCause; ///< in words; "" when there was no miss
    std::optional<CacheMiss> miss; ///< none when there was no miss
    std::optional<TokenId> heldToken; ///< of CacheMiss::OtherToken: what the cache has there
    std::optional<KvRoom> room; ///< of the whole sequence, at the end

    bool operator==(const CacheUse&) const = default;
};

/// Whether a run's next pass was computed while its last token was on its way to the host.
struct OverlapUse {
    bool isUsed = false;
    std::string obstacle; ///< why not, in words; "" when used, or when nothing was decoded

    bool operator==(const OverlapUse&) const = default;
};

/// The terminal event: this draft gets no more tokens.
struct RunEnded {
    RunId runId = 0;
    Ledger ledger;
    std::string text; ///< all text released by this run
    TokenIds tokenIds; ///< all new ids, the end token included
    std::string waitingBytes; ///< bytes of a last character that never became whole
    CacheUse cache;
    int prefillChunkCount = 0;
    int decodePassCount = 0;
    int discardedPassCount = 0; ///< look-ahead passes whose result was not used
    OverlapUse overlap;
    RunTiming timing;
    std::vector<RunPass> passes {}; ///< since the last event that tells of passes

    Verdict verdict() const { return stopReasonInfo(ledger.reason).verdict; }
    bool operator==(const RunEnded&) const = default;
};

using GenerationEvent
    = std::variant<RunQueued, PrefillProgress, TokenDecoded, TextReleased, RunPaused, RunResumed, RunEnded>;

/// The run an event belongs to.
inline RunId runIdOf(const GenerationEvent& event)
{
    return std::visit([](const auto& e) { return e.runId; }, event);
}

} // namespace engine
