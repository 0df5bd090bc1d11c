#pragma once

#include "engine/base/error.h"
#include "engine/base/token.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace engine {

/// Identifies a reading of scores within one process.
using ScoreReadId = uint64_t;

/// What the scores of the token after this prefix are asked with.
struct ScoreRequest {
    ScoreReadId id = 0;
    TokenIds prefix; ///< at least one token
    std::string fingerprint; ///< of the model that is meant (ModelDescription); "" = whichever is open

    bool operator==(const ScoreRequest&) const = default;
};

/// The prefix is being read.
struct ScoresProgress {
    ScoreReadId id = 0;
    int done = 0; ///< positions in the KV cache, reused ones included
    int total = 0;
    int reused = 0;

    bool operator==(const ScoresProgress&) const = default;
};

/// The whole row of raw scores after the prefix.
struct ScoresRead {
    ScoreReadId id = 0;
    /// [vocabularySize] f32. Shared by whoever shows it and whoever computes with it: immutable.
    std::shared_ptr<const std::vector<float>> scores;
    int reusedPositions = 0; ///< taken from the KV cache
    int computedPositions = 0;
};

/// There are no scores. Cancelled: somebody wanted that.
struct ScoresFailed {
    ScoreReadId id = 0;
    Error error;
};

using ScoreEvent = std::variant<ScoresProgress, ScoresRead, ScoresFailed>;

/// The reading an event belongs to.
inline ScoreReadId scoreReadIdOf(const ScoreEvent& event)
{
    return std::visit([](const auto& e) { return e.id; }, event);
}

} // namespace engine
