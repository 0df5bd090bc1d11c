#pragma once

#include "app/storage/database.h"
#include "app/storage/stored_chat.h"

#include <QDate>
#include <QStringList>

namespace app {

/// One run of the store, as the library lists it. What was not recorded is empty.
struct RunRow {
    StoredRunId id = 0;
    MessageId message = 0;
    ConversationId conversation = 0;
    QString title; ///< of the conversation
    QDateTime openedAt;
    QString modelName;
    QString checkpointFile;
    QString templateFamily; ///< "" = plain text
    std::optional<engine::StopReason> reason; ///< none: under way
    std::optional<int> tokenCount; ///< new ones, once it has ended
    std::optional<int> lengthCap;
    QString startedBy; ///< "person", "grid", ...

    /// Under way is partial, like what was broken off.
    engine::Verdict verdict() const;
    bool operator==(const RunRow&) const = default;
};

/// Which runs are listed: those that meet every condition that is set.
struct RunFilter {
    QString checkpointFile; ///< "" = any
    std::optional<engine::StopReason> reason;
    std::optional<engine::Verdict> verdict;
    QDate from; ///< days of local time; invalid = no limit
    QDate to; ///< this day included
    QString title; ///< a part of the conversation's title, in any case

    bool accepts(const RunRow& row) const;
    bool operator==(const RunFilter&) const = default;
};

/// How many of the listed runs have all three in common.
struct RunCount {
    std::optional<engine::StopReason> reason; ///< none: under way
    QString checkpointFile;
    QString templateFamily;
    int count = 0;

    bool operator==(const RunCount&) const = default;
};
/// The most frequent first, then by names.
std::vector<RunCount> countRuns(const std::vector<RunRow>& rows);

struct RunList {
    std::vector<RunRow> rows; ///< newest first
    std::vector<RunCount> counts; ///< of rows
    int storedCount = 0; ///< without a filter
    QStringList checkpointFiles; ///< of all stored runs, by name

    bool operator==(const RunList&) const = default;
};

/// Every stored run that the filter accepts, but for those of deleted conversations and messages.
/// Storage thread. Errors: those of Database.
engine::Result<RunList> listRuns(Database& database, const RunFilter& filter);

} // namespace app
