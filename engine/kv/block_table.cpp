#include "engine/kv/block_table.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace engine {

BlockTable::BlockTable(PagePool& pool, const std::string& configuration)
    : m_pool(&pool)
    , m_root(pool.rootOf(configuration))
{
}

BlockTable::BlockTable(BlockTable&& other) noexcept
    : m_pool(other.m_pool)
    , m_root(other.m_root)
    , m_pages(std::exchange(other.m_pages, {}))
    , m_tokenCount(std::exchange(other.m_tokenCount, 0))
{
}

BlockTable& BlockTable::operator=(BlockTable&& other) noexcept
{
    std::swap(m_pool, other.m_pool);
    std::swap(m_root, other.m_root);
    std::swap(m_pages, other.m_pages);
    std::swap(m_tokenCount, other.m_tokenCount);
    return *this;
}

BlockTable::~BlockTable() { releaseFrom(0); }

SyncPlan BlockTable::sync(std::span<const TokenId> tokens)
{
    assert(!tokens.empty());
    const auto wanted = tokens.first(tokens.size() - 1);
    const PrefixMatch match = m_pool->match(m_root, wanted);
    // The new pages are held before the old ones are let go: many are the same.
    for (const PageIndex page : match.fullPages)
        m_pool->retain(page);
    if (match.partialPage)
        m_pool->retain(*match.partialPage);
    releaseFrom(0);
    m_pages = match.fullPages;
    m_tokenCount = uint32_t(m_pages.size()) * kKvPageTokens;

    SyncPlan plan { .miss = match.miss,
        .heldToken = match.heldToken,
        .missCause = match.missCause };
    if (match.partialPage)
        takePartialPage(match, plan);
    plan.reusedTokens = m_tokenCount;
    if (m_tokenCount < wanted.size())
        plan.firstMissPosition = m_tokenCount;
    return plan;
}

void BlockTable::takePartialPage(const PrefixMatch& match, SyncPlan& plan)
{
    const PageIndex known = *match.partialPage;
    const bool isOnlyOurs = m_pool->holderCount(known) == 1;
    if (isOnlyOurs && m_pool->tokenCount(known) == match.partialTokens) {
        m_pages.push_back(known);
        m_tokenCount += match.partialTokens;
        return;
    }
    // Copy on write: what the page holds besides stays findable.
    auto copy = m_pool->allocate(lastPage());
    if (copy) {
        const TokenIds tokens = m_pool->firstTokens(known, match.partialTokens);
        m_pool->release(known);
        plan.copies.push_back({ .from = known, .to = *copy, .tokenCount = match.partialTokens });
        m_pages.push_back(*copy);
        commit(tokens);
        return;
    }
    if (!isOnlyOurs) {
        m_pool->release(known);
        plan.miss = CacheMiss::NoRoom;
        plan.heldToken.reset();
        plan.missCause = "no page was left to copy the rest into";
        return;
    }
    m_pool->truncate(known, match.partialTokens);
    m_pages.push_back(known);
    m_tokenCount += match.partialTokens;
}

void BlockTable::clear()
{
    releaseFrom(0);
    m_tokenCount = 0;
}

Result<void> BlockTable::reserve(uint32_t tokenCount)
{
    const size_t pagesBefore = m_pages.size();
    while (m_pages.size() * kKvPageTokens < m_tokenCount + tokenCount) {
        auto page = m_pool->allocate(lastPage());
        if (!page) {
            releaseFrom(pagesBefore);
            return std::move(page.error());
        }
        m_pages.push_back(*page);
    }
    return {};
}

void BlockTable::commit(std::span<const TokenId> tokens)
{
    assert(m_tokenCount + tokens.size() <= m_pages.size() * kKvPageTokens);
    while (!tokens.empty()) {
        const PageIndex page = m_pages[m_tokenCount / kKvPageTokens];
        const size_t count
            = std::min<size_t>(tokens.size(), kKvPageTokens - m_tokenCount % kKvPageTokens);
        m_pool->commit(page, tokens.first(count));
        m_tokenCount += uint32_t(count);
        tokens = tokens.subspan(count);
    }
}

void BlockTable::dropFrom(uint32_t position)
{
    if (position >= m_tokenCount)
        return;
    const size_t wholePages = position / kKvPageTokens;
    for (size_t i = m_pages.size(); i > wholePages + 1; --i)
        m_pool->forget(m_pages[i - 1]);
    releaseFrom(wholePages + 1);
    m_tokenCount = position;
    const PageIndex page = m_pages.back();
    const uint32_t kept = position % kKvPageTokens;
    if (m_pool->holderCount(page) == 1 && kept > 0) {
        m_pool->truncate(page, kept);
        return;
    }
    m_pool->forget(page);
    releaseFrom(wholePages);
    m_tokenCount = uint32_t(wholePages) * kKvPageTokens;
}

void BlockTable::releaseFrom(size_t pageCount)
{
    // From the end, so that a page counts as more recently used than those below it.
    for (size_t i = m_pages.size(); i > pageCount; --i)
        m_pool->release(m_pages[i - 1]);
    m_pages.resize(std::min(m_pages.size(), pageCount));
}

} // namespace engine
