#pragma once

#include "engine/base/result.h"

#include <QString>

#include <memory>

namespace app {

class Database;

/// How the database was found.
struct StoreOpening {
    bool isReadOnly = false; ///< shown, not changed
    /// In words: made by a newer version, or what kept it from being changed; "" when writable.
    QString readOnlyReason;
    bool isOfNewerVersion = false; ///< read-only for good, not only until the disk is mended
    QString copyBeforeMigration; ///< path; "" when nothing was migrated
    QString setAside; ///< where a damaged file was moved; "" when it was sound
    int salvagedConversationCount = 0;
    int lostRowCount = 0;

    bool operator==(const StoreOpening&) const = default;
};

/// A database that is ready for use.
struct OpenedDatabase {
    std::unique_ptr<Database> database;
    StoreOpening opening;
    int interruptedCount = 0; ///< runs that were under way when the program ended
};

/// Makes, checks, migrates or salvages the file, and closes interrupted runs. A file that cannot be
/// changed, by its version or by its disk, is opened for reading.
/// Error Io: nothing can be read either.
engine::Result<OpenedDatabase> openDatabase(const QString& path);

/// Has the file looked at closely at the next start: it was found damaged while it was in use.
void markDamaged(const QString& path);

} // namespace app
