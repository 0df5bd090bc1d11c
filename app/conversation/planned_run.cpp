#include "app/conversation/planned_run.h"

#include "app/conversation/draft_record.h"
#include "app/runs/planned_record.h"

namespace app {

namespace {
    MessageId lastTurnOf(const Conversation& conversation)
    {
        return conversation.turns().empty() ? 0 : conversation.turns().back()->id;
    }

    QString wordsOf(const std::optional<Problem>& problem)
    {
        return problem ? problem->title + QStringLiteral(". ") + problem->message : QString();
    }
}

engine::Result<std::unique_ptr<PlannedRun>> PlannedRun::create(
    Workspace& workspace, Conversation& conversation, Sending sending)
{
    const auto refused = [](const QString& why) { return engine::Error::badRequest(why.toStdString()); };
    if (conversation.kind() != ConversationKind::Chat)
        return refused(tr("Runs of a plain-text page are not planned, only those of a chat."));
    if (conversation.activeDraft())
        return refused(tr("An answer is being written in this chat. What follows it can be planned "
                          "when it has ended."));
    if (sending.text.trimmed().isEmpty())
        return refused(tr("The message box is empty: type the message that the planned run answers."));
    const auto ahead = workspace.recordAhead(conversation, sending);
    if (!ahead)
        return refused(wordsOf(conversation.problem()));
    sending.seed = ahead->json()["sampling"]["seed"].get<uint64_t>();
    std::unique_ptr<PlannedRun> planned(new PlannedRun(workspace, conversation, std::move(sending)));
    planned->m_record = plannedRecord(*ahead);
    return planned;
}

PlannedRun::PlannedRun(Workspace& workspace, Conversation& conversation, Sending sending)
    : m_workspace(workspace)
    , m_conversation(&conversation)
    , m_sending(std::move(sending))
    , m_after(lastTurnOf(conversation))
{
    connect(&conversation, &Conversation::answerChanged, this, &PlannedRun::follow);
    connect(&conversation, &Conversation::draftChanged, this, &PlannedRun::follow);
    connect(&conversation, &Conversation::painted, this, &PlannedRun::follow);
}

/// Why the run that would begin now is none, or another one.
std::optional<QString> PlannedRun::obstacle()
{
    if (m_state != State::Planned)
        return tr("The run of this plan was started already.");
    if (!m_conversation || m_conversation->isDeleted())
        return tr("The chat of this plan was deleted.");
    if (m_conversation->activeDraft())
        return tr("An answer is being written in the chat of this plan.");
    if (lastTurnOf(*m_conversation) != m_after)
        return tr("The chat has gone on, or another branch of it is shown, since this was planned: "
                  "the run would be another one.");
    Sending now = m_sending;
    if (const auto& fixed = m_conversation->settings().fixedSeed)
        now.seed = *fixed;
    const auto ahead = m_workspace.recordAhead(*m_conversation, now);
    if (!ahead)
        return wordsOf(m_conversation->problem());
    QStringList changes;
    for (const std::string& line : planDifferences(m_record, ahead->json()))
        changes.append(QString::fromStdString(line));
    if (!changes.isEmpty())
        return tr("It would be another run than the planned one. Changed since then: %1.")
            .arg(changes.join(QStringLiteral("; ")));
    return std::nullopt;
}

std::optional<QString> PlannedRun::start()
{
    if (auto why = obstacle())
        return why;
    m_opened = m_workspace.sendPlanned(*m_conversation, m_sending);
    if (!m_opened)
        return wordsOf(m_conversation->problem());
    m_run = m_conversation->activeDraft()->runId();
    m_state = State::UnderWay;
    emit changed();
    return std::nullopt;
}

void PlannedRun::cancel()
{
    if (m_state != State::UnderWay || !m_conversation)
        return;
    for (const Turn* turn : m_conversation->activeTurns())
        if (turn->draft()->runId() == m_run)
            return m_workspace.stop(*m_conversation, *turn);
}

void PlannedRun::follow()
{
    const Draft* draft = m_opened && m_conversation ? m_conversation->findDraft(m_run) : nullptr;
    if (!draft || !draft->ending())
        return;
    const Afterwards now { draft->lastPaintMs(), draft->check(), draft->acceptance() };
    if (m_afterwards == now)
        return;
    m_afterwards = now;
    m_record = recordOf(*m_opened, *draft);
    m_state = State::Ended;
    emit changed();
}

} // namespace app
