#include "ui/chat/problem_card.h"

#include "ui/chat/error_details.h"

#include <QVBoxLayout>

namespace ui {

using Kind = app::Problem::Kind;

ProblemCard::ProblemCard(app::Workspace& workspace, QWidget* parent)
    : MessageView(parent)
    , m_workspace(workspace)
    , m_details(new ErrorDetails(this))
{
    setObjectName(QStringLiteral("problemCard"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_details);
    connect(m_details, &ErrorDetails::resized, this, &MessageView::resized);
    connect(m_details, &ErrorDetails::actionTriggered, this, &ProblemCard::help);
}

int ProblemCard::heightFor(int width) const { return m_details->heightForWidth(width); }

const std::optional<app::Problem>& ProblemCard::problem() const
{
    if (m_conversation && m_conversation->problem())
        return m_conversation->problem();
    return m_workspace.modelProblem();
}

void ProblemCard::refresh(app::Conversation* conversation)
{
    m_conversation = conversation;
    if (problem()) {
        m_details->setError(problem()->title, problem()->message, problem()->details);
        m_details->setAction(action(*problem()));
    }
    setVisible(problem().has_value());
}

QString ProblemCard::action(const app::Problem& problem) const
{
    switch (problem.kind) {
    case Kind::TemplateUnusable:
        return tr("Choose a chat format…");
    case Kind::NoModel:
    case Kind::LoadFailed:
        return m_workspace.modelState() == app::ModelState::None ? tr("Open a GGUF file…")
                                                                 : QString();
    case Kind::ContextFull: {
        const bool helps = m_conversation && m_conversation->turnCount() > 1
            && m_conversation->settings().contextPolicy == app::ContextPolicy::StopAndSay;
        return helps ? tr("Leave out the oldest messages") : QString();
    }
    case Kind::NotSent:
        break;
    }
    return {};
}

void ProblemCard::help()
{
    if (!problem())
        return;
    switch (problem()->kind) {
    case Kind::TemplateUnusable:
        emit chooseFormatRequested();
        return;
    case Kind::ContextFull: {
        app::ChatSettings settings = m_conversation->settings();
        settings.contextPolicy = app::ContextPolicy::DropOldestTurns;
        m_conversation->setProblem(std::nullopt);
        m_conversation->setSettings(std::move(settings));
        return;
    }
    default:
        emit loadModelRequested();
    }
}

} // namespace ui
