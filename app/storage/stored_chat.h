#pragma once

#include "app/conversation/conversation_kind.h"
#include "app/runs/kept_tokens.h"
#include "engine/sampling/token_record.h"
#include "engine/session/stop_reason.h"

#include <QDateTime>
#include <QString>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// Ids are given out by the program, counting up from the largest in the database; 0 is none.
using FolderId = int64_t;
using ConversationId = int64_t;
using MessageId = int64_t;
using SourceId = int64_t;
using StoredRunId = int64_t; ///< the same number as the engine's RunId

/// A folder of the conversation list.
struct StoredFolder {
    FolderId id = 0;
    QString name;

    bool operator==(const StoredFolder&) const = default;
};

/// A conversation without its messages.
struct StoredConversation {
    ConversationId id = 0;
    ConversationKind kind = ConversationKind::Chat;
    QString title;
    bool isNamed = false; ///< a person gave the title
    FolderId folder = 0;
    QDateTime createdAt; ///< UTC, to the millisecond, like all times here
    QDateTime changedAt; ///< the last message or token
    std::string settings; ///< JSON of ChatSettings
    QString typedText; ///< what is in the message box and not sent
    /// Of a plain-text conversation. None: not read, and left as it is when the row is written.
    std::optional<QString> document;
    std::optional<QDateTime> deletedAt; ///< may be brought back until it is purged

    bool operator==(const StoredConversation&) const = default;
};

/// A node of the conversation tree. Its siblings are the messages with the same parent; one of them
/// is shown.
struct StoredMessage {
    MessageId id = 0;
    ConversationId conversation = 0;
    MessageId parent = 0; ///< 0: a first message
    TurnRole role = TurnRole::Person;
    /// A person's text; of an answer what was typed or edited before its first run, usually "".
    QString text;
    engine::TokenSource textSource = engine::TokenSource::Typed;
    std::vector<int32_t> textIds; ///< token ids of an answer's text; empty until a run used them
    /// Among its siblings; exactly one of those read is (the last, when the shown one was deleted).
    bool isShown = true;
    QDateTime createdAt;
    std::optional<QDateTime> deletedAt;

    bool operator==(const StoredMessage&) const = default;
};

/// One run: a part of an answer. An answer that was continued has several.
struct StoredRun {
    StoredRunId id = 0;
    MessageId message = 0;
    int part = 0; ///< 0 = the first of its message
    /// None while the run is under way: whatever is found so at the next start was interrupted.
    std::optional<engine::StopReason> reason;
    std::string text; ///< released text, UTF-8
    int tokenCount = 0;
    /// The run record (schema 1) without its prompt and its tokens, which have their own columns.
    std::string record;

    bool operator==(const StoredRun&) const = default;
};

/// The large part of a run, read when somebody looks inside or continues it.
struct StoredRunDetails {
    std::string promptText;
    std::vector<int32_t> promptIds;
    std::vector<engine::TokenRecord> tokens;
    KeptTokens kept; ///< of the draft's tokens that end promptIds, where a fork kept them

    bool operator==(const StoredRunDetails&) const = default;
};

/// A text that the answers of a conversation rest on.
struct StoredSource {
    SourceId id = 0;
    ConversationId conversation = 0;
    QString name;
    std::string text; ///< UTF-8, as it goes into prompts
    std::optional<QDateTime> deletedAt;

    bool operator==(const StoredSource&) const = default;
};

/// A conversation with everything the chat view shows.
struct StoredChat {
    StoredConversation conversation;
    std::vector<StoredMessage> messages; ///< by id, oldest first; deleted ones are left out
    std::vector<StoredRun> runs; ///< by message, then by part
    std::vector<StoredSource> sources; ///< by id; deleted ones are left out

    bool operator==(const StoredChat&) const = default;
};

/// One row of the conversation list.
struct StoredSummary {
    StoredConversation conversation; ///< its document is not read
    bool isEmpty = true;
    /// The last run of the last shown message, when that is an answer; none: nothing to badge.
    std::optional<engine::StopReason> lastReason;
    /// How many shown answers are not known to be complete.
    int unfinishedCount = 0;

    bool operator==(const StoredSummary&) const = default;
};

/// What is known at the start, before any conversation is opened.
struct StoredIndex {
    std::vector<StoredFolder> folders; ///< by name
    std::vector<StoredSummary> conversations; ///< last changed first; deleted ones are left out
    int64_t largestId = 0; ///< of all folders, conversations, messages, runs and sources
    int interruptedCount = 0; ///< runs that were under way when the program ended last time

    bool operator==(const StoredIndex&) const = default;
};

} // namespace app
