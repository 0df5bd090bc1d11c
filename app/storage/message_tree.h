#pragma once

#include "app/storage/stored_chat.h"

#include <map>

namespace app {

/// A message as far as its place in the tree goes.
struct MessageNode {
    MessageId id = 0;
    MessageId parent = 0;
    TurnRole role = TurnRole::Person;
    bool isShown = true;
    bool isDeleted = false;
};

/// The messages of one conversation by their parents. Pure; any order of nodes; never loops, also
/// when a damaged file names a message as its own ancestor.
class MessageTree {
public:
    explicit MessageTree(const std::vector<MessageNode>& nodes);

    /// Not deleted, and below nothing that is; by id.
    std::vector<MessageId> liveIds() const;
    /// From the first message to the last of the branch that is shown.
    std::vector<MessageNode> shownPath() const;
    /// One live message of each group of siblings: the shown one, else the last.
    std::vector<MessageId> shownIds() const;

private:
    const MessageNode* shownChild(MessageId parent) const;
    std::vector<MessageId> reachableParents() const;

    std::map<MessageId, std::vector<MessageNode>> m_liveChildren; ///< each by id
};

} // namespace app
