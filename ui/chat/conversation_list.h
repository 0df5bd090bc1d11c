#pragma once

#include "app/conversation/workspace.h"

#include <QAbstractListModel>
#include <QListView>
#include <QStyledItemDelegate>

namespace ui {

/// The conversations of the workspace, newest first, each with the words of its last draft.
class ConversationListModel : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { BadgeRole = Qt::UserRole };

    explicit ConversationListModel(app::Workspace& workspace, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

    app::Conversation* conversationAt(const QModelIndex& index) const;
    QModelIndex indexOf(const app::Conversation* conversation) const;

private:
    void add(app::Conversation* conversation);
    void remove(app::Conversation* conversation);
    void changed(const app::Conversation* conversation);

    std::vector<app::Conversation*> m_conversations; ///< newest first
};

/// Paints a title with its badge at the right.
class ConversationDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
        const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace ui
