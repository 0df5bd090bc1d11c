#include "engine/tokenizer/piece_trie.h"

namespace engine {

void PieceTrie::insert(std::string_view piece, TokenId id)
{
    if (piece.empty())
        return;
    m_firstBytes[uint8_t(piece[0])] = true;
    uint32_t node = 0;
    for (const char byte : piece) {
        const auto [position, isNew] = m_edges.try_emplace(edge(node, byte), m_nodeCount);
        if (isNew)
            ++m_nodeCount;
        node = position->second;
    }
    m_pieceEnds.try_emplace(node, id);
}

std::optional<PieceMatch> PieceTrie::find(std::string_view text, size_t offset) const
{
    for (; offset < text.size(); ++offset) {
        if (!m_firstBytes[uint8_t(text[offset])])
            continue;
        if (const auto match = longestAt(text, offset))
            return match;
    }
    return std::nullopt;
}

std::optional<PieceMatch> PieceTrie::longestAt(std::string_view text, size_t offset) const
{
    std::optional<PieceMatch> longest;
    uint32_t node = 0;
    for (size_t end = offset; end < text.size(); ++end) {
        const auto next = m_edges.find(edge(node, text[end]));
        if (next == m_edges.end())
            break;
        node = next->second;
        if (const auto piece = m_pieceEnds.find(node); piece != m_pieceEnds.end())
            longest = PieceMatch { piece->second, offset, end + 1 - offset };
    }
    return longest;
}

} // namespace engine
