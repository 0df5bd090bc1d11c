#include "ui/removals.h"

#include "ui/notice_bar.h"

#include <QPointer>

#include <utility>

namespace ui {

Removals::Removals(app::Workspace& workspace, NoticeBar& notice, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_notice(notice)
{
    connect(&m_notice, &NoticeBar::actionTriggered, this, &Removals::undo);
}

void Removals::removeConversation(app::Conversation& doomed)
{
    app::Conversation* next = nullptr;
    for (const auto& other : m_workspace.conversations())
        if (other.get() != &doomed)
            next = other.get();
    emit conversationWanted(next ? next : &m_workspace.addConversation(app::ConversationKind::Chat));
    const QString title = doomed.title().isEmpty() ? tr("New chat") : doomed.title();
    const bool wasEmpty = doomed.isEmpty();
    m_workspace.removeConversation(doomed);
    if (wasEmpty)
        return;
    note(tr("“%1” was deleted.").arg(title), tr("It is gone for good when this note goes."),
        [this, removed = QPointer(&doomed)] {
            if (!removed)
                return;
            m_workspace.restoreConversation(*removed);
            emit conversationWanted(removed);
        });
}

void Removals::removeTurn(app::Conversation& conversation, size_t turnIndex)
{
    if (turnIndex >= conversation.turnCount())
        return;
    app::Turn& turn = *conversation.turns()[turnIndex];
    const app::MessageId id = turn.id;
    m_workspace.removeTurn(conversation, turn);
    note(tr("The message and what followed it were deleted."),
        tr("They are gone for good when this note goes."), [this, id, within = QPointer(&conversation)] {
            app::Turn* removed = within ? within->findTurn(id) : nullptr;
            if (!removed)
                return;
            m_workspace.restoreTurn(*within, *removed);
            emit conversationWanted(within);
        });
}

void Removals::removeSource(app::Conversation& conversation, app::SourceId id)
{
    const app::SourceText* source = conversation.findSource(id);
    if (!source)
        return;
    const QString name = source->name;
    m_workspace.removeSource(conversation, id);
    note(tr("The source text “%1” was removed.").arg(name),
        tr("It is gone for good when this note goes, but for the records of answers that were "
           "given it."),
        [this, id, within = QPointer(&conversation)] {
            if (!within)
                return;
            m_workspace.restoreSource(*within, id);
            emit conversationWanted(within);
        });
}

void Removals::undo()
{
    if (const auto undo = std::exchange(m_undo, {}))
        undo();
    m_notice.dismiss();
}

void Removals::note(const QString& text, const QString& details, std::function<void()> undo)
{
    m_undo = std::move(undo);
    m_notice.show(NoticeBar::Kind::Note, text, details, tr("Undo"), app::Workspace::kUndoMs);
}

} // namespace ui
