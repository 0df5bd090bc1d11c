#pragma once

#include "app/storage/stored_chat.h"

namespace app {

/// A conversation with all that is kept of it, as it goes into a file and comes out of one.
struct ChatFile {
    /// 1: without source texts. 2: without what forks kept.
    static constexpr int kVersion = 3;

    StoredChat chat;
    std::vector<StoredRunDetails> details; ///< one for each of the chat's runs
    QString folderName; ///< "": outside of folders

    bool operator==(const ChatFile&) const = default;
};

} // namespace app
