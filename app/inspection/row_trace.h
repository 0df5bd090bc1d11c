#pragma once

#include "engine/sampling/sampler_settings.h"
#include "engine/sampling/token_record.h"

#include <memory>
#include <span>
#include <vector>

namespace app {

/// One token of a whole vocabulary at one step.
struct RowToken {
    engine::TokenId id = 0;
    double rawProbability = 0; ///< before any stage
    int rank = 1; ///< by raw score; 1 = likeliest, ties to the lower id
    double finalProbability = 0; ///< in the draw; at temperature 0 it is 1 for the token that is taken
    engine::SamplerStage droppedBy = engine::SamplerStage::None;

    bool operator==(const RowToken&) const = default;
};

/// What the sampler's own stages did with every token of the vocabulary in one step, from the whole row of raw scores:
/// exact, where a record's twenty tokens leave bounds. Made in tens of milliseconds. Immutable: any thread.
class RowTrace {
public:
    /// scores: [vocabularySize] f32, finite, at least one; shared with whoever read them, and not changed by anybody.
    /// before: every id that the model had read.
    RowTrace(std::shared_ptr<const std::vector<float>> scores, const engine::SamplerSettings& settings,
        std::span<const engine::TokenId> before);

    int size() const { return int(m_scores->size()); }
    RowToken token(engine::TokenId id) const;
    /// The likeliest of these ids, by raw score, descending; ids out of the row are left out.
    std::vector<RowToken> best(const engine::TokenIds& ids, size_t count) const;
    bool isGreedy() const { return m_isGreedy; }

private:
    void traceStages(const engine::SamplerSettings& settings, std::span<const engine::TokenId> before,
        const std::vector<engine::TokenId>& rawOrder);

    std::shared_ptr<const std::vector<float>> m_scores;
    double m_logSumExp = 0;
    std::vector<int> m_ranks; ///< [vocabularySize]
    std::vector<double> m_finals; ///< [vocabularySize]
    std::vector<engine::SamplerStage> m_stages; ///< [vocabularySize]
    bool m_isGreedy = false;
};

} // namespace app
