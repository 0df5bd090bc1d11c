#pragma once

#include "engine/base/token.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace engine {

/// A piece found in a text.
struct PieceMatch {
    TokenId id = 0;
    size_t offset = 0; ///< in bytes
    size_t byteCount = 0;
};

/// Finds whole pieces (control tokens, user-defined pieces) in text: leftmost first, longest
/// of those that start at the same byte. The time is that of reading the text once.
class PieceTrie {
public:
    /// Empty pieces are left out; of two equal ones the first stays.
    void insert(std::string_view piece, TokenId id);
    bool empty() const { return m_nodeCount == 1; }
    /// The first match at or after the offset.
    std::optional<PieceMatch> find(std::string_view text, size_t offset) const;

private:
    std::optional<PieceMatch> longestAt(std::string_view text, size_t offset) const;

    static uint64_t edge(uint32_t node, char byte) { return uint64_t(node) << 8 | uint8_t(byte); }

    uint32_t m_nodeCount = 1; ///< node 0 is the root
    std::array<bool, 256> m_firstBytes {};
    std::unordered_map<uint64_t, uint32_t> m_edges; ///< (node, byte) to node
    std::unordered_map<uint32_t, TokenId> m_pieceEnds; ///< node to the piece that ends there
};

} // namespace engine
