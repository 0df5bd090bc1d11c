#pragma once

#include "app/conversation/prompt_gauge.h"

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
    /// While something is typed, the context is shown as the next prompt would fill it.
    void follow(const app::PromptGauge& gauge);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    int contextUsed() const;
    void showContext(const engine::ModelDescription& model);

    app::Workspace& m_workspace;
    app::Conversation* m_conversation = nullptr;
    const app::PromptGauge* m_gauge = nullptr;
    ElidedLabel* m_title;
    QLabel* m_model;
    QLabel* m_context;
    double m_share = 0; ///< of the context
    bool m_warns = false; ///< the next prompt will not fit, or not whole
};

} // namespace ui
