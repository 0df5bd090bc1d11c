// How a message becomes a run, or the plan of one.
#include "app/conversation/workspace.h"

namespace app {

std::optional<Workspace::RunPlan> Workspace::planSending(
    Conversation& conversation, const Sending& sending)
{
    if (sending.text.trimmed().isEmpty() || !mayStart(conversation) || !sourcesMayFit(conversation))
        return std::nullopt;
    RunPlan plan;
    if (!sending.opening.isEmpty())
        plan.draftIds = m_model->text->tokenizer->encodeText(sending.opening.toStdString());
    auto prompt = formatted(partsOf(conversation, conversation.turnCount(), sending.text),
        roomFor(conversation, plan.draftIds.size()));
    if (!prompt) {
        refuse(conversation, prompt.error());
        return std::nullopt;
    }
    plan.prompt = std::move(*prompt);
    plan.seed = sending.seed;
    return fits(conversation, plan) ? std::optional(std::move(plan)) : std::nullopt;
}

/// The message and its answer, which has not begun.
Turn& Workspace::addSent(Conversation& conversation, const Sending& sending, const RunPlan& plan)
{
    Turn* parent = conversation.turns().empty() ? nullptr : conversation.turns().back();
    Turn& message = conversation.addPersonTurn(sending.text, parent, m_ids.next());
    return conversation.addAnswer(
        { sending.opening.toStdString(), engine::TokenSource::Typed, plan.draftIds },
        createDraft(conversation, plan), &message, m_ids.next());
}

bool Workspace::send(Conversation& conversation, const QString& text, const QString& opening)
{
    const Sending sending { text, opening, {} };
    const auto plan = planSending(conversation, sending);
    if (!plan)
        return false;
    start(conversation, addSent(conversation, sending, *plan), plan->prompt);
    return true;
}

std::optional<RunRecord> Workspace::recordAhead(Conversation& conversation, const Sending& sending)
{
    const auto plan = planSending(conversation, sending);
    if (!plan)
        return std::nullopt;
    return RunRecord(
        openingOf(conversation, originOf(conversation.settings(), *plan), plan->prompt));
}

std::optional<RunRecord> Workspace::sendPlanned(Conversation& conversation, const Sending& sending)
{
    auto plan = planSending(conversation, sending);
    if (!plan)
        return std::nullopt;
    plan->startedBy = "worksheet";
    const Turn& answer = addSent(conversation, sending, *plan);
    RunOpening opening = openingOf(conversation, answer.draft()->origin(), plan->prompt);
    RunRecord record(opening);
    start(conversation, answer, std::move(opening));
    return record;
}

} // namespace app
