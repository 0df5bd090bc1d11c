#include "engine/kv/page_pool.h"

#include <algorithm>
#include <cassert>

namespace engine {

namespace {
    uint32_t commonLength(std::span<const TokenId> a, std::span<const TokenId> b)
    {
        const size_t length = std::min(a.size(), b.size());
        return uint32_t(
            std::mismatch(a.begin(), a.begin() + std::ptrdiff_t(length), b.begin()).first
            - a.begin());
    }
}

PagePool::PagePool(uint32_t pageCount)
    : m_pageCount(pageCount)
    , m_nodes(pageCount)
{
    for (PageIndex page = pageCount; page > 0; --page)
        m_freePages.push_back(page - 1);
}

uint32_t PagePool::availablePageCount() const
{
    const auto isHeld = [](const Node& node) { return node.holders > 0; };
    return m_pageCount
        - uint32_t(
            std::count_if(m_nodes.begin(), m_nodes.begin() + std::ptrdiff_t(m_pageCount), isHeld));
}

PageIndex PagePool::rootOf(const std::string& configuration)
{
    const auto [entry, isNew] = m_roots.emplace(configuration, PageIndex(m_nodes.size()));
    if (isNew)
        m_nodes.emplace_back();
    return entry->second;
}

PrefixMatch PagePool::match(PageIndex root, std::span<const TokenId> tokens) const
{
    PrefixMatch current;
    PrefixMatch best;
    longestChain(root, tokens, current, best);
    tellMiss(best, root, tokens);
    return best;
}

void PagePool::longestChain(
    PageIndex node, std::span<const TokenId> tokens, PrefixMatch& current, PrefixMatch& best) const
{
    const auto rest = tokens.subspan(current.tokenCount());
    // Two runs may have computed the same page at the same time: both branches are looked at.
    for (const PageIndex child : m_nodes[node].children) {
        const uint32_t common = commonLength(m_nodes[child].tokens, rest);
        if (common == kKvPageTokens) {
            current.fullPages.push_back(child);
            longestChain(child, tokens, current, best);
            current.fullPages.pop_back();
        } else if (current.tokenCount() + common > best.tokenCount()) {
            best = current;
            best.partialPage = child;
            best.partialTokens = common;
        }
    }
    if (current.tokenCount() > best.tokenCount())
        best = current;
}

void PagePool::tellMiss(
    PrefixMatch& match, PageIndex root, std::span<const TokenId> tokens) const
{
    if (match.tokenCount() == tokens.size())
        return;
    const auto tell = [&match](CacheMiss miss, std::string words) {
        match.miss = miss;
        match.missCause = std::move(words);
    };
    const std::string wanted = "token " + std::to_string(tokens[match.tokenCount()]);
    const auto tellOther = [&](TokenId held) {
        match.heldToken = held;
        tell(CacheMiss::OtherToken, wanted + " stands where the cache has " + std::to_string(held));
    };
    const Node& end = m_nodes[match.fullPages.empty() ? root : match.fullPages.back()];
    if (match.partialPage && match.partialTokens < m_nodes[*match.partialPage].tokens.size())
        return tellOther(m_nodes[*match.partialPage].tokens[match.partialTokens]);
    if (match.partialPage)
        return tell(CacheMiss::EndOfCache, "the cache ends here");
    if (end.children.size() == 1)
        return tellOther(m_nodes[end.children[0]].tokens[0]);
    if (!end.children.empty())
        return tell(CacheMiss::OtherTokens,
            wanted + " follows none of the " + std::to_string(end.children.size())
                + " continuations in the cache");
    if (end.childEvicted)
        return tell(CacheMiss::GaveWay, "what followed here gave way to newer tokens");
    if (match.fullPages.empty())
        return tell(CacheMiss::NothingHeld, "nothing was read yet with this model and these settings");
    tell(CacheMiss::EndOfCache, "the cache ends here");
}

Result<PageIndex> PagePool::allocate(PageIndex parent)
{
    if (m_freePages.empty())
        if (const auto oldest = leastRecentlyUsed()) {
            m_nodes[m_nodes[*oldest].parent].childEvicted = true;
            forget(*oldest);
        }
    if (m_freePages.empty())
        return Error::outOfMemory("the KV cache is full: all " + std::to_string(m_pageCount)
            + " pages of " + std::to_string(kKvPageTokens)
            + " tokens are in use. Use a shorter context or end another run");
    const PageIndex page = m_freePages.back();
    m_freePages.pop_back();
    m_nodes[page] = Node { .parent = parent, .holders = 1 };
    return page;
}

std::optional<PageIndex> PagePool::leastRecentlyUsed() const
{
    std::optional<PageIndex> oldest;
    for (PageIndex page = 0; page < m_pageCount; ++page) {
        const Node& node = m_nodes[page];
        if (!node.inTree || node.holders > 0 || !node.children.empty())
            continue;
        if (!oldest || node.lastUse < m_nodes[*oldest].lastUse)
            oldest = page;
    }
    return oldest;
}

void PagePool::release(PageIndex page)
{
    Node& node = m_nodes[page];
    assert(node.holders > 0);
    --node.holders;
    node.lastUse = ++m_useCount;
    if (node.holders == 0 && !node.inTree)
        freePage(page);
}

void PagePool::commit(PageIndex page, std::span<const TokenId> tokens)
{
    Node& node = m_nodes[page];
    assert(node.holders == 1 && node.tokens.size() + tokens.size() <= kKvPageTokens);
    node.tokens.insert(node.tokens.end(), tokens.begin(), tokens.end());
    if (!node.inTree && !node.tokens.empty())
        attach(page);
}

void PagePool::truncate(PageIndex page, uint32_t tokenCount)
{
    const std::vector<PageIndex> children = m_nodes[page].children;
    for (const PageIndex child : children)
        forget(child);
    m_nodes[page].tokens.resize(tokenCount);
    if (tokenCount == 0 && m_nodes[page].inTree)
        detach(page);
}

void PagePool::forget(PageIndex page)
{
    const std::vector<PageIndex> children = m_nodes[page].children;
    for (const PageIndex child : children)
        forget(child);
    if (!m_nodes[page].inTree)
        return;
    detach(page);
    if (m_nodes[page].holders == 0)
        freePage(page);
}

void PagePool::attach(PageIndex page)
{
    Node& node = m_nodes[page];
    // Below a forgotten page nothing can be found: its holder's new pages stay outside the tree
    // too.
    if (!isRoot(node.parent) && !m_nodes[node.parent].inTree)
        return;
    node.inTree = true;
    node.lastUse = ++m_useCount;
    m_nodes[node.parent].children.push_back(page);
}

void PagePool::detach(PageIndex page)
{
    m_nodes[page].inTree = false;
    std::erase(m_nodes[m_nodes[page].parent].children, page);
}

void PagePool::freePage(PageIndex page)
{
    m_nodes[page] = Node();
    m_freePages.push_back(page);
}

} // namespace engine
