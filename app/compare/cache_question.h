#pragma once

#include "engine/base/token.h"

#include <optional>
#include <string>
#include <vector>

namespace app {

/// A prompt, and by what the KV cache of it was or would be computed. Empty texts are not known.
struct CachedPrompt {
    engine::TokenIds ids;
    int firstPosition = 0; ///< of the first id; its rotation is part of every key
    std::string model; ///< identifies the file's contents
    std::string modelName; ///< for people; decides nothing
    std::string tensorTypes; ///< "Q4_1 (211), F32 (61)"
    std::string rope; ///< base and scaling, "10000, none"
    std::string kvType; ///< "f16"
};

enum class CacheCondition { Ids, Positions, Model, TensorTypes, Rope, KvType };

/// One condition of sharing a page; all must hold.
struct CacheAnswer {
    CacheCondition condition = CacheCondition::Ids;
    std::optional<bool> holds; ///< none: not known of one of them, and then nothing is shared

    bool operator==(const CacheAnswer&) const = default;
};

/// How far the KV cache of one prompt could serve another.
struct CacheQuestion {
    size_t commonCount = 0; ///< ids alike from the start
    /// The first place where the ids part, or where one of them ends; none: they are the same.
    std::optional<size_t> firstDifference;
    bool endsAlike = false; ///< the last ids are the same, which shares nothing
    std::vector<CacheAnswer> answers; ///< one of each condition, in the order of the enum
    /// None: all but the ids are the same; else the first that is not, or is not known.
    std::optional<CacheCondition> obstacle;
    /// 0 where any condition but the ids does not hold. Never the last that is asked, which is
    /// computed for its scores: then it is less than commonCount.
    size_t shareableTokens = 0;
    size_t shareablePages = 0; ///< whole pages of them; the rest is copied within a page

    bool operator==(const CacheQuestion&) const = default;
};

/// pageLength: positions of a page. A cache is reused by exact prefix only: never because the last
/// words are the same.
CacheQuestion cacheQuestion(const CachedPrompt& held, const CachedPrompt& asked, int pageLength);

} // namespace app
