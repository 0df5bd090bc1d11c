#pragma once

#include "app/conversation/workspace.h"

#include <QWidget>

class QToolButton;

namespace ui {

/// One source text above the message box: its name and token count, which open it, and a button
/// that takes it out of the chat.
class SourceChip : public QWidget {
    Q_OBJECT
public:
    SourceChip(const app::SourceText& source, QWidget* parent);

    app::SourceId id() const { return m_id; }
    /// None while they have not been counted.
    void setTokenCount(std::optional<int> tokenCount);
    QToolButton* openButton() const { return m_open; }
    QToolButton* removeButton() const { return m_remove; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    app::SourceId m_id;
    QString m_name;
    QToolButton* m_open;
    QToolButton* m_remove;
};

/// The source texts of a chat as chips, in as many lines as they need; hidden without any.
class SourceShelf : public QWidget {
    Q_OBJECT
public:
    explicit SourceShelf(app::Workspace& workspace, QWidget* parent = nullptr);

    void setConversation(app::Conversation* conversation);
    const std::vector<SourceChip*>& chips() const { return m_chips; }

    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

signals:
    void openRequested(app::SourceId id);
    void removeRequested(app::SourceId id);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    SourceChip* takeChip(const app::SourceText& source);
    /// Where each chip stands at this width, in order.
    std::vector<QRect> places(int width) const;

    app::Workspace& m_workspace;
    app::Conversation* m_conversation = nullptr;
    std::vector<SourceChip*> m_chips;
};

} // namespace ui
