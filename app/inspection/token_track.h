#pragma once

#include "app/conversation/answer.h"
#include "app/conversation/token_place.h"

#include <algorithm>

namespace app {

/// Which part of its run's timeline a token belongs to.
enum class TokenPlace { Prompt, Opening, Answer };

/// A token as an inspector lists it; what was observed when it was chosen is TokenTrack::record.
struct TrackToken {
    engine::TokenId id = 0;
    TokenPlace place = TokenPlace::Prompt;
    engine::TokenSource source = engine::TokenSource::Supplied;
    std::string bytes; ///< "" for control tokens, and where the vocabulary is not at hand
    std::string controlText; ///< "<|im_end|>"; "" for others
    int part = -1; ///< of the answer, for TokenPlace::Answer
    int index = -1; ///< among the new tokens of that part
    bool isReused = false; ///< a prompt token that was in the KV cache
    PromptOrigin origin = PromptOrigin::Unknown; ///< whose words a prompt token begins
    TextBytes text; ///< in Answer::text(), widened to whole characters; empty for the prompt
};

/// All tokens of an answer in the order of its timeline: the prompt, what a person began, and what
/// each run added. It follows a growing answer; a new token costs the same at any length.
/// GUI thread; the answer must outlive it.
class TokenTrack {
public:
    /// fallback: for the pieces of tokens whose own vocabulary is not at hand; may be null.
    explicit TokenTrack(const Answer& answer, std::shared_ptr<const engine::ModelText> fallback = {});

    /// Takes over what the answer got since the last call. True: earlier tokens changed too.
    bool update();

    const std::vector<TrackToken>& tokens() const { return m_tokens; }
    /// Tokens before the first that a person or a run added.
    int promptCount() const { return m_promptCount; }
    /// Of tokens()[i]; null where nothing was observed. What a fork kept has the records of the
    /// branch it came from. Valid until the answer's next event.
    const engine::TokenRecord* record(int i) const;
    /// The run of this answer that chose tokens()[i]; null for the prompt and the opening, also
    /// where a fork kept a record.
    const Draft* draftOf(int i) const;
    /// The settings of the run that chose tokens()[i], on whatever branch; null where there was none.
    const engine::SamplerSettings* samplingOf(int i) const;
    /// Ids that could not be the first token of that run.
    engine::TokenIds bannedFirstIdsOf(int i) const;
    /// Which of its run's choices it was: the seed of those settings fixes its draw with it.
    uint64_t drawStepOf(int i) const { return uint64_t(std::max(0, i - m_promptCount)); }
    /// A run of the model that chose it: for its vocabulary. Null where no run is.
    const Draft* modelRunOf(int i) const;
    /// No token of the same run stands before it.
    bool isFirstOfRun(int i) const;
    /// Was kept by a fork, with what was observed of it.
    bool isKept(int i) const;
    /// The first token whose text holds this byte of Answer::text(); none beyond its end.
    std::optional<int> tokenAt(size_t textByte) const;
    /// Any token written out with the vocabulary of tokens()[i], as a candidate beside it; "" where
    /// that is not at hand. Bytes: may be part of a character.
    std::string pieceText(int i, engine::TokenId id) const;
    /// Every id before tokens()[i]: what the model had read when it was chosen.
    engine::TokenIds idsBefore(int i) const;

private:
    void start();
    void addOpening();
    void addPart(int part);
    const KeptTokens::Run* keptRunOf(int i) const;
    TrackToken describe(engine::TokenId id, const engine::ModelText* text) const;
    void say(TrackToken token);
    void widenLast();

    const Answer& m_answer;
    std::shared_ptr<const engine::ModelText> m_fallback;
    std::vector<TrackToken> m_tokens;
    int m_promptCount = 0;
    std::vector<size_t> m_taken; ///< records of each part that are in m_tokens
    bool m_hasDetails = false;
    bool m_hasEnd = false; ///< of the first part, which says how much was reused
    std::string m_said; ///< the bytes of the opening and of all new tokens
};

} // namespace app
