#pragma once

#include "engine/base/result.h"

#include <QString>

namespace app {

/// What became of a damaged file.
struct Salvage {
    QString setAside; ///< where the damaged file is now, as it was found
    int conversationCount = 0; ///< carried over
    int lostRowCount = 0; ///< rows that are known to have been there, or could not be read
};

/// Carries over what can be read of a damaged file, row by row, into a new one in its place, and
/// renames the damaged one ("tokenglass-damaged-20261130-191500.sqlite"); it is never deleted.
/// Works on a copy; until the new file is whole, the damaged one keeps its name.
/// Errors: Io when the copy or the new file cannot be written, or the damaged file is of a newer
/// version.
engine::Result<Salvage> salvageDatabase(const QString& path);

/// Takes the last step of a salvage that was cut off between its two renames.
void finishSalvage(const QString& path);

} // namespace app
