#include "ui/find/search_results.h"

#include "ui/theme/theme.h"

#include <QLocale>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {
    constexpr int kExcerptLines = 2;

    void drawExcerpt(QPainter& painter, const QRect& rect, const app::SearchHit& hit)
    {
        QTextLayout layout(hit.excerpt, painter.font());
        layout.setFormats(boldMarks(hit));
        layout.beginLayout();
        qreal y = 0;
        for (int i = 0; i < kExcerptLines; ++i) {
            QTextLine line = layout.createLine();
            if (!line.isValid())
                break;
            line.setLineWidth(rect.width());
            line.setPosition({ 0, y });
            y += line.height();
        }
        layout.endLayout();
        layout.draw(&painter, rect.topLeft(), {}, rect);
    }
}

QList<QTextLayout::FormatRange> boldMarks(const app::SearchHit& hit)
{
    QList<QTextLayout::FormatRange> formats;
    for (const auto& [start, length] : hit.marks) {
        QTextLayout::FormatRange range;
        range.start = start;
        range.length = length;
        range.format.setFontWeight(QFont::Bold);
        formats.append(range);
    }
    return formats;
}

void SearchResultsModel::setHits(std::vector<app::SearchHit> hits)
{
    beginResetModel();
    m_hits = std::move(hits);
    endResetModel();
}

int SearchResultsModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_hits.size());
}

QVariant SearchResultsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const app::SearchHit& hit = m_hits[size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return hit.title.isEmpty() ? tr("New chat") : hit.title;
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2").arg(data(index, Qt::DisplayRole).toString(), hit.excerpt);
    case Qt::ToolTipRole:
        return QStringLiteral("%1\n%2")
            .arg(data(index, Qt::DisplayRole).toString(),
                QLocale().toString(hit.at.toLocalTime(), QLocale::LongFormat))
            .toHtmlEscaped();
    default:
        return {};
    }
}

QSize SearchResultDelegate::sizeHint(
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    Q_UNUSED(index); // as wide as the list, whatever the title is
    const int line = option.fontMetrics.height();
    return { line, line * (1 + kExcerptLines) + gridUnit(option.widget) * 2 };
}

void SearchResultDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const auto* model = qobject_cast<const SearchResultsModel*>(index.model());
    if (!model || size_t(index.row()) >= model->hits().size())
        return;
    const app::SearchHit& hit = model->hits()[size_t(index.row())];
    const int unit = gridUnit(option.widget);
    const Theme theme = Theme::of(option.palette);
    const QRect row = option.rect.adjusted(unit / 2, 1, -unit / 2, -1);
    const bool selected = option.state & QStyle::State_Selected;
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (selected || (option.state & QStyle::State_MouseOver)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(selected ? theme.softBlock : theme.codeBlock);
        painter->drawRoundedRect(row, unit * 0.75, unit * 0.75);
    }
    QRect inner = row.adjusted(unit, unit / 2, -unit, -unit / 2);
    QFont bold = option.font;
    bold.setWeight(QFont::DemiBold);
    painter->setFont(bold);
    painter->setPen(option.palette.color(QPalette::WindowText));
    painter->drawText(inner, Qt::AlignTop | Qt::AlignLeft | Qt::TextSingleLine,
        QFontMetrics(bold).elidedText(index.data().toString(), Qt::ElideRight, inner.width()));
    inner.setTop(inner.top() + QFontMetrics(bold).height());
    painter->setFont(option.font);
    painter->setPen(selected ? theme.text : theme.mutedText);
    painter->setClipRect(inner);
    drawExcerpt(*painter, inner, hit);
    painter->restore();
}

} // namespace ui
