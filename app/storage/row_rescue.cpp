#include "app/storage/row_rescue.h"

#include <algorithm>

namespace app {

namespace {
    // Ids are given out by counting, so a gap is no larger than the number of rows lost in it.
    constexpr qint64 kLargestGap = 1'000'000;
    constexpr qint64 kGuessesBeyondEnd = 10'000;

    // Qt reads empty bytes as none, and would write them as NULL.
    QVariant asWritten(const QVariant& value)
    {
        const bool isBytes = value.typeId() == QMetaType::QByteArray && !value.isNull();
        return isBytes && value.toByteArray().isEmpty() ? QVariant(QByteArray("")) : value;
    }
}

// Whether the scan came to its end. One that goes back in its order walks over damage.
bool RowRescue::collect(const QByteArray& sql, bool isAscending, std::set<qint64>& ids)
{
    std::optional<qint64> last;
    bool isInOrder = true;
    const auto result = m_damaged.each(sql.constData(), {}, [&](const QSqlQuery& row) {
        const qint64 id = row.value(0).toLongLong();
        if (last && (isAscending ? id <= *last : id >= *last))
            isInOrder = false;
        last = id;
        if (isInOrder)
            ids.insert(id);
    });
    return result.has_value() && isInOrder;
}

void RowRescue::collectIds()
{
    const QByteArray scan = "SELECT rowid FROM " + m_table + " NOT INDEXED ORDER BY rowid";
    std::set<qint64> fromStart;
    if (collect(scan, true, fromStart)) {
        m_ids = fromStart;
        return;
    }
    std::set<qint64> fromEnd;
    (void)collect(scan + " DESC", false, fromEnd);
    m_ids = fromStart;
    m_ids.insert(fromEnd.begin(), fromEnd.end());
    const auto numbers = m_damaged.each(m_numbersSql.constData(), {},
        [this](const QSqlQuery& row) { m_ids.insert(row.value(0).toLongLong()); });
    if (numbers)
        return;
    const qint64 gapStart = fromStart.empty() ? 1 : *fromStart.rbegin() + 1;
    const qint64 gapEnd = fromEnd.empty() ? gapStart + kGuessesBeyondEnd : *fromEnd.begin();
    for (qint64 id = gapStart; id < std::min(gapEnd, gapStart + kLargestGap); ++id)
        if (!m_ids.contains(id))
            (fromEnd.empty() ? m_guessedIds : m_ids).insert(id);
}

int RowRescue::rescue(const QByteArray& columns, const RowKeeper& keep)
{
    collectIds();
    const QByteArray sql
        = "SELECT " + columns + " FROM " + m_table + " NOT INDEXED WHERE rowid = ?";
    const int columnCount = int(columns.count(',')) + 1;
    const auto isRead = [&](qint64 id) {
        bool isKept = true;
        const auto result = m_damaged.each(sql.constData(), { id }, [&](const QSqlQuery& row) {
            QVariantList values;
            for (int i = 0; i < columnCount; ++i)
                values << asWritten(row.value(i));
            isKept = keep(values);
        });
        return result && isKept;
    };
    for (const qint64 id : m_guessedIds)
        (void)isRead(id);
    return int(std::count_if(m_ids.begin(), m_ids.end(), [&](qint64 id) { return !isRead(id); }));
}

} // namespace app
