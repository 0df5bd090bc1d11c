#include "app/storage/message_tree.h"

#include <algorithm>

namespace app {

MessageTree::MessageTree(const std::vector<MessageNode>& nodes)
{
    for (const MessageNode& node : nodes)
        if (!node.isDeleted)
            m_liveChildren[node.parent].push_back(node);
    for (auto& [parent, children] : m_liveChildren)
        std::sort(children.begin(), children.end(),
            [](const MessageNode& a, const MessageNode& b) { return a.id < b.id; });
}

// 0, and every live message: a walk from the root, so that a circle apart from it is never entered.
std::vector<MessageId> MessageTree::reachableParents() const
{
    std::vector<MessageId> open { 0 };
    for (size_t i = 0; i < open.size(); ++i) {
        const auto children = m_liveChildren.find(open[i]);
        if (children == m_liveChildren.end())
            continue;
        for (const MessageNode& child : children->second)
            if (child.id != 0)
                open.push_back(child.id);
    }
    return open;
}

std::vector<MessageId> MessageTree::liveIds() const
{
    std::vector<MessageId> ids = reachableParents();
    ids.erase(ids.begin());
    std::sort(ids.begin(), ids.end());
    return ids;
}

const MessageNode* MessageTree::shownChild(MessageId parent) const
{
    const auto children = m_liveChildren.find(parent);
    if (children == m_liveChildren.end())
        return nullptr;
    const auto shown = std::find_if(children->second.begin(), children->second.end(),
        [](const MessageNode& node) { return node.isShown; });
    return shown == children->second.end() ? &children->second.back() : &*shown;
}

std::vector<MessageNode> MessageTree::shownPath() const
{
    std::vector<MessageNode> path;
    for (const MessageNode* node = shownChild(0); node; node = shownChild(node->id))
        path.push_back(*node);
    return path;
}

std::vector<MessageId> MessageTree::shownIds() const
{
    std::vector<MessageId> ids;
    for (const MessageId parent : reachableParents())
        if (const MessageNode* node = shownChild(parent))
            ids.push_back(node->id);
    std::sort(ids.begin(), ids.end());
    return ids;
}

} // namespace app
