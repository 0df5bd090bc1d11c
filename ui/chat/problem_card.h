#pragma once

#include "app/conversation/workspace.h"
#include "ui/chat/message_view.h"

namespace ui {

class ErrorDetails;

/// The card under the messages: what could not be done, why, and one action that helps.
class ProblemCard : public MessageView {
    Q_OBJECT
public:
    ProblemCard(app::Workspace& workspace, QWidget* parent);

    /// The conversation's problem, else the model's; hidden when there is none.
    void refresh(app::Conversation* conversation);
    int heightFor(int width) const override;

signals:
    void loadModelRequested();
    /// The chat format of a model without a usable template is to be chosen.
    void chooseFormatRequested();

private:
    const std::optional<app::Problem>& problem() const;
    QString action(const app::Problem& problem) const;
    void help();

    app::Workspace& m_workspace;
    app::Conversation* m_conversation = nullptr;
    ErrorDetails* m_details;
};

} // namespace ui
