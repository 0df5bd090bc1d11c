#include "app/storage/database.h"

#include "app/storage/sqlite_error.h"

#include <QDateTime>
#include <QDir>
#include <QSqlError>
#include <QUrl>

#include <atomic>

namespace app {

Database::Database(QString path)
    : m_path(std::move(path))
{
    static std::atomic<int> connectionCount = 0;
    m_connectionName = QStringLiteral("tokenglass-%1").arg(++connectionCount);
}

Database::~Database()
{
    m_connection.close();
    m_connection = {};
    QSqlDatabase::removeDatabase(m_connectionName);
}

engine::Result<std::unique_ptr<Database>> Database::open(const QString& path, Access access)
{
    std::unique_ptr<Database> database(new Database(path));
    QSqlDatabase& connection = database->m_connection;
    connection = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), database->m_connectionName);
    // One writer in one process: nothing to wait for.
    QString options = QStringLiteral("QSQLITE_BUSY_TIMEOUT=0");
    if (access == Access::Usual) {
        connection.setDatabaseName(path);
    } else {
        connection.setDatabaseName(QString::fromLatin1(QUrl::fromLocalFile(path).toEncoded())
            + QStringLiteral("?immutable=1"));
        options += QStringLiteral(";QSQLITE_OPEN_URI;QSQLITE_OPEN_READONLY");
    }
    connection.setConnectOptions(options);
    if (!connection.open())
        return sqliteError(path, connection.lastError(), {});
    // Before the file is first read: so the log's index stays in this process's memory.
    if (access == Access::Usual)
        TRY(database->run("PRAGMA locking_mode = EXCLUSIVE"));
    return database;
}

engine::Error Database::errorOf(const QSqlQuery& query, const char* sql)
{
    const QSqlError error = query.lastError();
    const int code = sqliteCode(error);
    if (isDamageCode(code))
        m_foundDamage = true;
    if (code == kSqliteReadOnly && !m_readOnlyReason.isEmpty())
        return engine::Error::io(m_readOnlyReason.toStdString());
    return sqliteError(m_path, error, QString::fromLatin1(sql).simplified().left(60));
}

engine::Result<void> Database::each(
    const char* sql, const QVariantList& values, const RowReader& read)
{
    QSqlQuery query(m_connection);
    query.setForwardOnly(true);
    if (!query.prepare(QString::fromUtf8(sql)))
        return errorOf(query, sql);
    for (const QVariant& value : values)
        query.addBindValue(value);
    if (!query.exec())
        return errorOf(query, sql);
    while (query.next())
        if (read)
            read(query);
    if (query.lastError().isValid())
        return errorOf(query, sql);
    return {};
}

engine::Result<void> Database::run(const char* sql, const QVariantList& values)
{
    return each(sql, values, {});
}

engine::Result<qint64> Database::number(const char* sql, const QVariantList& values)
{
    std::optional<qint64> first;
    TRY(each(sql, values, [&first](const QSqlQuery& row) {
        if (!first)
            first = row.value(0).toLongLong();
    }));
    return first.value_or(0);
}

engine::Result<void> Database::inTransaction(
    bool isDurable, const std::function<engine::Result<void>()>& work)
{
    TRY(run(isDurable ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL"));
    TRY(run("BEGIN IMMEDIATE"));
    engine::Result<void> result = work();
    if (result)
        result = run("COMMIT");
    // After some errors SQLite has rolled back by itself; then this one says so and changes
    // nothing.
    if (!result)
        (void)run("ROLLBACK");
    return result;
}

engine::Result<void> Database::forbidChanges(const QString& reason)
{
    m_readOnlyReason = reason;
    return run("PRAGMA query_only = ON");
}

QVariant sqlText(const QString& text)
{
    if (text.isNull())
        return QStringLiteral(""); // not NULL
    if (text.isValidUtf16())
        return text;
    QString mended = text;
    for (qsizetype i = 0; i < mended.size(); ++i) {
        const bool isPair = mended[i].isHighSurrogate() && i + 1 < mended.size()
            && mended[i + 1].isLowSurrogate();
        if (isPair)
            ++i;
        else if (mended[i].isSurrogate())
            mended[i] = QChar::ReplacementCharacter;
    }
    return mended;
}

QVariant sqlBytes(const std::string& bytes)
{
    return QByteArray(bytes.data(), qsizetype(bytes.size()));
}

QVariant sqlTime(const QDateTime& time)
{
    return time.isValid() ? QVariant(time.toMSecsSinceEpoch()) : QVariant();
}

QVariant sqlTime(const std::optional<QDateTime>& time)
{
    return time ? sqlTime(*time) : QVariant();
}

QVariant sqlId(int64_t id) { return id == 0 ? QVariant() : QVariant(qint64(id)); }

std::string bytesIn(const QSqlQuery& row, int column)
{
    return row.value(column).toByteArray().toStdString();
}

QDateTime timeIn(const QSqlQuery& row, int column)
{
    return optionalTimeIn(row, column).value_or(QDateTime());
}

std::optional<QDateTime> optionalTimeIn(const QSqlQuery& row, int column)
{
    const QVariant value = row.value(column);
    if (value.isNull())
        return std::nullopt;
    return QDateTime::fromMSecsSinceEpoch(value.toLongLong()).toUTC();
}

} // namespace app
