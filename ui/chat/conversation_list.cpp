#include "ui/chat/conversation_list.h"

#include "ui/chat/draft_words.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace ui {

ConversationListModel::ConversationListModel(app::Workspace& workspace, QObject* parent)
    : QAbstractListModel(parent)
{
    for (const auto& conversation : workspace.conversations())
        add(conversation.get());
    connect(&workspace, &app::Workspace::conversationAdded, this, &ConversationListModel::add);
    connect(&workspace, &app::Workspace::conversationAboutToBeRemoved, this,
        &ConversationListModel::remove);
}

int ConversationListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_conversations.size());
}

app::Conversation* ConversationListModel::conversationAt(const QModelIndex& index) const
{
    return index.isValid() && index.row() < rowCount() ? m_conversations[size_t(index.row())]
                                                       : nullptr;
}

QModelIndex ConversationListModel::indexOf(const app::Conversation* conversation) const
{
    const auto found = std::find(m_conversations.begin(), m_conversations.end(), conversation);
    return found == m_conversations.end() ? QModelIndex()
                                          : index(int(found - m_conversations.begin()));
}

QVariant ConversationListModel::data(const QModelIndex& index, int role) const
{
    const app::Conversation* conversation = conversationAt(index);
    if (!conversation)
        return {};
    const bool isPlain = conversation->kind() == app::ConversationKind::PlainText;
    const QString name = !conversation->title().isEmpty() ? conversation->title()
        : isPlain                                         ? tr("New page")
                                                          : tr("New chat");
    const QString title = conversation->isPrivate() ? tr("Private: %1").arg(name) : name;
    const std::optional<DraftWords> words = badgeWords(*conversation);
    switch (role) {
    case Qt::DisplayRole:
        return title;
    case Qt::EditRole:
        return name;
    case Qt::DecorationRole:
        return words ? QVariant(int(words->icon)) : QVariant();
    case BadgeRole:
        return words ? QVariant(int(words->tone)) : QVariant();
    case Qt::AccessibleTextRole:
        return words ? QVariant(title + QStringLiteral(", ") + words->spoken) : QVariant(title);
    case Qt::ToolTipRole:
        return (words ? title + QLatin1Char('\n') + words->sentence() : title).toHtmlEscaped();
    default:
        return {};
    }
}

bool ConversationListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    app::Conversation* conversation = conversationAt(index);
    if (!conversation || role != Qt::EditRole || value.toString().trimmed().isEmpty())
        return false;
    conversation->setTitle(value.toString());
    return true;
}

Qt::ItemFlags ConversationListModel::flags(const QModelIndex& index) const
{
    return QAbstractListModel::flags(index) | Qt::ItemIsEditable;
}

void ConversationListModel::add(app::Conversation* conversation)
{
    // Last changed first; what comes later at the same moment comes first.
    const auto place = std::find_if(m_conversations.begin(), m_conversations.end(),
        [conversation](const app::Conversation* other) {
            return other->changedAt() <= conversation->changedAt();
        });
    const int row = int(place - m_conversations.begin());
    beginInsertRows({}, row, row);
    m_conversations.insert(place, conversation);
    endInsertRows();
    const auto refresh = [this, conversation] { changed(conversation); };
    connect(conversation, &app::Conversation::titleChanged, this, refresh);
    connect(conversation, &app::Conversation::turnAdded, this, refresh);
    connect(conversation, &app::Conversation::draftChanged, this, refresh);
    connect(conversation, &app::Conversation::branchChanged, this, refresh);
}

void ConversationListModel::remove(app::Conversation* conversation)
{
    const QModelIndex index = indexOf(conversation);
    if (!index.isValid())
        return;
    beginRemoveRows({}, index.row(), index.row());
    m_conversations.erase(m_conversations.begin() + index.row());
    endRemoveRows();
    conversation->disconnect(this);
}

void ConversationListModel::changed(const app::Conversation* conversation)
{
    const QModelIndex index = indexOf(conversation);
    emit dataChanged(index, index);
}

QSize ConversationDelegate::sizeHint(
    const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int height = option.fontMetrics.height();
    Q_UNUSED(index); // as wide as the list, whatever the title is
    return { height, height * 2 };
}

void ConversationDelegate::paint(
    QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int unit = gridUnit(option.widget);
    const Theme theme = Theme::of(option.palette);
    const bool selected = option.state & QStyle::State_Selected;
    const QRect row = option.rect.adjusted(unit / 2, 1, -unit / 2, -1);
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    if (selected || (option.state & QStyle::State_MouseOver)) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(selected ? theme.softBlock : theme.codeBlock);
        painter->drawRoundedRect(row, unit * 0.75, unit * 0.75);
    }
    if (option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange) {
        painter->setPen(QPen(theme.accent, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(
            QRectF(row).adjusted(0.5, 0.5, -0.5, -0.5), unit * 0.75, unit * 0.75);
    }
    QRect textRect = row.adjusted(unit, 0, -unit, 0);
    const QVariant badge = index.data(Qt::DecorationRole);
    if (badge.isValid()) {
        const int side = option.fontMetrics.height();
        const QRectF place(textRect.right() - side, row.center().y() - side / 2.0 + 1, side, side);
        paintIcon(*painter, place, IconName(badge.toInt()),
            theme.tone(Tone(index.data(ConversationListModel::BadgeRole).toInt())));
        textRect.setRight(textRect.right() - side - unit);
    }
    painter->setPen(option.palette.color(QPalette::WindowText));
    QFont font = option.font;
    if (selected)
        font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    const QString title
        = QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, textRect.width());
    painter->drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft, title);
    painter->restore();
}

} // namespace ui
