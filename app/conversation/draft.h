#pragma once

#include "app/compare/requirement_check.h"
#include "app/conversation/acceptance.h"
#include "app/runs/kept_tokens.h"
#include "app/runs/run_record.h"
#include "engine/session/generation_event.h"
#include "engine/session/model_event.h"

#include <QElapsedTimer>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace app {

/// Where a draft is on its way. All but Ended are partial.
enum class DraftState { Queued, Prefilling, Writing, Paused, Ended };

/// What a draft was made with; known when it is submitted and never changed.
struct DraftOrigin {
    engine::GenerationRequest request;
    std::optional<GridPlace> grid; ///< of a run grid; none: asked for by itself
    std::string startedBy; ///< as the run record says it; "": not recorded
    std::string modelName;
    std::string deviceName;
    std::string promptText; ///< the formatted prompt, template and data
    RecordedSpans promptSpans; ///< whose words promptText is
    std::vector<RecordedSource> sources; ///< that the prompt holds
    PromptTimes promptTimes; ///< empty for a prompt that was there already
    /// Of the draft's tokens at the end of request.promptIds, where a fork kept them.
    KeptTokens kept;
    int droppedTurnCount = 0; ///< first turns of the branch that the prompt leaves out
    std::string templateName; ///< "from the file", "ChatML (chosen)", "none (plain text)"
    std::string templateFamily; ///< "own", "ChatML", ...; "": none, plain text
    std::string checkpointFile; ///< the file's name without its folder
    uint64_t checkpointBytes = 0;
    std::string kvType; ///< of the KV cache: "f16"; "": not observed
    /// How the end tokens are written, for drafts whose vocabulary is not at hand.
    std::map<engine::TokenId, std::string> endTokenTexts;
    /// Shared with the engine and other drafts: immutable, and a draft outlives its model.
    std::shared_ptr<const engine::ModelText> modelText;

    /// A token written out ("<|im_end|>"), "" when its vocabulary is not at hand.
    std::string tokenText(engine::TokenId id) const;
};

/// What is kept of a draft that has ended; its tokens are read when somebody asks for them.
struct DraftRemains {
    std::string text;
    engine::RunEnded ending;
    int tokenCount = 0;
    int notSampledCount = 0;
    WindowTimes window;
    std::vector<engine::RunPass> passes;
    std::optional<RequirementCheck> check;
    std::optional<Acceptance> acceptance;
};

/// An answer while it is written and after. It is partial until the engine's terminal event says
/// otherwise: no count, token id or silence changes that. GUI thread.
class Draft {
public:
    explicit Draft(DraftOrigin origin);
    /// A draft that was read back.
    Draft(DraftOrigin origin, DraftRemains remains);

    /// Events of other runs, and events after the terminal one, are ignored.
    void apply(const engine::GenerationEvent& event);

    engine::RunId runId() const { return m_origin.request.runId; }
    const DraftOrigin& origin() const { return m_origin; }
    DraftState state() const { return m_state; }
    /// The terminal event; none while the draft is under way.
    const std::optional<engine::RunEnded>& ending() const { return m_ending; }
    engine::Verdict verdict() const;
    bool isPartial() const { return verdict() == engine::Verdict::Partial; }

    /// Released text, UTF-8, exactly as the engine gave it.
    const std::string& text() const { return m_text; }
    int tokenCount() const { return m_tokenCount; }
    /// Tokens that were forced, typed, supplied or edited.
    int notSampledCount() const { return m_notSampledCount; }
    const std::vector<engine::TokenRecord>& records() const { return m_records; }
    /// Whether records() and the prompt's ids are in memory.
    bool hasDetails() const { return m_hasDetails; }
    void setDetails(engine::TokenIds promptIds, std::string promptText,
        std::vector<engine::TokenRecord> records, KeptTokens kept = {});
    /// How the whole answer stood to what is asked of it when it was looked at last; none: nothing
    /// is asked, or it was not looked at yet.
    const std::optional<RequirementCheck>& check() const { return m_check; }
    void setCheck(std::optional<RequirementCheck> check) { m_check = std::move(check); }
    /// That a person accepted the answer for use.
    const std::optional<Acceptance>& acceptance() const { return m_acceptance; }
    void setAcceptance(std::optional<Acceptance> acceptance)
    {
        m_acceptance = std::move(acceptance);
    }
    int queuedBehind() const { return m_queuedBehind; }
    /// Why it pauses; meaningful in the state Paused.
    engine::PauseCause pauseCause() const { return m_pauseCause; }
    /// The run is on its way to the engine: times of its tokens count from now on.
    void noteStarted() { m_startedMs = elapsedMs(); }
    /// Submitted to that moment; none where nobody saw it.
    std::optional<double> startedMs() const { return m_startedMs; }
    const std::vector<DraftPause>& pauses() const { return m_pauses; }
    /// In the order of their ends; none: not observed.
    const std::vector<engine::RunPass>& passes() const { return m_passes; }
    WindowTimes windowTimes() const
    {
        return { m_origin.promptTimes, m_startedMs, m_firstPaintMs, m_lastPaintMs, m_pauses };
    }
    const std::optional<engine::PrefillProgress>& prefill() const { return m_prefill; }
    /// Text held back because a stop string may be matching, and that string.
    const std::string& heldText() const { return m_heldText; }
    const std::string& heldFor() const { return m_heldFor; }
    int waitingBytes() const { return m_waitingBytes; }

    /// Tokens a second; none before there are two moments to measure between.
    std::optional<double> readRate() const;
    std::optional<double> writeRate() const;
    /// Submitted to first paint in the window.
    std::optional<double> firstOutputMs() const { return m_firstPaintMs; }
    /// Submitted to terminal event.
    std::optional<double> completionMs() const;
    /// Submitted to the last paint that showed new text.
    std::optional<double> lastPaintMs() const { return m_lastPaintMs; }
    /// The view calls this when it has painted text of this draft.
    void notePainted();

private:
    void applyToken(const engine::TokenDecoded& token);
    void applyEnd(const engine::RunEnded& end);
    void endPause();
    double pausedMs(int beforeToken) const;
    void addPasses(const std::vector<engine::RunPass>& passes)
    {
        m_passes.insert(m_passes.end(), passes.begin(), passes.end());
    }
    /// Since a person submitted it: its prompt was made first, then the draft.
    double elapsedMs() const
    {
        return double(m_sinceSubmitted.nsecsElapsed()) / 1e6
            + m_origin.promptTimes.templateMs.value_or(0)
            + m_origin.promptTimes.tokenizeMs.value_or(0);
    }

    DraftOrigin m_origin;
    DraftState m_state = DraftState::Queued;
    std::optional<engine::RunEnded> m_ending;
    std::string m_text;
    std::vector<engine::TokenRecord> m_records;
    bool m_hasDetails = true;
    int m_tokenCount = 0;
    std::optional<engine::PrefillProgress> m_prefill;
    std::string m_heldText;
    std::string m_heldFor;
    int m_waitingBytes = 0;
    int m_notSampledCount = 0;
    int m_queuedBehind = 0;
    engine::PauseCause m_pauseCause = engine::PauseCause::Asked;
    std::optional<double> m_startedMs;
    std::vector<DraftPause> m_pauses;
    std::vector<engine::RunPass> m_passes;
    QElapsedTimer m_sinceSubmitted;
    std::optional<double> m_prefillStartMs;
    std::optional<double> m_firstTokenMs;
    std::optional<double> m_lastTokenMs;
    std::optional<double> m_firstPaintMs;
    std::optional<double> m_lastPaintMs;
    size_t m_paintedBytes = 0;
    std::optional<double> m_endedMs;
    std::optional<RequirementCheck> m_check;
    std::optional<Acceptance> m_acceptance;
};

} // namespace app
