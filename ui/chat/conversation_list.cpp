#include "ui/chat/conversation_list.h"

#include "ui/chat/draft_words.h"

#include <QApplication>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {
    QString joined(QStringList parts, const QString& separator)
    {
        parts.removeAll(QString());
        return parts.join(separator);
    }

    QString earlierWords(int count)
    {
        return count == 0 ? QString()
            : count == 1
            ? ConversationListModel::tr("1 earlier answer is not known to be complete")
            : ConversationListModel::tr("%1 earlier answers are not known to be complete")
                  .arg(count);
    }
}

ConversationListModel::ConversationListModel(app::Workspace& workspace, QObject* parent)
    : QAbstractListModel(parent)
    , m_workspace(workspace)
{
    for (const auto& conversation : workspace.conversations())
        add(conversation.get());
    connect(&workspace, &app::Workspace::conversationAdded, this, &ConversationListModel::add);
    connect(&workspace, &app::Workspace::conversationAboutToBeRemoved, this,
        &ConversationListModel::remove);
    connect(&workspace.folders(), &app::FolderList::changed, this, [this] {
        arrange();
        if (!m_rows.empty())
            emit dataChanged(index(0), index(rowCount() - 1)); // a folder may have a new name
    });
    arrange();
}

int ConversationListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : int(m_rows.size());
}

app::Conversation* ConversationListModel::conversationAt(const QModelIndex& index) const
{
    return index.isValid() && index.row() < rowCount() ? m_rows[size_t(index.row())].conversation
                                                       : nullptr;
}

app::FolderId ConversationListModel::headingAt(const QModelIndex& index) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return 0;
    const Row& row = m_rows[size_t(index.row())];
    return row.conversation ? 0 : row.folder;
}

QModelIndex ConversationListModel::indexOf(const app::Conversation* conversation) const
{
    const auto found = std::find_if(m_rows.begin(), m_rows.end(),
        [conversation](const Row& row) { return row.conversation == conversation; });
    return !conversation || found == m_rows.end() ? QModelIndex()
                                                  : index(int(found - m_rows.begin()));
}

std::vector<ConversationListModel::Row> ConversationListModel::wantedRows() const
{
    std::vector<Row> rows;
    const auto addFolder = [&](app::FolderId folder) {
        for (app::Conversation* conversation : m_conversations)
            if (conversation->folder() == folder)
                rows.push_back({ conversation, folder });
    };
    const std::vector<app::StoredFolder>& folders = m_workspace.folders().all();
    for (const app::StoredFolder& folder : folders) {
        rows.push_back({ nullptr, folder.id });
        addFolder(folder.id);
    }
    if (!folders.empty())
        rows.push_back({ nullptr, 0 });
    for (app::Conversation* conversation : m_conversations)
        if (m_workspace.folders().nameOf(conversation->folder()).isEmpty())
            rows.push_back({ conversation, 0 });
    return rows;
}

/// Brings the rows into the order they should have, one step for each that is not: what is selected
/// stays selected.
void ConversationListModel::arrange()
{
    const std::vector<Row> wanted = wantedRows();
    const auto isSame = [](const Row& a, const Row& b) {
        return a.conversation == b.conversation && (a.conversation || a.folder == b.folder);
    };
    const auto find = [&](std::vector<Row>::const_iterator from,
                          std::vector<Row>::const_iterator to, const Row& row) {
        return std::find_if(from, to, [&](const Row& other) { return isSame(other, row); });
    };
    for (size_t i = m_rows.size(); i-- > 0;) {
        if (find(wanted.begin(), wanted.end(), m_rows[i]) != wanted.end())
            continue;
        beginRemoveRows({}, int(i), int(i));
        m_rows.erase(m_rows.begin() + std::ptrdiff_t(i));
        endRemoveRows();
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
        const auto place = m_rows.begin() + std::ptrdiff_t(i);
        const size_t at = size_t(find(place, m_rows.end(), wanted[i]) - m_rows.cbegin());
        if (at == m_rows.size()) {
            beginInsertRows({}, int(i), int(i));
            m_rows.insert(place, wanted[i]);
            endInsertRows();
        } else if (at != i) {
            beginMoveRows({}, int(at), int(at), {}, int(i));
            std::rotate(place, m_rows.begin() + std::ptrdiff_t(at),
                m_rows.begin() + std::ptrdiff_t(at) + 1);
            m_rows[i] = wanted[i];
            endMoveRows();
        } else {
            m_rows[i] = wanted[i];
        }
    }
}

QVariant ConversationListModel::data(const QModelIndex& index, int role) const
{
    const app::Conversation* conversation = conversationAt(index);
    if (!conversation)
        return index.isValid() && index.row() < rowCount()
            ? headingData(m_rows[size_t(index.row())], role)
            : QVariant();
    const bool isPlain = conversation->kind() == app::ConversationKind::PlainText;
    const QString name = !conversation->title().isEmpty() ? conversation->title()
        : isPlain                                         ? tr("New page")
                                                          : tr("New chat");
    const QString title = conversation->isPrivate() ? tr("Private: %1").arg(name) : name;
    const std::optional<DraftWords> words = badgeWords(*conversation);
    const QString earlier = earlierWords(conversation->earlierUnfinishedCount());
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
        return joined({ title, words ? words->spoken : QString(), earlier }, QStringLiteral(", "));
    case EarlierRole:
        return !earlier.isEmpty();
    case Qt::ToolTipRole:
        return joined(
            { title, words ? words->sentence() : QString(), earlier }, QStringLiteral("\n"))
            .toHtmlEscaped();
    default:
        return {};
    }
}

QVariant ConversationListModel::headingData(const Row& row, int role) const
{
    const QString name
        = row.folder ? m_workspace.folders().nameOf(row.folder) : tr("Outside of folders");
    switch (role) {
    case HeadingRole:
        return true;
    case Qt::DisplayRole:
    case Qt::EditRole:
        return name;
    case Qt::AccessibleTextRole:
        return row.folder ? tr("Folder %1").arg(name) : name;
    default:
        return {};
    }
}

bool ConversationListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (const app::FolderId folder = headingAt(index))
        return role == Qt::EditRole && m_workspace.folders().rename(folder, value.toString());
    app::Conversation* conversation = conversationAt(index);
    if (!conversation || role != Qt::EditRole || value.toString().trimmed().isEmpty())
        return false;
    conversation->setTitle(value.toString());
    return true;
}

Qt::ItemFlags ConversationListModel::flags(const QModelIndex& index) const
{
    if (conversationAt(index) || headingAt(index))
        return QAbstractListModel::flags(index) | Qt::ItemIsEditable;
    return Qt::NoItemFlags;
}

void ConversationListModel::add(app::Conversation* conversation)
{
    // Last changed first; what comes later at the same moment comes first.
    const auto isOlder = [conversation](const app::Conversation* other) {
        return other->changedAt() <= conversation->changedAt();
    };
    m_conversations.insert(
        std::find_if(m_conversations.begin(), m_conversations.end(), isOlder), conversation);
    const app::FolderId folder = m_workspace.folders().nameOf(conversation->folder()).isEmpty()
        ? 0
        : conversation->folder();
    // Below its heading, which is the first row of the folder.
    auto place = std::find_if(
        m_rows.begin(), m_rows.end(), [folder](const Row& row) { return row.folder == folder; });
    while (place != m_rows.end() && place->folder == folder
        && !(place->conversation && isOlder(place->conversation)))
        ++place;
    const int row = int(place - m_rows.begin());
    beginInsertRows({}, row, row);
    m_rows.insert(place, { conversation, folder });
    endInsertRows();
    const auto refresh = [this, conversation] { changed(conversation); };
    connect(conversation, &app::Conversation::titleChanged, this, refresh);
    connect(conversation, &app::Conversation::turnAdded, this, refresh);
    connect(conversation, &app::Conversation::draftChanged, this, refresh);
    connect(conversation, &app::Conversation::branchChanged, this, refresh);
}

void ConversationListModel::remove(app::Conversation* conversation)
{
    std::erase(m_conversations, conversation);
    const QModelIndex index = indexOf(conversation);
    if (!index.isValid())
        return;
    beginRemoveRows({}, index.row(), index.row());
    m_rows.erase(m_rows.begin() + index.row());
    endRemoveRows();
    conversation->disconnect(this);
}

void ConversationListModel::changed(app::Conversation* conversation)
{
    const QModelIndex before = indexOf(conversation);
    if (before.isValid() && m_rows[size_t(before.row())].folder != conversation->folder())
        arrange();
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
    if (index.data(ConversationListModel::HeadingRole).toBool())
        return paintHeading(*painter, option, index);
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
    if (index.data(ConversationListModel::EarlierRole).toBool()) {
        // Smaller and grey: an answer further up, not the last.
        const int side = option.fontMetrics.height() * 3 / 4;
        const QRectF place(textRect.right() - side, row.center().y() - side / 2.0 + 1, side, side);
        paintIcon(*painter, place, IconName::Partial, theme.mutedText);
        textRect.setRight(textRect.right() - side - unit / 2);
    }
    painter->setPen(option.palette.color(QPalette::WindowText));
    QFont font = option.font;
    if (selected)
        font.setWeight(QFont::DemiBold);
    painter->setFont(font);
    const QString title
        = QFontMetrics(font).elidedText(index.data().toString(), Qt::ElideRight, textRect.width());
    painter->drawText(textRect, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, title);
    painter->restore();
}

void ConversationDelegate::paintHeading(
    QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const int unit = gridUnit(option.widget);
    QPalette palette = option.palette;
    palette.setCurrentColorGroup(QPalette::Active); // a heading that cannot be chosen is not pale
    const Theme theme = Theme::of(palette);
    QRect row = option.rect.adjusted(unit / 2, 1, -unit / 2, -1);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    if (option.state & QStyle::State_Selected) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.softBlock);
        painter.drawRoundedRect(row, unit * 0.75, unit * 0.75);
    }
    row.adjust(unit, 0, -unit, 0);
    QFont font = option.font;
    font.setPointSizeF(font.pointSizeF() * 0.9);
    font.setWeight(QFont::DemiBold);
    const QFontMetrics metrics(font);
    if (index.flags() & Qt::ItemIsEnabled) {
        const int side = metrics.height();
        paintIcon(painter, QRectF(row.left(), row.center().y() - side / 2.0 + 1, side, side),
            IconName::Folder, theme.mutedText);
        row.setLeft(row.left() + side + unit / 2);
    }
    painter.setFont(font);
    painter.setPen(theme.mutedText);
    painter.drawText(row, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine,
        metrics.elidedText(index.data().toString(), Qt::ElideRight, row.width()));
    painter.restore();
}

} // namespace ui
