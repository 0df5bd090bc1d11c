#pragma once

#include "app/storage/database.h"
#include "app/storage/stored_chat.h"

namespace app {

/// The rows of the full-text index: one for each title, document and message. Their numbers tell
/// which: 4 x the id, plus one of these.
enum class SearchPlace { Title = 0, Message = 1, Document = 2 };

/// Text as it is indexed and searched: signs of scripts that write without blanks between words
/// stand apart, so that any part of such a text can be found.
QString searchableText(const QString& text);
/// The text of a message and of its runs, one after the other.
engine::Result<QString> messageText(Database& database, MessageId message);

/// Puts the text as it is now into the index.
engine::Result<void> indexConversation(Database& database, ConversationId conversation);
engine::Result<void> indexMessage(Database& database, MessageId message);
/// The message of this run.
engine::Result<void> indexMessageOfRun(Database& database, StoredRunId run);
/// Keeps a copy of the text: the index can then be rebuilt and cleaned from itself.
constexpr const char* kCreateSearchIndex = "CREATE VIRTUAL TABLE search USING fts5"
                                           " (text, tokenize = 'unicode61 remove_diacritics 2')";
/// Makes the index anew, from the tables. One transaction.
engine::Result<void> rebuildIndex(Database& database);
/// Fills an empty index.
engine::Result<void> indexEverything(Database& database);
/// Takes out what is no longer in the tables, and overwrites what the index remembers of it.
engine::Result<void> forgetRemovedText(Database& database);

} // namespace app
