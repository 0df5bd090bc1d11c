#pragma once

#include "engine/kv/page_pool.h"

namespace engine {

/// The first tokenCount slots of one page, to be copied to the same slots of another, in every
/// layer.
struct PageCopy {
    PageIndex from = 0;
    PageIndex to = 0;
    uint32_t tokenCount = 0;

    bool operator==(const PageCopy&) const = default;
};

/// What a sync found in the cache.
struct SyncPlan {
    uint32_t reusedTokens = 0;
    std::optional<uint32_t> firstMissPosition; ///< none when all but the last token was found
    std::optional<CacheMiss> miss; ///< none when there was no miss
    std::optional<TokenId> heldToken; ///< of CacheMiss::OtherToken: what the cache has there
    std::string missCause; ///< in words; "" when there was no miss
    std::vector<PageCopy> copies; ///< record these before anything else writes to the pool
};

/// Where the keys and values of one session's tokens lie: position p is slot p % kKvPageTokens of
/// pages()[p / kKvPageTokens]. Pages that other tables hold too are full and never written.
/// Order of use: sync, then for each chunk reserve, compute, commit.
/// Inference thread only.
class BlockTable {
public:
    /// configuration: everything besides tokens that the keys and values depend on. The pool must
    /// outlive the table.
    BlockTable(PagePool& pool, const std::string& configuration);
    BlockTable(BlockTable&& other) noexcept;
    BlockTable& operator=(BlockTable&& other) noexcept;
    ~BlockTable();

    std::span<const PageIndex> pages() const { return m_pages; }
    uint32_t tokenCount() const { return m_tokenCount; } ///< computed, from position 0

    /// Lets go of the current tokens and takes the longest known beginning of these (at least one).
    /// The last one is never reused: it must be computed, so that its logits exist.
    SyncPlan sync(std::span<const TokenId> tokens);

    /// Lets go of the tokens; who looks for them finds them.
    void clear();
    /// Makes room for this many tokens more. Error OutOfMemory when every page of the pool is held;
    /// the table stays as it was.
    Result<void> reserve(uint32_t tokenCount);
    /// The reserved slots from tokenCount() on now hold these tokens. Not called when computing
    /// failed or was cancelled: then nobody will find them.
    void commit(std::span<const TokenId> tokens);

    /// Forgets what was computed from this position on, for everyone: after results that are not
    /// finite. tokenCount() is then position, or less when the page is shared.
    void dropFrom(uint32_t position);

private:
    void releaseFrom(size_t pageCount);
    void takePartialPage(const PrefixMatch& match, SyncPlan& plan);
    PageIndex lastPage() const { return m_pages.empty() ? m_root : m_pages.back(); }

    PagePool* m_pool;
    PageIndex m_root;
    std::vector<PageIndex> m_pages;
    uint32_t m_tokenCount = 0;
};

} // namespace engine
