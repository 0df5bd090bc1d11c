#pragma once

#include "app/storage/database.h"

#include <set>

namespace app {

/// Reads a table whose pages may be damaged: from both ends, by what else knows its row numbers,
/// and where these leave a gap, number by number. Pages that are whole give all their rows.
class RowRescue {
public:
    /// numbersSql: gives the row numbers without reading the table's own pages, by an index.
    RowRescue(Database& damaged, QByteArray table, QByteArray numbersSql)
        : m_damaged(damaged)
        , m_table(std::move(table))
        , m_numbersSql(std::move(numbersSql))
    {
    }

    /// Calls keep with the columns' values of each row that can be read; it returns false when the
    /// row cannot be used. Returns how many rows were lost, as far as that can be known.
    using RowKeeper = std::function<bool(const QVariantList& values)>;
    int rescue(const QByteArray& columns, const RowKeeper& keep);

private:
    bool collect(const QByteArray& sql, bool isAscending, std::set<qint64>& ids);
    void collectIds();

    Database& m_damaged;
    QByteArray m_table;
    QByteArray m_numbersSql;
    std::set<qint64> m_ids; ///< of rows that are there
    std::set<qint64> m_guessedIds; ///< of rows that may be
};

} // namespace app
