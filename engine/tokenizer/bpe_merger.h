#pragma once

#include "engine/base/result.h"
#include "engine/tokenizer/vocabulary.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine {

/// Merges the bytes of a word into pieces: again and again the pair of neighbours whose merge
/// stands first in the file, the leftmost of equal ones. Time n log n in the word's length.
/// A byte that the vocabulary has no piece for is left out (SmolLM2 lacks some control characters).
/// Source: Sennrich et al. 2016 (BPE); GGUF key `tokenizer.ggml.merges`.
class BpeMerger {
public:
    /// Error BadFile for a merge that names pieces which do not exist.
    static Result<BpeMerger> create(
        const Vocabulary& vocabulary, std::span<const std::string> merges);

    /// Appends the ids of a word.
    void appendMerged(std::string_view word, TokenIds& ids) const;

private:
    BpeMerger() = default;
    static uint64_t pairKey(TokenId left, TokenId right)
    {
        return uint64_t(uint32_t(left)) << 32 | uint32_t(right);
    }

    std::array<std::optional<TokenId>, 256> m_byteIds;
    std::unordered_map<uint64_t, uint32_t> m_ranks; ///< pair of ids to its place in the file
    std::vector<TokenId> m_results; ///< by rank
};

} // namespace engine
