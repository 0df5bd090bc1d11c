#pragma once

#include "engine/base/result.h"

#include <QSqlDatabase>
#include <QSqlQuery>
#include <QVariant>

#include <functional>
#include <memory>

namespace app {

/// The connection to one SQLite file; held exclusively, so that no other program writes beside it.
/// Storage thread only (a QSqlDatabase belongs to the thread that opened it).
/// Errors: Io with the file's name, what failed and what to do; BadRequest when the rows contradict
/// the schema, which trying again would not change.
class Database {
public:
    /// Unchanging: for reading, of a file that nobody can change and that has no log.
    enum class Access { Usual, Unchanging };
    /// Creates the file when there is none. Nothing is read yet: a damaged file opens.
    static engine::Result<std::unique_ptr<Database>> open(
        const QString& path, Access access = Access::Usual);
    ~Database();

    const QString& path() const { return m_path; }

    engine::Result<void> run(const char* sql, const QVariantList& values = {});
    using RowReader = std::function<void(const QSqlQuery& row)>;
    /// Calls read for each row.
    engine::Result<void> each(const char* sql, const QVariantList& values, const RowReader& read);
    /// The first column of the first row; 0 when there is none.
    engine::Result<qint64> number(const char* sql, const QVariantList& values = {});
    /// Rows that the last statement changed.
    engine::Result<qint64> changedRowCount() { return number("SELECT changes()"); }

    /// All of the work, or nothing. isDurable: waits until the disk has it.
    engine::Result<void> inTransaction(
        bool isDurable, const std::function<engine::Result<void>()>& work);

    /// Whether a statement found the file damaged.
    bool foundDamage() const { return m_foundDamage; }
    /// Statements that change the file fail from now on.
    engine::Result<void> forbidChanges(const QString& reason);

private:
    explicit Database(QString path);
    engine::Error errorOf(const QSqlQuery& query, const char* sql);

    QString m_path;
    QString m_connectionName;
    QSqlDatabase m_connection;
    QString m_readOnlyReason;
    bool m_foundDamage = false;
};

/// Values as the file keeps them. Lone surrogates, which UTF-8 cannot hold, become U+FFFD, and so
/// do U+FFFE and U+FFFF, which SQLite takes for mistakes.
QVariant sqlText(const QString& text);
QVariant sqlBytes(const std::string& bytes);
/// Milliseconds since 1970, UTC; NULL for no or an invalid time.
QVariant sqlTime(const QDateTime& time);
QVariant sqlTime(const std::optional<QDateTime>& time);
/// NULL for 0, which is no id.
QVariant sqlId(int64_t id);

std::string bytesIn(const QSqlQuery& row, int column);
QDateTime timeIn(const QSqlQuery& row, int column);
std::optional<QDateTime> optionalTimeIn(const QSqlQuery& row, int column);

} // namespace app
