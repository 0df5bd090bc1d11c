#pragma once

#include "engine/base/cache_miss.h"
#include "engine/base/kv_page.h"
#include "engine/base/result.h"
#include "engine/base/token.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace engine {

/// Which page of the device's buffers: 0 ... pageCount - 1.
using PageIndex = uint32_t;

/// The longest known beginning of a token sequence.
struct PrefixMatch {
    std::vector<PageIndex> fullPages; ///< kKvPageTokens each, from position 0 on
    std::optional<PageIndex> partialPage; ///< the page after them agrees on its first partialTokens
    uint32_t partialTokens = 0;
    std::optional<CacheMiss> miss; ///< why not more; none when every token was found
    std::optional<TokenId> heldToken; ///< of CacheMiss::OtherToken: what the cache has there
    std::string missCause; ///< in words; "" when every token was found

    uint32_t tokenCount() const
    {
        return uint32_t(fullPages.size()) * kKvPageTokens + partialTokens;
    }
};

/// Which pages of the KV cache are free, held, or kept for reuse, and which tokens they hold.
/// Pages form a tree: below a root per configuration (model file, tensor types, RoPE settings, KV
/// type, in one text), each page below the full page that precedes it. So the way to a page spells
/// every token id from position 0, and only an exact match finds it; no hash decides. A page that
/// nobody holds stays in the tree until its room is needed, the least recently used first, never
/// before the pages below it. Inference thread only. BlockTable is the way to use this.
class PagePool {
public:
    explicit PagePool(uint32_t pageCount);

    uint32_t pageCount() const { return m_pageCount; }
    /// Pages that can be had: free ones and those kept only for reuse.
    uint32_t availablePageCount() const;

    /// The node above the first page of every sequence computed under this configuration.
    PageIndex rootOf(const std::string& configuration);
    PrefixMatch match(PageIndex root, std::span<const TokenId> tokens) const;

    /// An empty page held once, to come after this full page or root; not found by match before its
    /// first commit. Evicts if need be. Error OutOfMemory when every page is held.
    Result<PageIndex> allocate(PageIndex parent);
    void retain(PageIndex page) { ++m_nodes[page].holders; }
    void release(PageIndex page);
    uint32_t holderCount(PageIndex page) const { return m_nodes[page].holders; }

    /// Tokens whose keys and values the page really holds.
    uint32_t tokenCount(PageIndex page) const { return uint32_t(m_nodes[page].tokens.size()); }
    TokenIds firstTokens(PageIndex page, uint32_t count) const
    {
        return TokenIds(m_nodes[page].tokens.begin(), m_nodes[page].tokens.begin() + count);
    }
    /// These tokens have been computed into the next slots. The page must have one holder.
    void commit(PageIndex page, std::span<const TokenId> tokens);
    /// Forgets the slots from here on, and what was below the page.
    void truncate(PageIndex page, uint32_t tokenCount);
    /// The page and all below it are found no more; who holds them keeps them.
    void forget(PageIndex page);

private:
    struct Node {
        PageIndex parent = 0;
        std::vector<PageIndex> children;
        TokenIds tokens;
        uint32_t holders = 0;
        bool inTree = false;
        bool childEvicted = false; ///< for the cause of a miss
        uint64_t lastUse = 0;
    };

    bool isRoot(PageIndex node) const { return node >= m_pageCount; }
    void longestChain(PageIndex node, std::span<const TokenId> tokens, PrefixMatch& current,
        PrefixMatch& best) const;
    void tellMiss(PrefixMatch& match, PageIndex root, std::span<const TokenId> tokens) const;
    void attach(PageIndex page);
    void detach(PageIndex page);
    void freePage(PageIndex page);
    std::optional<PageIndex> leastRecentlyUsed() const;

    uint32_t m_pageCount;
    std::vector<Node> m_nodes; ///< the pages, then the roots
    std::vector<PageIndex> m_freePages;
    std::map<std::string, PageIndex> m_roots;
    uint64_t m_useCount = 0;
};

} // namespace engine
