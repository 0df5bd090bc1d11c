#pragma once

#include "app/storage/stored_chat.h"

#include <variant>

namespace app {

/// Writes the row, new or changed.
struct PutFolder {
    StoredFolder folder;
};
/// Its conversations stay, outside of any folder.
struct RemoveFolder {
    FolderId folder = 0;
};
/// Writes the row, new or changed; a document that is none stays as it was.
struct PutConversation {
    StoredConversation conversation;
};
/// Writes the row, new or changed. When it is shown, its siblings no longer are.
struct PutMessage {
    StoredMessage message;
};
/// Another of the siblings is shown.
struct ShowMessage {
    MessageId message = 0;
};
/// Set: gone from view, may be brought back. None: brought back, as it was, shown or not.
struct MarkMessageDeleted {
    MessageId message = 0; ///< and everything below it
    std::optional<QDateTime> deletedAt;
};
struct MarkConversationDeleted {
    ConversationId conversation = 0;
    std::optional<QDateTime> deletedAt;
};
/// Writes the row, new or changed. Its conversation must be there.
struct PutSource {
    StoredSource source;
};
struct MarkSourceDeleted {
    SourceId source = 0;
    std::optional<QDateTime> deletedAt;
};
/// Overwrites what was marked as deleted before this time, and empties the log: it cannot be read
/// back from the file. Copies that were made before a migration go when they are older than this;
/// a damaged file that was set aside stays.
struct Purge {
    QDateTime deletedBefore;
};
/// A run begins; its answer is a partial draft from here on.
struct OpenRun {
    StoredRun run;
    std::string promptText;
    std::vector<int32_t> promptIds;
    KeptTokens kept;
};
/// More of a draft: text and tokens since the last change of this run. Changes of a run that is not
/// in the file (any more), or has ended, do nothing.
struct AppendToRun {
    StoredRunId run = 0;
    int firstTokenIndex = 0;
    std::string text;
    std::vector<engine::TokenRecord> tokens;
};
/// The terminal event: the whole text, the state and the record change together.
struct EndRun {
    StoredRunId run = 0;
    engine::StopReason reason = engine::StopReason::Failed;
    std::string text; ///< the whole released text
    int firstTokenIndex = 0; ///< of those not appended yet
    std::vector<engine::TokenRecord> tokens;
    std::string record;
};
/// The whole record anew.
struct PutRecord {
    StoredRunId run = 0;
    std::string record;
};
/// A record that learnt something later: last paint, how the answer stands to its requirements,
/// that a person accepted it. Other fields stay as they are in the file.
struct PutRecordFields {
    StoredRunId run = 0;
    std::string fields; ///< a JSON object; its members take the place of the record's
    bool isAct = false; ///< somebody did it: it must not be lost
};

/// One change of the store; a list of them is written in one transaction.
using StoreChange = std::variant<PutFolder, RemoveFolder, PutConversation, PutMessage, ShowMessage,
    MarkMessageDeleted, MarkConversationDeleted, PutSource, MarkSourceDeleted, Purge, OpenRun,
    AppendToRun, EndRun, PutRecord, PutRecordFields>;
using StoreChanges = std::vector<StoreChange>;

/// Whether losing this change to a power cut would lose what a person wrote or the label of an
/// answer. Growing drafts may lose their last moment.
bool mustBeDurable(const StoreChange& change);

} // namespace app
