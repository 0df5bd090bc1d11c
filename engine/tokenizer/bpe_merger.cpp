#include "engine/tokenizer/bpe_merger.h"

#include "engine/tokenizer/byte_letters.h"

#include <queue>
#include <tuple>

namespace engine {

namespace {
    constexpr size_t kNone = size_t(-1);

    /// A piece of the word under way, linked to its neighbours; merging joins the right one into the left.
    struct Symbol {
        TokenId id = 0;
        size_t previous = kNone;
        size_t next = kNone;
        bool joined = false; ///< part of its left neighbour now
    };

    /// A merge that was possible when it was queued.
    struct Candidate {
        uint32_t rank = 0;
        size_t left = 0;
        size_t right = 0;
        TokenId leftId = 0;
        TokenId rightId = 0;
        TokenId result = 0;

        bool operator>(const Candidate& other) const
        {
            return std::tie(rank, left) > std::tie(other.rank, other.left);
        }
    };

    using CandidateQueue = std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>>;
}

Result<BpeMerger> BpeMerger::create(const Vocabulary& vocabulary, std::span<const std::string> merges)
{
    // Whatever a file says, ordinary text never merges into a control token.
    const auto isText = [&](std::optional<TokenId> id) { return id && vocabulary.kind(*id) != TokenKind::Control; };
    BpeMerger merger;
    for (size_t byte = 0; byte < 256; ++byte) {
        const auto id = vocabulary.find(letterOfByte(uint8_t(byte)));
        if (isText(id))
            merger.m_byteIds[byte] = id;
    }
    merger.m_merges.reserve(merges.size());
    for (size_t rank = 0; rank < merges.size(); ++rank) {
        const std::string_view merge = merges[rank];
        const size_t gap = merge.find(' ', 1);
        if (gap == std::string_view::npos)
            return Error::badFile("tokenizer.ggml.merges: entry " + std::to_string(rank) + " is no pair");
        const std::string_view left = merge.substr(0, gap);
        const std::string_view right = merge.substr(gap + 1);
        const auto leftId = vocabulary.find(left);
        const auto rightId = vocabulary.find(right);
        const auto result = vocabulary.find(std::string(left).append(right));
        if (!leftId || !rightId || !result)
            return Error::badFile("tokenizer.ggml.merges: entry " + std::to_string(rank) + " (\""
                + std::string(merge) + "\") names a piece that is not in the vocabulary");
        if (isText(result))
            merger.m_merges.try_emplace(pairKey(*leftId, *rightId), Merge { uint32_t(rank), *result });
    }
    return merger;
}

const BpeMerger::Merge* BpeMerger::findMerge(TokenId left, TokenId right) const
{
    const auto position = m_merges.find(pairKey(left, right));
    return position == m_merges.end() ? nullptr : &position->second;
}

void BpeMerger::appendMerged(std::string_view word, TokenIds& ids) const
{
    std::vector<Symbol> symbols;
    symbols.reserve(word.size());
    for (const char byte : word)
        if (const auto id = m_byteIds[uint8_t(byte)])
            symbols.push_back({ *id });

    CandidateQueue queue;
    const auto enqueue = [&](size_t left, size_t right) {
        if (const Merge* merge = findMerge(symbols[left].id, symbols[right].id))
            queue.push({ merge->rank, left, right, symbols[left].id, symbols[right].id, merge->result });
    };
    for (size_t i = 0; i + 1 < symbols.size(); ++i) {
        symbols[i].next = i + 1;
        symbols[i + 1].previous = i;
        enqueue(i, i + 1);
    }

    while (!queue.empty()) {
        const Candidate candidate = queue.top();
        queue.pop();
        Symbol& left = symbols[candidate.left];
        Symbol& right = symbols[candidate.right];
        // Either side may have changed since: then the pair was queued anew, or is gone.
        const bool isStale = left.joined || right.joined || left.next != candidate.right
            || left.id != candidate.leftId || right.id != candidate.rightId;
        if (isStale)
            continue;
        left.id = candidate.result;
        left.next = right.next;
        right.joined = true;
        if (right.next != kNone) {
            symbols[right.next].previous = candidate.left;
            enqueue(candidate.left, right.next);
        }
        if (left.previous != kNone)
            enqueue(left.previous, candidate.left);
    }

    for (const Symbol& symbol : symbols)
        if (!symbol.joined)
            ids.push_back(symbol.id);
}

} // namespace engine
