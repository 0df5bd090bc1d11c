#include "engine/tokenizer/bpe_merger.h"

#include "engine/tokenizer/byte_letters.h"

#include <queue>
#include <vector>

namespace engine {

namespace {
    constexpr uint32_t kNone = ~0u;

    /// A piece of the word under way, linked to its neighbours; merging joins the right one into
    /// the left.
    struct Symbol {
        TokenId id = 0;
        uint32_t previous = kNone;
        uint32_t next = kNone;
        uint32_t byteCount = 1; ///< 0: joined into its left neighbour
    };

    /// A merge that was possible when it was queued. 16 bytes: queues of long words stay in the
    /// cache.
    struct Candidate {
        uint64_t order = 0; ///< rank, then position of the left symbol
        uint32_t right = 0;
        uint32_t byteCount = 0; ///< of both symbols together

        uint32_t rank() const { return uint32_t(order >> 32); }
        uint32_t left() const { return uint32_t(order); }
        bool operator>(const Candidate& other) const { return order > other.order; }
    };

    using CandidateQueue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;
}

Result<BpeMerger> BpeMerger::create(
    const Vocabulary& vocabulary, std::span<const std::string> merges)
{
    // Whatever a file says, ordinary text never merges into a control token.
    const auto isText = [&](std::optional<TokenId> id) {
        return id && vocabulary.kind(*id) != TokenKind::Control;
    };
    BpeMerger merger;
    for (size_t byte = 0; byte < 256; ++byte) {
        const auto id = vocabulary.find(letterOfByte(uint8_t(byte)));
        if (isText(id))
            merger.m_byteIds[byte] = id;
    }
    merger.m_ranks.reserve(merges.size());
    merger.m_results.reserve(merges.size());
    for (size_t rank = 0; rank < merges.size(); ++rank) {
        const std::string_view merge = merges[rank];
        const size_t gap = merge.find(' ', 1);
        if (gap == std::string_view::npos)
            return Error::badFile(
                "tokenizer.ggml.merges: entry " + std::to_string(rank) + " is no pair");
        const std::string_view left = merge.substr(0, gap);
        const std::string_view right = merge.substr(gap + 1);
        const auto leftId = vocabulary.find(left);
        const auto rightId = vocabulary.find(right);
        const auto result = vocabulary.find(std::string(left).append(right));
        if (!leftId || !rightId || !result)
            return Error::badFile("tokenizer.ggml.merges: entry " + std::to_string(rank) + " (\""
                + std::string(merge) + "\") names a piece that is not in the vocabulary");
        merger.m_results.push_back(*result);
        if (isText(result))
            merger.m_ranks.try_emplace(pairKey(*leftId, *rightId), uint32_t(rank));
    }
    return merger;
}

void BpeMerger::appendMerged(std::string_view word, TokenIds& ids) const
{
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    for (const char byte : word)
        if (const auto id = m_byteIds[uint8_t(byte)])
            symbols.push_back({ *id });

    std::vector<Candidate> storage;
    storage.reserve(symbols.size());
    CandidateQueue queue(std::greater<>(), std::move(storage));
    const auto enqueue = [&](uint32_t left, uint32_t right) {
        const auto rank = m_ranks.find(pairKey(symbols[left].id, symbols[right].id));
        if (rank != m_ranks.end())
            queue.push({ uint64_t(rank->second) << 32 | left, right,
                symbols[left].byteCount + symbols[right].byteCount });
    };
    for (uint32_t i = 0; i + 1 < symbols.size(); ++i) {
        symbols[i].next = i + 1;
        symbols[i + 1].previous = i;
        enqueue(i, i + 1);
    }

    while (!queue.empty()) {
        const Candidate candidate = queue.top();
        queue.pop();
        Symbol& left = symbols[candidate.left()];
        Symbol& right = symbols[candidate.right];
        // Symbols only grow or vanish: another length means that either side has changed since.
        const bool isStale = left.byteCount == 0 || right.byteCount == 0
            || left.byteCount + right.byteCount != candidate.byteCount;
        if (isStale)
            continue;
        left.id = m_results[candidate.rank()];
        left.byteCount = candidate.byteCount;
        left.next = right.next;
        right.byteCount = 0;
        if (right.next != kNone) {
            symbols[right.next].previous = candidate.left();
            enqueue(candidate.left(), right.next);
        }
        if (left.previous != kNone)
            enqueue(left.previous, candidate.left());
    }

    for (const Symbol& symbol : symbols)
        if (symbol.byteCount != 0)
            ids.push_back(symbol.id);
}

} // namespace engine
