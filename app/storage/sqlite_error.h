#pragma once

#include "engine/base/error.h"

#include <QSqlError>
#include <QString>

namespace app {

constexpr int kSqliteReadOnly = 8;

/// SQLite's primary result code; 0 when the error has none.
int sqliteCode(const QSqlError& error);
/// Codes that say that the file's contents are wrong.
bool isDamageCode(int code);

/// What failed, which file and what to do, in words. statement: what was tried; may be empty.
/// BadRequest for rows that contradict the schema, else Io.
engine::Error sqliteError(const QString& path, const QSqlError& error, const QString& statement);

} // namespace app
