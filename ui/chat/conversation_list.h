#pragma once

#include "app/conversation/workspace.h"

#include <QAbstractListModel>
#include <QListView>
#include <QStyledItemDelegate>

namespace ui {

/// The conversations of the workspace, newest first, each with the words of its last draft. Once
/// there are folders they come first, each a heading with its conversations below.
class ConversationListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { BadgeRole = Qt::UserRole, HeadingRole, EarlierRole };

    explicit ConversationListModel(app::Workspace& workspace, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    /// Null for a heading.
    app::Conversation* conversationAt(const QModelIndex& index) const;
    QModelIndex indexOf(const app::Conversation* conversation) const;
    /// The folder that the row is the heading of; 0 for other rows.
    app::FolderId headingAt(const QModelIndex& index) const;

private:
    struct Row {
        app::Conversation* conversation = nullptr; ///< null: a heading
        app::FolderId folder = 0; ///< 0: outside of folders

        bool operator==(const Row&) const = default;
    };
    void add(app::Conversation* conversation);
    void remove(app::Conversation* conversation);
    void changed(app::Conversation* conversation);
    void arrange();
    std::vector<Row> wantedRows() const;
    QVariant headingData(const Row& row, int role) const;

    app::Workspace& m_workspace;
    std::vector<app::Conversation*> m_conversations; ///< newest first
    std::vector<Row> m_rows;
};

/// Paints a title with its badge at the right, or the name of a folder above its conversations.
class ConversationDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    void paintHeading(
        QPainter& painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
};

} // namespace ui
