// How a workspace begins, follows and stops the runs of its conversations.
#include "app/conversation/workspace.h"

#include "app/conversation/journal.h"

#include <QPointer>
#include <QRandomGenerator>

#include <algorithm>
#include <filesystem>

namespace app {

namespace {
    // Random seeds stay below 2^32 so that a person can read one out and type it again.
    quint64 drawSeed() { return QRandomGenerator::system()->generate(); }

    bool restsOn(
        const std::vector<SourceText>& sources, const std::vector<RecordedSource>& recorded)
    {
        return std::equal(sources.begin(), sources.end(), recorded.begin(), recorded.end(),
            [](const SourceText& source, const RecordedSource& given) {
                return source.sha256 == given.sha256 && source.name.toStdString() == given.name;
            });
    }
}

void Workspace::applyRunEvents(const std::vector<engine::GenerationEvent>& events)
{
    const auto applyTo = [this](const auto& conversations, const engine::GenerationEvent& event) {
        for (const auto& conversation : conversations)
            if (const Turn* turn = conversation->apply(event)) {
                if (m_journal)
                    m_journal->noteEvent(*turn->draft(), event);
                tellContextFull(*conversation, *turn);
                return true;
            }
        return false;
    };
    std::vector<engine::GenerationEvent> others;
    for (const engine::GenerationEvent& event : events)
        if (!applyTo(m_conversations, event) && !applyTo(m_removed, event))
            others.push_back(event);
    if (!others.empty())
        emit otherRunEvents(others);
    for (const auto& conversation : m_conversations)
        conversation->announceChanges();
}

bool Workspace::mayStart(Conversation& conversation, bool isHolder)
{
    if (conversation.activeDraft() || !conversation.isLoaded())
        return false;
    conversation.setProblem(std::nullopt);
    if (m_holding && !isHolder) {
        conversation.setProblem(m_holding);
        return false;
    }
    if (m_model && m_modelState == ModelState::Ready)
        return true;
    if (m_modelState == ModelState::Loading)
        conversation.setProblem(Problem { Problem::Kind::NoModel, tr("The model is still loading"),
            tr("Send the message again when it is ready. What you typed is kept."), {} });
    else
        conversation.setProblem(Problem { Problem::Kind::NoModel, tr("No model is loaded"),
            tr("Choose a model on the right, or open a GGUF file. What you typed is kept."), {} });
    return false;
}

Problem Workspace::refusalOf(const engine::Error& error) const
{
    const bool templateSpoke = error.code == engine::ErrorCode::TemplateRefused;
    const bool noTemplate
        = error.code == engine::ErrorCode::BadTemplate && !m_model->text->offer.usable();
    Problem problem;
    problem.kind = noTemplate ? Problem::Kind::TemplateUnusable : Problem::Kind::NotSent;
    problem.title = templateSpoke ? tr("The chat template refuses these messages")
        : noTemplate              ? tr("This model has no usable chat template")
                                  : tr("The message was not sent");
    problem.message = QString::fromStdString(error.message);
    problem.details = tr("Error: %1").arg(QString::fromLatin1(engine::errorCodeName(error.code)));
    return problem;
}

bool Workspace::refuse(Conversation& conversation, const engine::Error& error)
{
    conversation.setProblem(refusalOf(error));
    return false;
}

/// Which part of a prompt that is too long is source texts; "" without any.
QString Workspace::sourceWords(const std::vector<RecordedSource>& sources)
{
    int tokenCount = 0;
    for (const RecordedSource& source : sources)
        tokenCount += source.tokenCount.value_or(0);
    if (sources.empty())
        return {};
    return tr(" %L1 of the tokens are source texts, which are never cut: remove those that are not "
              "needed.")
        .arg(tokenCount);
}

std::optional<Problem> Workspace::misfitOf(const RunPlan& plan) const
{
    const auto contextLength = size_t(std::max(0, m_model->description.contextLength));
    const size_t promptTokens = plan.prompt.ids.size() + plan.draftIds.size();
    if (promptTokens < contextLength)
        return std::nullopt;
    const QString words
        = tr("The prompt has %L1 tokens and the context holds %L2, so nothing could be written. "
             "Raise the context length on the right (this model was trained with %L3), "
             "start a new chat, or shorten the message.%4")
              .arg(promptTokens)
              .arg(contextLength)
              .arg(m_model->description.trainedContextLength)
              .arg(sourceWords(plan.prompt.sources));
    return Problem { Problem::Kind::ContextFull, tr("The context is too small"),
        plan.prompt.droppedTurnCount > 0
            ? tr("%1 Every earlier message has been left out already.").arg(words)
            : words,
        {} };
}

bool Workspace::fits(Conversation& conversation, const RunPlan& plan)
{
    std::optional<Problem> problem = misfitOf(plan);
    if (!problem)
        return true;
    conversation.setProblem(std::move(problem));
    return false;
}

/// Says what helps when an answer has run into the end of the context.
void Workspace::tellContextFull(Conversation& conversation, const Turn& turn)
{
    const auto& ending = turn.draft()->ending();
    if (!ending || ending->ledger.reason != engine::StopReason::ContextFull
        || conversation.lastAnswer() != turn.answer.get())
        return;
    conversation.setProblem(Problem { Problem::Kind::ContextFull, tr("The context is full"),
        tr("Prompt and answer take up %L1 of the context's %L2 tokens, so the answer ended here. "
           "Raise the context length on the right to continue it, let the oldest messages be left "
           "out of the next prompt, or start a new chat.")
            .arg(ending->ledger.contextUsed)
            .arg(ending->ledger.contextLength),
        {} });
}

std::unique_ptr<Draft> Workspace::createDraft(const Conversation& conversation, const RunPlan& plan)
{
    return std::make_unique<Draft>(originOf(conversation.settings(), plan));
}

DraftOrigin Workspace::originOf(const ChatSettings& settings, const RunPlan& plan)
{
    const engine::ModelDescription& model = m_model->description;
    DraftOrigin origin;
    engine::GenerationRequest& request = origin.request;
    request.runId = engine::RunId(m_ids.next());
    request.promptIds = plan.prompt.ids;
    request.promptIds.insert(request.promptIds.end(), plan.draftIds.begin(), plan.draftIds.end());
    request.draftTokenCount = int(plan.draftIds.size());
    request.sampling = settings.sampling;
    request.sampling.bannedIds.clear();
    if (!settings.bannedTokens.empty())
        request.sampling.bannedIds = bannedIds(settings, vocabularyHash());
    request.sampling.seed = plan.seed ? *plan.seed : settings.fixedSeed.value_or(drawSeed());
    request.lengthCap = plan.lengthCap.value_or(settings.lengthCap);
    request.forcedIds = plan.forcedIds;
    request.bannedFirstIds = plan.bannedFirstIds;
    for (const QString& stop : settings.stopStrings)
        request.stopStrings.push_back(stop.toStdString());
    request.ignoreEndTokens = settings.ignoreEndTokens;
    request.timeCapMs = settings.timeCapMs;
    if (settings.guardsAgainstRepetition)
        request.repetitionGuard = kRepetitionLimits;
    origin.grid = plan.grid;
    origin.startedBy = plan.startedBy ? plan.startedBy : plan.grid ? "grid" : "person";
    origin.modelName = model.name;
    origin.checkpointFile = std::filesystem::path(model.path).filename().string();
    origin.checkpointBytes = model.fileBytes;
    origin.kvType = model.kvType;
    origin.deviceName = model.device.name;
    origin.promptText = plan.prompt.text;
    origin.promptTimes = plan.prompt.times;
    origin.droppedTurnCount = int(plan.prompt.droppedTurnCount);
    origin.promptSpans = plan.prompt.spans;
    origin.sources = plan.prompt.sources;
    origin.kept = plan.kept;
    origin.templateName = plan.prompt.templateName;
    origin.templateFamily = plan.prompt.templateFamily.value_or(std::string());
    origin.modelText = m_model->text;
    return origin;
}

/// The run goes to the engine: its times count from here.
void Workspace::noteBegun(engine::GenerationRequest& request)
{
    m_notBegun.erase(request.runId);
    for (const auto* conversations : { &m_conversations, &m_removed })
        for (const auto& conversation : *conversations)
            for (Turn* turn : conversation->activeTurns())
                if (Draft* draft = turn->answer->partOf(request.runId))
                    draft->noteStarted();
    if (m_pausedEarly.erase(request.runId))
        request.pace.tokens = 0;
}

void Workspace::cancelEarly(const engine::GenerationRequest& request)
{
    if (m_cancelledEarly.erase(request.runId))
        m_client.cancel(request.runId);
}

void Workspace::begin(engine::GenerationRequest request)
{
    noteBegun(request);
    m_client.generate(std::move(request));
}

void Workspace::start(
    const Conversation& conversation, const Turn& turn, const FormattedPrompt& prompt)
{
    const DraftOrigin& origin = turn.draft()->origin();
    if (!m_journal)
        return begin(origin.request);
    start(conversation, turn, openingOf(conversation, origin, prompt));
}

/// The draft is in its turn: the run begins as soon as both are safe.
void Workspace::start(const Conversation& conversation, const Turn& turn, RunOpening opening)
{
    const engine::GenerationRequest request = opening.request;
    if (!m_journal)
        return begin(request);
    m_notBegun.insert(request.runId);
    m_journal->openRun(conversation, turn, std::move(opening), [this, request] {
        begin(request);
        cancelEarly(request);
    });
}

RunOpening Workspace::openingOf(const Conversation& conversation, const DraftOrigin& origin,
    const FormattedPrompt& prompt) const
{
    RunOpening opening;
    opening.model = m_model->description;
    opening.text = m_model->text.get();
    opening.request = origin.request;
    opening.messages = prompt.messages;
    opening.promptText = prompt.text;
    opening.promptSpans = prompt.spans;
    if (conversation.kind() == ConversationKind::Chat) {
        opening.contextPolicy = contextPolicyName(conversation.settings().contextPolicy);
        opening.sources = prompt.sources;
    }
    opening.droppedMessageCount = int(prompt.droppedTurnCount);
    opening.templateFamily = prompt.templateFamily;
    opening.templateSource = prompt.templateSource;
    opening.grid = origin.grid;
    opening.startedBy = origin.startedBy;
    opening.openedAt = isoNow();
    opening.checkpointHash = checkpointHash();
    if (m_vocabularyHash.valid())
        opening.vocabularyHash = m_vocabularyHash.get();
    return opening;
}

bool Workspace::regenerate(Conversation& conversation, Turn* answer, std::optional<int> cap)
{
    if (!answer)
        answer = conversation.lastAnswerTurn();
    const auto index = answer ? conversation.tree().indexOf(*answer) : std::nullopt;
    if (!index || !answer->answer || !mayStart(conversation) || !sourcesMayFit(conversation))
        return false;
    auto prompt = formatted(partsOf(conversation, *index), roomFor(conversation, 0, cap));
    if (!prompt)
        return refuse(conversation, prompt.error());
    const RunPlan plan { .prompt = std::move(*prompt), .lengthCap = cap };
    if (!fits(conversation, plan))
        return false;
    Turn& added
        = conversation.addAnswer({}, createDraft(conversation, plan), answer->parent, m_ids.next());
    start(conversation, added, plan.prompt);
    return true;
}

bool Workspace::isLoadedFrom(const std::string& checkpointFile, std::optional<uint64_t> checkpointBytes) const
{
    return m_model && checkpointBytes == m_model->description.fileBytes
        && checkpointFile == std::filesystem::path(m_model->description.path).filename().string();
}

bool Workspace::isOfThisModel(const Draft& draft) const
{
    return isLoadedFrom(draft.origin().checkpointFile, draft.origin().checkpointBytes);
}

/// The prompt and the seed of the answer's first run, from its very ids.
bool Workspace::planFromIds(Conversation& conversation, const Turn& turn, size_t index, RunPlan& plan)
{
    const Answer& answer = *turn.answer;
    const Draft& first = *answer.parts().front();
    if (!isOfThisModel(first)) {
        conversation.setProblem(Problem { Problem::Kind::NotSent, tr("Another model wrote this answer"),
            tr("It was written by %1, whose token ids mean nothing to the model that is "
               "loaded. Load that model to go on from them, regenerate the answer, or edit it as a "
               "branch.")
                .arg(QString::fromStdString(first.origin().checkpointFile)),
            {} });
        return false;
    }
    plan.prompt.ids = answer.promptIds();
    plan.prompt.ids.resize(plan.prompt.ids.size() - answer.opening().ids.size());
    plan.prompt.text = first.origin().promptText;
    takeTemplate(plan.prompt, *m_model->text, first.origin().templateFamily);
    plan.prompt.templateName = first.origin().templateName;
    plan.prompt.droppedTurnCount = size_t(first.origin().droppedTurnCount);
    plan.prompt.spans = first.origin().promptSpans;
    plan.prompt.sources = first.origin().sources;
    const PromptParts parts = partsOf(conversation, index);
    // The messages as the template was given them; not known when the texts are others by now.
    if (restsOn(parts.sources, plan.prompt.sources))
        plan.prompt.messages = templateMessages(parts, plan.prompt.droppedTurnCount);
    plan.seed = first.origin().request.sampling.seed;
    return true;
}

bool Workspace::continueAnswer(Conversation& conversation, Turn* turn, std::optional<int> cap)
{
    if (!turn)
        turn = conversation.lastAnswerTurn();
    const auto index = turn ? conversation.tree().indexOf(*turn) : std::nullopt;
    if (!index || !turn->answer || !turn->answer->mayContinue() || !mayStart(conversation))
        return false;
    Answer& answer = *turn->answer;
    RunPlan plan;
    plan.lengthCap = cap;
    if (answer.isEdited()) {
        plan.draftIds = m_model->text->tokenizer->encodeText(answer.opening().text);
        auto prompt = formatted(
            partsOf(conversation, *index), roomFor(conversation, plan.draftIds.size(), cap));
        if (!prompt)
            return refuse(conversation, prompt.error());
        plan.prompt = std::move(*prompt);
        answer.setOpeningIds(plan.draftIds);
    } else {
        if (!answer.hasDetails())
            return readDetails(
                conversation, *turn, [this, into = &conversation, cap](Turn& read) { continueAnswer(*into, &read, cap); });
        if (!planFromIds(conversation, *turn, *index, plan))
            return false;
        plan.draftIds = answer.draftIds();
    }
    if (!fits(conversation, plan))
        return false;
    conversation.addPart(*turn, createDraft(conversation, plan));
    start(conversation, *turn, plan.prompt);
    return true;
}

bool Workspace::editMessage(Conversation& conversation, Turn& message, const QString& text)
{
    const auto index = conversation.tree().indexOf(message);
    if (!index || message.answer || text.trimmed().isEmpty() || !mayStart(conversation)
        || !sourcesMayFit(conversation))
        return false;
    auto prompt = formatted(partsOf(conversation, *index, text), roomFor(conversation));
    if (!prompt)
        return refuse(conversation, prompt.error());
    const RunPlan plan { .prompt = std::move(*prompt) };
    if (!fits(conversation, plan))
        return false;
    Turn& edited = conversation.addPersonTurn(text, message.parent, m_ids.next());
    Turn& answer
        = conversation.addAnswer({}, createDraft(conversation, plan), &edited, m_ids.next());
    start(conversation, answer, plan.prompt);
    return true;
}

bool Workspace::editAnswer(Conversation& conversation, Turn& answer, const QString& text)
{
    if (!answer.answer || answer.answer->isActive())
        return false;
    conversation.addAnswer({ text.toStdString(), engine::TokenSource::Edited, {} }, nullptr,
        answer.parent, m_ids.next());
    return true;
}

bool Workspace::writeOn(Conversation& conversation, qsizetype caret)
{
    if (!mayStart(conversation))
        return false;
    const RunPlan plan { .prompt
        = formatPlainText(*m_model->text, conversation.document().left(caret)) };
    if (plan.prompt.ids.empty()) {
        conversation.setProblem(
            Problem { Problem::Kind::NotSent, tr("There is nothing to write on from"),
                tr("This model needs at least one token before the caret: type a few words first."),
                {} });
        return false;
    }
    if (!fits(conversation, plan))
        return false;
    conversation.setWritingPosition(caret);
    Turn* parent = conversation.turns().empty() ? nullptr : conversation.turns().back();
    Turn& answer
        = conversation.addAnswer({}, createDraft(conversation, plan), parent, m_ids.next());
    start(conversation, answer, plan.prompt);
    return true;
}

void Workspace::stop(Conversation& conversation)
{
    cancel(conversation, engine::CancelledBy::User);
}

void Workspace::stop(Conversation& conversation, const Turn& answer)
{
    for (const Turn* turn : conversation.activeTurns())
        if (turn == &answer)
            cancel(turn->draft()->runId(), engine::CancelledBy::User);
}

void Workspace::pause(Conversation& conversation)
{
    const Draft* draft = conversation.activeDraft();
    if (!draft || draft->state() == DraftState::Paused)
        return;
    if (m_notBegun.contains(draft->runId()))
        m_pausedEarly.insert(draft->runId());
    else
        m_client.pause(draft->runId());
}

engine::RunId Workspace::startRun(engine::GenerationRequest request)
{
    request.runId = engine::RunId(m_ids.next());
    const engine::RunId run = request.runId;
    m_client.generate(std::move(request));
    return run;
}

void Workspace::cancelRun(engine::RunId run) { m_client.cancel(run); }

void Workspace::resume(Conversation& conversation, engine::Pace pace)
{
    const Draft* draft = conversation.activeDraft();
    if (draft && draft->state() == DraftState::Paused)
        m_client.resume(draft->runId(), std::move(pace));
}

void Workspace::cancel(Conversation& conversation, engine::CancelledBy by)
{
    for (const Turn* turn : conversation.activeTurns())
        cancel(turn->draft()->runId(), by);
}

void Workspace::cancel(engine::RunId run, engine::CancelledBy by)
{
    if (m_notBegun.contains(run))
        m_cancelledEarly.insert(run);
    else
        m_client.cancel(run, by);
}

} // namespace app
