#pragma once

#include "app/conversation/chat_file.h"
#include "app/conversation/id_source.h"
#include "app/storage/store_change.h"
#include "engine/base/result.h"

#include <string_view>

namespace app {

/// Reads what chatToJson() wrote. A run without a stop reason was under way when the file was
/// written: it comes back as interrupted.
/// Error BadFile names the field: "messages[3].runs[0].text is missing".
engine::Result<ChatFile> chatFromJson(std::string_view json);

/// The same conversation with numbers of its own, so that nothing there is overwritten.
ChatFile withNewIds(ChatFile file, IdSource& ids);

/// What writes it into the store. The numbers must be new.
StoreChanges changesOf(const ChatFile& file);

/// Its row of the conversation list.
StoredSummary summaryOf(const ChatFile& file);

} // namespace app
