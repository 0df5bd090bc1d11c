#pragma once

#include "engine/session/timeline.h"

#include <vector>

namespace engine {

/// A token that the script offers at a step, with its log-probability.
struct ScriptedScore {
    TokenId id = 0;
    float logprob = 0;

    bool operator==(const ScriptedScore&) const = default;
};

/// An answer written down beforehand: at each step the tokens that have a chance, likeliest first.
/// Tokens that a step does not list get no weight to speak of.
struct Script {
    int vocabularySize = 0;
    int contextLength = 4096;
    int chunkLength = 16; ///< prompt tokens per prefill chunk
    std::vector<std::vector<ScriptedScore>> steps; ///< at least one; the last one repeats

    /// One certain token a step.
    static Script ofTokens(const TokenIds& ids, int vocabularySize);

    bool operator==(const Script&) const = default;
};

/// Answers from a script instead of a model. After sync the answer resumes where the sequence left
/// it: behind the longest run of likeliest tokens that the sequence ends with; append goes one step
/// on.
class ScriptedTimeline : public Timeline {
public:
    explicit ScriptedTimeline(Script script);

    Result<SyncReport> sync(std::span<const TokenId> ids, const SyncControl& control) override;
    Result<void> append(TokenId id) override;
    std::span<const float> logits() const override { return m_logits; }
    void dropFrom(int position) override;
    int tokenCount() const override { return int(m_tokens.size()); }
    int contextLength() const override { return m_script.contextLength; }
    /// No weights are read and no device computes: these stay empty.
    void setPassLog(PassLog* log) override { m_passLog = log; }

private:
    void notePass(PassKind kind, int firstPosition, PassLog::Clock::time_point start);
    size_t stepAfter(std::span<const TokenId> ids) const;
    void score();

    Script m_script;
    TokenIds m_tokens;
    size_t m_step = 0;
    PassLog* m_passLog = nullptr;
    std::vector<float> m_logits; ///< [vocabularySize]
};

} // namespace engine
