#pragma once

#include "engine/sampling/sampler.h"
#include "engine/session/event_sink.h"
#include "engine/session/pace.h"
#include "engine/session/stop_rules.h"
#include "engine/session/timeline.h"

#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>

namespace engine {

/// The model a generation runs on.
struct GenerationModel {
    Timeline& timeline;
    std::function<std::string(TokenId)> pieceBytes; ///< "" for control tokens
    TokenIds endTokenIds;
    int vocabularySize = 0;
};

class LoadedModel;
/// A model's text side with one of its timelines, which must outlive it.
GenerationModel generationModel(const LoadedModel& model, Timeline& timeline);

/// Who watches a generation, and who may end it.
struct GenerationWatch {
    EventSink& sink;
    std::function<std::optional<CancelledBy>()>
        cancelled; ///< asked after every token and submission
    std::chrono::steady_clock::time_point submitted;
    TraceLog* trace = nullptr; ///< of one who measures; not touched after RunEnded
    std::function<bool()> paused; ///< whether somebody wants a pause: asked before every choice; may be empty
    /// Whether others want the timeline for a moment: asked between two tokens; may be empty.
    std::function<bool()> othersWait;
    std::function<void()> serveOthers; ///< leaves the timeline with whatever sequence
};

/// One run from its request to its terminal event: reads the prompt, chooses tokens, releases text,
/// and ends by exactly one condition. Several that hold at the same token are ranked by the table
/// of stop reasons; the ledger keeps them all. A paused run keeps nothing of the model: others may use it meanwhile.
/// Inference thread only.
class Generation {
public:
    Generation(GenerationRequest request, GenerationModel model, GenerationWatch watch);

    /// Emits every event of the run until its end (RunEnded is the last) or a pause (RunPaused is the last so far).
    void run();
    /// Goes on after a pause, as run does. The ids are those of a run that never paused.
    void resume(Pace pace);
    /// Ends a paused run.
    void end(CancelledBy by);
    bool isPaused() const { return m_pause.has_value(); }

    /// What a run needs next whose passes are computed together with others'.
    enum class Step {
        NeedsPass, ///< over lastToken(); then afterPass()
        NeedsRoom, ///< in the KV cache; it has not been given, and takeUp() tries again
        Ended, ///< RunEnded has been emitted
    };
    /// The same run token by token: reads the prompt and chooses the first. No pauses, no overlap.
    Step begin();
    TokenId lastToken() const { return m_sequence.back(); }
    /// The timeline has been given lastToken() by whoever computes the passes.
    Step afterPass();
    /// Ends it: its pass could not be computed.
    Step failed(Error error);
    /// Lets go of the timeline; takeUp goes on on any timeline of the same model.
    void setAside() { releaseTimeline(); }
    Step takeUp(Timeline& timeline);

private:
    /// The condition that ended the run, with what only it carries.
    struct Ending {
        StopReason reason = StopReason::Failed;
        std::optional<CancelledBy> cancelledBy;
        std::optional<Error> error;
    };

    /// None: paused.
    std::optional<Ending> generate();
    /// Up to the scores of the first token.
    std::optional<Ending> readPrompt();
    Step stepAfter(std::optional<Ending> ending);
    std::optional<Ending> chooseTokens();
    std::optional<Ending> readAgain();
    std::optional<Ending> giveWay();
    void releaseTimeline();
    void enter();
    void leave(const std::optional<Ending>& ending);
    std::optional<PauseCause> pauseDue();
    Result<void> checkRequest() const;
    std::optional<Ending> prefill();
    /// Lets the timeline choose tokens itself where it can.
    std::optional<Ending> beginOverlap();
    std::optional<std::string> overlapObstacle() const;
    std::optional<Ending> decideToken();
    Result<TokenRecord> chooseHere(size_t index);
    Result<TokenRecord> chooseOnDevice(size_t index);
    uint64_t drawStepOf(size_t index) const;
    std::optional<Ending> endedFromOutside() const;
    Ending endedByError(Error error);
    void emitToken(TokenRecord record, std::string text);

    void finish(const Ending& ending);
    Ledger ledgerOf(const Ending& ending) const;

    std::span<const TokenId> newTokens() const
    {
        return std::span(m_sequence).subspan(m_request.promptIds.size());
    }
    int newTokenCount() const { return int(m_sequence.size() - m_request.promptIds.size()); }
    bool isTimeUp() const;
    double elapsedMs() const;
    double activeMs() const;
    void noteFirstText(const std::string& text);

    GenerationRequest m_request;
    GenerationModel m_model;
    GenerationWatch m_watch;
    Sampler m_sampler;
    StopRules m_rules;
    Timeline* m_timeline; ///< of m_model, or the one it was taken up on

    TokenIds m_sequence; ///< prompt and new tokens
    std::string m_text; ///< released so far
    std::optional<float> m_endProbability; ///< at the last token
    SyncReport m_sync;
    std::optional<PauseCause> m_pause; ///< while it pauses
    std::optional<PauseCause> m_breakpoint; ///< that held at the last token
    std::string m_saidSinceResumed; ///< bytes of the tokens since the run went on
    int m_tokensSinceResumed = 0;
    double m_pausedSinceMs = 0;
    double m_pausedMs = 0; ///< of all pauses that are over
    int m_decodePassCount = 0;
    int m_discardedPassCount = 0;
    OverlapUse m_overlap;
    bool m_isChoosingThere = false; ///< by the timeline, since the last pause
    int m_tokensChosenThere = 0;
    RunTiming m_timing;
    PassLog m_passLog;
};

} // namespace engine
