#pragma once

#include "app/storage/database.h"

#include <span>

namespace app {

/// One step of the file format, from the version before it. What an older file lacks is filled in.
struct Migration {
    int version;
    std::vector<const char*> statements;
    engine::Result<void> (*fill)(Database& database) = nullptr;
};

/// The only list of the format's steps, oldest first; a new file goes through all of them. Steps
/// that were released never change.
std::span<const Migration> migrations();
/// The version this program writes; it is the file's `user_version`.
int schemaVersion();

/// Brings a file to schemaVersion() in one transaction. An older file is copied before that
/// (`VACUUM INTO`, beside it); returns the copy's path, "" when there was nothing to keep.
/// Error Io: no room or permission for the copy or the changes; the file is then as it was.
engine::Result<QString> migrate(Database& database, int fromVersion);

/// Removes copies made before migrations that are older than this.
void removeCopies(const QString& databasePath, const QDateTime& olderThan);

} // namespace app
