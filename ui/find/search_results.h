#pragma once

#include "app/storage/search_query.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>
#include <QTextLayout>

namespace ui {

/// What a search found, latest first.
class SearchResultsModel : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;

    void setHits(std::vector<app::SearchHit> hits);
    const std::vector<app::SearchHit>& hits() const { return m_hits; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<app::SearchHit> m_hits;
};

/// The marks of a hit as formats of its excerpt: bold, by painting, whatever the text is.
QList<QTextLayout::FormatRange> boldMarks(const app::SearchHit& hit);

/// Paints a title and below it two lines of the excerpt with the matches bold.
class SearchResultDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace ui
