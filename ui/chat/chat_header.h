#pragma once

#include "app/conversation/workspace.h"

#include <QWidget>

class QLabel;

namespace ui {

class ElidedLabel;

/// The line above a conversation: its title, the model and device, and how full the context is.
class ChatHeader : public QWidget {
    Q_OBJECT
public:
    explicit ChatHeader(app::Workspace& workspace, QWidget* parent = nullptr);
    void setConversation(app::Conversation* conversation);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    int contextUsed() const;

    app::Workspace& m_workspace;
    app::Conversation* m_conversation = nullptr;
    ElidedLabel* m_title;
    QLabel* m_model;
    QLabel* m_context;
    double m_share = 0; ///< of the context
};

} // namespace ui
