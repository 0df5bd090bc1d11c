#include "app/storage/sqlite_error.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

#include <array>

namespace app {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("SqliteError", text); }

    // The result codes that a person can do something about. %1: file, %2: its folder.
    struct CodeWords {
        int code;
        const char* words;
    };
    constexpr int kBusy = 5;
    constexpr int kCorrupt = 11;
    constexpr int kConstraint = 19;
    constexpr int kMismatch = 20;
    constexpr int kNotADatabase = 26;
    constexpr std::array kCodes {
        CodeWords { 3,
            QT_TRANSLATE_NOOP("SqliteError",
                "%1 may not be accessed. Give yourself permission to read and write it.") },
        CodeWords { kBusy,
            QT_TRANSLATE_NOOP("SqliteError",
                "%1 is in use by another program. Close the program that has it open.") },
        CodeWords { 6,
            QT_TRANSLATE_NOOP("SqliteError",
                "%1 is in use by another program. Close the program that has it open.") },
        CodeWords { 7,
            QT_TRANSLATE_NOOP("SqliteError",
                "There is not enough memory to work with %1. Close other programs.") },
        CodeWords { kSqliteReadOnly,
            QT_TRANSLATE_NOOP("SqliteError",
                "%1 may not be written. Give yourself permission to write it and the folder %2.") },
        CodeWords { 10,
            QT_TRANSLATE_NOOP("SqliteError",
                "The disk reported an error while %1 was read or written. Check the disk that "
                "holds %2.") },
        CodeWords { kCorrupt,
            QT_TRANSLATE_NOOP("SqliteError",
                "%1 is damaged. At the next start it is set aside and what can be read is "
                "carried over.") },
        CodeWords { 13,
            QT_TRANSLATE_NOOP("SqliteError",
                "The disk is full, so %1 could not be written. Free some space on the disk that "
                "holds %2.") },
        CodeWords { 14,
            QT_TRANSLATE_NOOP("SqliteError",
                "%1 could not be opened. Check that the folder %2 exists and that you may write "
                "to it.") },
        CodeWords { kNotADatabase,
            QT_TRANSLATE_NOOP("SqliteError",
                "%1 is damaged. At the next start it is set aside and what can be read is "
                "carried over.") },
    };
}

int sqliteCode(const QSqlError& error) { return error.nativeErrorCode().toInt() & 0xff; }

bool isDamageCode(int code) { return code == kCorrupt || code == kNotADatabase; }

engine::Error sqliteError(const QString& path, const QSqlError& error, const QString& statement)
{
    const int code = sqliteCode(error);
    QString message = tr("%1 could not be read or written. Check the folder %2.");
    for (const CodeWords& row : kCodes)
        if (row.code == code)
            message = tr(row.words);
    // Not arg(): not every text names the folder.
    message.replace(QStringLiteral("%1"), QDir::toNativeSeparators(path));
    message.replace(QStringLiteral("%2"), QDir::toNativeSeparators(QFileInfo(path).absolutePath()));
    QStringList details { error.databaseText().isEmpty() ? error.driverText()
                                                         : error.databaseText() };
    details << tr("code %1").arg(error.nativeErrorCode());
    if (!statement.isEmpty())
        details << statement;
    message += QStringLiteral(" (%1)").arg(details.join(QStringLiteral("; ")));
    const bool contradicts = code == kConstraint || code == kMismatch;
    return { contradicts ? engine::ErrorCode::BadRequest : engine::ErrorCode::Io,
        message.toStdString() };
}

} // namespace app
