#include "app/conversation/workspace.h"

#include "app/conversation/chat_export.h"
#include "app/conversation/chat_import.h"
#include "app/conversation/journal.h"
#include "app/conversation/prompt.h"
#include "app/conversation/stored_turns.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFileInfo>
#include <QPointer>
#include <QRandomGenerator>

#include <algorithm>
#include <filesystem>

namespace app {

namespace {
    // Random seeds stay below 2^32 so that a person can read one out and type it again.
    quint64 drawSeed() { return QRandomGenerator::system()->generate(); }

    // A run acts on a cancel within 250 ms; a disk may be slow.
    constexpr int kCloseLimitMs = 3000;

    std::chrono::sys_seconds localNow()
    {
        const QDateTime now = QDateTime::currentDateTime();
        return std::chrono::sys_seconds(
            std::chrono::seconds(now.toSecsSinceEpoch() + now.offsetFromUtc()));
    }
}

Workspace::Workspace(const EngineBackendFactory& createBackend, QObject* parent)
    : QObject(parent)
    , m_client(createBackend)
{
    m_undoTimer.setSingleShot(true);
    m_undoTimer.setInterval(kUndoMs);
    connect(&m_undoTimer, &QTimer::timeout, this, &Workspace::purgeRemoved);
    connect(&m_folders, &FolderList::removed, this, [this](FolderId id) {
        for (const auto* owned : { &m_conversations, &m_removed })
            for (const auto& conversation : *owned)
                if (conversation->folder() == id)
                    conversation->setFolder(0);
    });
    connect(&m_client, &EngineClient::runEvents, this, &Workspace::applyRunEvents);
    connect(&m_client, &EngineClient::modelEvent, this, &Workspace::applyModelEvent);
}

Workspace::~Workspace() = default;

void Workspace::keepIn(Storage& storage)
{
    m_storage = &storage;
    m_journal = std::make_unique<Journal>(storage);
    m_folders.keepIn(storage);
    for (const auto& conversation : m_conversations)
        m_journal->watch(*conversation);
    connect(&storage, &Storage::opened, this, &Workspace::takeIndex);
}

void Workspace::takeIndex(const StoredIndex& index, const StoreOpening& opening)
{
    m_ids.skipTo(index.largestId);
    m_folders.load(index.folders);
    if (!opening.isReadOnly)
        m_journal->purge(); // what was removed just before the program ended last time
    // Last changed comes first in the index; what is added last comes first in the list.
    for (auto summary = index.conversations.rbegin(); summary != index.conversations.rend();
         ++summary)
        adopt(std::make_unique<Conversation>(*summary));
    emit storeOpened(opening, index.interruptedCount);
}

Conversation& Workspace::addConversation(ConversationKind kind, bool isPrivate)
{
    auto added = std::make_unique<Conversation>(kind, m_defaultSettings);
    added->setId(m_ids.next());
    added->setPrivate(isPrivate);
    adopt(std::move(added));
    return *m_conversations.back();
}

Conversation& Workspace::addConversation(const ChatFile& file)
{
    ChatFile added = withNewIds(file, m_ids);
    added.chat.conversation.folder = m_folders.add(added.folderName);
    if (m_storage)
        m_storage->write(changesOf(added));
    auto conversation = std::make_unique<Conversation>(summaryOf(added));
    conversation->load(turnsOf(added.chat), added.chat.conversation.document.value_or(QString()));
    // Without a store there is nowhere to read them from when they are needed.
    for (size_t i = 0; i < added.details.size() && !m_storage; ++i) {
        StoredRunDetails& details = added.details[i];
        conversation->findTurn(added.chat.runs[i].message)
            ->answer->partOf(engine::RunId(added.chat.runs[i].id))
            ->setDetails(std::move(details.promptIds), std::move(details.promptText),
                std::move(details.tokens));
    }
    adopt(std::move(conversation));
    return *m_conversations.back();
}

void Workspace::readWhole(
    Conversation& conversation, std::function<void(engine::Result<ChatFile>)> answer)
{
    const auto refuse
        = [&](const QString& why) { answer(engine::Error::badRequest(why.toStdString())); };
    if (!m_storage || conversation.isPrivate())
        return refuse(tr("it is not kept on the disk. As Markdown it can be exported."));
    if (m_storage->trouble())
        return refuse(tr("conversations cannot be saved at the moment, so that the file would not "
                         "be whole. As Markdown it can be exported."));
    if (conversation.isEmpty())
        return refuse(tr("nothing has been said in it."));
    m_journal->flush();
    readChatFile(
        *m_storage, conversation.id(), m_folders.nameOf(conversation.folder()), std::move(answer));
}

void Workspace::adopt(std::unique_ptr<Conversation> conversation)
{
    m_conversations.push_back(std::move(conversation));
    Conversation& added = *m_conversations.back();
    connect(&added, &Conversation::settingsChanged, this, [this, &added] { checkTemplate(added); });
    if (m_journal)
        m_journal->watch(added);
    checkTemplate(added);
    emit conversationAdded(&added);
}

void Workspace::openConversation(Conversation& conversation)
{
    if (conversation.isLoaded() || !m_storage)
        return;
    m_storage->readChat(conversation.id(),
        [this, opened = QPointer(&conversation)](engine::Result<StoredChat> chat) {
            if (!opened || opened->isLoaded())
                return;
            if (!chat) {
                opened->setProblem(
                    Problem { Problem::Kind::NotSent, tr("The conversation could not be read"),
                        QString::fromStdString(chat.error().message), {} });
                return;
            }
            opened->load(turnsOf(*chat), chat->conversation.document.value_or(QString()));
        });
}

void Workspace::checkTemplate(Conversation& conversation)
{
    const bool hasProblem
        = conversation.problem() && conversation.problem()->kind == Problem::Kind::TemplateUnusable;
    const bool unusable = conversation.kind() == ConversationKind::Chat && m_model
        && !m_model->text->offer.usable() && !conversation.settings().family;
    if (unusable && !conversation.problem())
        refuse(conversation,
            engine::Error::badTemplate(m_model->text->offer.problem
                + " Choose a chat format by name on the right, or open a plain-text page "
                  "instead."));
    else if (hasProblem && !unusable)
        conversation.setProblem(std::nullopt);
}

void Workspace::removeConversation(Conversation& conversation)
{
    const auto found = std::find_if(m_conversations.begin(), m_conversations.end(),
        [&](const auto& owned) { return owned.get() == &conversation; });
    if (found == m_conversations.end())
        return;
    stop(conversation);
    emit conversationAboutToBeRemoved(&conversation);
    m_removed.push_back(std::move(*found));
    m_conversations.erase(found);
    conversation.setDeletedAt(QDateTime::currentDateTimeUtc());
    m_undoTimer.start();
    if (m_journal)
        m_journal->noteDeleted(conversation);
}

Conversation* Workspace::findConversation(ConversationId id) const
{
    for (const auto& conversation : m_conversations)
        if (conversation->id() == id)
            return conversation.get();
    return nullptr;
}

Conversation* Workspace::lastRemoved() const
{
    return m_removed.empty() ? nullptr : m_removed.back().get();
}

void Workspace::restoreConversation(Conversation& conversation)
{
    const auto found = std::find_if(m_removed.begin(), m_removed.end(),
        [&](const auto& owned) { return owned.get() == &conversation; });
    if (found == m_removed.end())
        return;
    conversation.setDeletedAt(std::nullopt);
    m_conversations.push_back(std::move(*found));
    m_removed.erase(found);
    if (m_journal)
        m_journal->noteDeleted(conversation);
    emit conversationAdded(&conversation);
}

void Workspace::purgeRemoved()
{
    for (const auto& conversation : m_conversations)
        conversation->purgeTurns();
    std::erase_if(m_removed, [](const auto& removed) { return !removed->activeDraft(); });
    if (m_journal)
        m_journal->purge();
}

void Workspace::loadModel(engine::ModelLoadRequest request)
{
    if (m_modelState == ModelState::Loading)
        m_client.cancelLoad();
    m_loadRequest = request;
    m_loadProgress = {};
    m_modelProblem.reset();
    m_modelState = ModelState::Loading;
    m_client.load(std::move(request));
    emit modelChanged();
}

void Workspace::cancelLoad()
{
    if (m_modelState == ModelState::Loading)
        m_client.cancelLoad();
}

void Workspace::unloadModel() { m_client.unload(); }

void Workspace::applyModelEvent(const engine::ModelEvent& event)
{
    if (const auto* progress = std::get_if<engine::ModelLoadProgress>(&event)) {
        m_loadProgress = *progress;
        emit loadProgressed();
        return;
    }
    if (const auto* loaded = std::get_if<engine::ModelLoaded>(&event)) {
        m_model = *loaded;
        m_vocabularyHash = std::async(std::launch::async, [text = loaded->text] {
            return text && text->tokenizer ? vocabularySha256(text->tokenizer->vocabulary())
                                           : std::string();
        });
        // A load that was overtaken by a newer request leaves the newer one loading.
        if (loaded->description.path == m_loadRequest.path)
            m_modelState = ModelState::Ready;
        for (const auto& conversation : m_conversations)
            if (conversation->problem() && conversation->problem()->kind != Problem::Kind::NotSent)
                conversation->setProblem(std::nullopt);
        for (const auto& conversation : m_conversations)
            checkTemplate(*conversation);
    } else if (const auto* failed = std::get_if<engine::ModelLoadFailed>(&event)) {
        if (failed->request != m_loadRequest)
            return;
        m_model.reset();
        m_modelState = ModelState::None;
        if (failed->error.code != engine::ErrorCode::Cancelled)
            m_modelProblem = Problem { Problem::Kind::LoadFailed,
                tr("%1 could not be loaded")
                    .arg(QFileInfo(QString::fromStdString(failed->request.path)).fileName()),
                QString::fromStdString(failed->error.message),
                tr("File: %1\nError: %2")
                    .arg(QString::fromStdString(failed->request.path),
                        QString::fromLatin1(engine::errorCodeName(failed->error.code))) };
    } else if (std::holds_alternative<engine::ModelUnloaded>(event)) {
        m_model.reset();
        if (m_modelState == ModelState::Ready)
            m_modelState = ModelState::None;
    }
    emit modelChanged();
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
    for (const engine::GenerationEvent& event : events)
        if (!applyTo(m_conversations, event))
            applyTo(m_removed, event);
    for (const auto& conversation : m_conversations)
        conversation->announceChanges();
}

bool Workspace::mayStart(Conversation& conversation)
{
    if (conversation.activeDraft() || !conversation.isLoaded())
        return false;
    conversation.setProblem(std::nullopt);
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

bool Workspace::refuse(Conversation& conversation, const engine::Error& error)
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
    conversation.setProblem(problem);
    return false;
}

bool Workspace::fits(Conversation& conversation, const RunPlan& plan)
{
    const auto contextLength = size_t(std::max(0, m_model->description.contextLength));
    const size_t promptTokens = plan.prompt.ids.size() + plan.draftIds.size();
    if (promptTokens < contextLength)
        return true;
    const QString words
        = tr("The prompt has %L1 tokens and the context holds %L2, so nothing could be written. "
             "Raise the context length on the right (this model was trained with %L3), "
             "start a new chat, or shorten the message.")
              .arg(promptTokens)
              .arg(contextLength)
              .arg(m_model->description.trainedContextLength);
    conversation.setProblem(Problem { Problem::Kind::ContextFull, tr("The context is too small"),
        plan.prompt.droppedTurnCount > 0
            ? tr("%1 Every earlier message has been left out already.").arg(words)
            : words,
        {} });
    return false;
}

engine::Result<FormattedPrompt> Workspace::formatted(const Conversation& conversation,
    const PromptExtent& extent, size_t draftTokenCount, std::optional<int> cap) const
{
    PromptRoom room;
    room.contextLength = size_t(std::max(0, m_model->description.contextLength));
    room.draftTokenCount = draftTokenCount;
    room.lengthCap = size_t(cap.value_or(conversation.settings().lengthCap));
    return formatToFit(*m_model->text, conversation, extent, room, localNow());
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
    const ChatSettings& settings = conversation.settings();
    const engine::ModelDescription& model = m_model->description;
    DraftOrigin origin;
    engine::GenerationRequest& request = origin.request;
    request.runId = engine::RunId(m_ids.next());
    request.promptIds = plan.prompt.ids;
    request.promptIds.insert(request.promptIds.end(), plan.draftIds.begin(), plan.draftIds.end());
    request.draftTokenCount = int(plan.draftIds.size());
    request.sampling = settings.sampling;
    request.sampling.seed = plan.seed ? *plan.seed : settings.fixedSeed.value_or(drawSeed());
    request.lengthCap = plan.lengthCap.value_or(settings.lengthCap);
    for (const QString& stop : settings.stopStrings)
        request.stopStrings.push_back(stop.toStdString());
    request.ignoreEndTokens = settings.ignoreEndTokens;
    request.timeCapMs = settings.timeCapMs;
    if (settings.guardsAgainstRepetition)
        request.repetitionGuard = kRepetitionLimits;
    origin.modelName = model.name;
    origin.checkpointFile = std::filesystem::path(model.path).filename().string();
    origin.checkpointBytes = model.fileBytes;
    origin.deviceName = model.device.name;
    origin.promptText = plan.prompt.text;
    origin.droppedTurnCount = int(plan.prompt.droppedTurnCount);
    origin.templateName = plan.prompt.templateName;
    origin.modelText = m_model->text;
    return std::make_unique<Draft>(std::move(origin));
}

/// The draft is in its turn: the run begins as soon as both are safe.
void Workspace::start(
    const Conversation& conversation, const Turn& turn, const FormattedPrompt& prompt)
{
    const engine::GenerationRequest& request = turn.draft()->origin().request;
    if (!m_journal)
        return m_client.generate(request);
    RunOpening opening;
    opening.model = m_model->description;
    opening.text = m_model->text.get();
    opening.request = request;
    opening.messages = prompt.messages;
    opening.promptText = prompt.text;
    if (conversation.kind() == ConversationKind::Chat)
        opening.contextPolicy = contextPolicyName(conversation.settings().contextPolicy);
    opening.droppedMessageCount = int(prompt.droppedTurnCount);
    opening.templateFamily = prompt.templateFamily;
    opening.templateSource = prompt.templateSource;
    opening.startedBy = "person";
    if (m_vocabularyHash.valid())
        opening.vocabularyHash = m_vocabularyHash.get();
    m_journal->openRun(conversation, turn, std::move(opening), [this, request] {
        m_client.generate(request);
        if (m_cancelledEarly.erase(request.runId))
            m_client.cancel(request.runId);
    });
}

bool Workspace::send(Conversation& conversation, const QString& text, const QString& opening)
{
    if (text.trimmed().isEmpty() || !mayStart(conversation))
        return false;
    AnswerOpening typed { opening.toStdString(), engine::TokenSource::Typed, {} };
    if (!opening.isEmpty())
        typed.ids = m_model->text->tokenizer->encodeText(typed.text);
    auto prompt = formatted(conversation, { 0, conversation.turnCount(), text }, typed.ids.size());
    if (!prompt)
        return refuse(conversation, prompt.error());
    const RunPlan plan { std::move(*prompt), typed.ids, {}, {} };
    if (!fits(conversation, plan))
        return false;
    Turn* parent = conversation.turns().empty() ? nullptr : conversation.turns().back();
    Turn& message = conversation.addPersonTurn(text, parent, m_ids.next());
    Turn& answer = conversation.addAnswer(
        std::move(typed), createDraft(conversation, plan), &message, m_ids.next());
    start(conversation, answer, plan.prompt);
    return true;
}

bool Workspace::regenerate(Conversation& conversation, Turn* answer, std::optional<int> cap)
{
    if (!answer)
        answer = conversation.lastAnswerTurn();
    const auto index = answer ? conversation.tree().indexOf(*answer) : std::nullopt;
    if (!index || !answer->answer || !mayStart(conversation))
        return false;
    auto prompt = formatted(conversation, { 0, *index, {} }, 0, cap);
    if (!prompt)
        return refuse(conversation, prompt.error());
    const RunPlan plan { std::move(*prompt), {}, cap, {} };
    if (!fits(conversation, plan))
        return false;
    Turn& added
        = conversation.addAnswer({}, createDraft(conversation, plan), answer->parent, m_ids.next());
    start(conversation, added, plan.prompt);
    return true;
}

bool Workspace::isOfThisModel(const Draft& draft) const
{
    const engine::ModelDescription& model = m_model->description;
    return draft.origin().checkpointBytes == model.fileBytes
        && draft.origin().checkpointFile == std::filesystem::path(model.path).filename().string();
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
        auto prompt = formatted(conversation, { 0, *index, {} }, plan.draftIds.size(), cap);
        if (!prompt)
            return refuse(conversation, prompt.error());
        plan.prompt = std::move(*prompt);
        answer.setOpeningIds(plan.draftIds);
    } else {
        const Draft& first = *answer.parts().front();
        if (!isOfThisModel(first)) {
            conversation.setProblem(Problem { Problem::Kind::NotSent,
                tr("Another model wrote this answer"),
                tr("It was written by %1, whose token ids mean nothing to the model that is "
                   "loaded. Load that model to continue, regenerate the answer, or edit it as a "
                   "branch.")
                    .arg(QString::fromStdString(first.origin().checkpointFile)),
                {} });
            return false;
        }
        if (!answer.hasDetails())
            return readDetails(conversation, *turn, cap);
        plan.prompt.ids = answer.promptIds();
        plan.prompt.ids.resize(plan.prompt.ids.size() - answer.opening().ids.size());
        plan.prompt.text = first.origin().promptText;
        plan.prompt.templateName = first.origin().templateName;
        plan.prompt.droppedTurnCount = size_t(first.origin().droppedTurnCount);
        plan.prompt.messages
            = templateMessages(conversation, { plan.prompt.droppedTurnCount, *index, {} });
        plan.draftIds = answer.draftIds();
        plan.seed = first.origin().request.sampling.seed;
    }
    if (!fits(conversation, plan))
        return false;
    conversation.addPart(*turn, createDraft(conversation, plan));
    start(conversation, *turn, plan.prompt);
    return true;
}

/// Reads the ids of the parts and then continues.
bool Workspace::readDetails(Conversation& conversation, Turn& turn, std::optional<int> cap)
{
    if (!m_storage)
        return false;
    for (const auto& part : turn.answer->parts()) {
        if (part->hasDetails())
            continue;
        m_storage->readRun(StoredRunId(part->runId()),
            [this, cap, id = part->runId(), turnId = turn.id, into = QPointer(&conversation)](
                engine::Result<StoredRunDetails> details) {
                Turn* read = into ? into->findTurn(turnId) : nullptr;
                Draft* draft = read ? read->answer->partOf(id) : nullptr;
                if (!draft)
                    return;
                if (!details) {
                    refuse(*into, details.error());
                    return;
                }
                draft->setDetails(std::move(details->promptIds), std::move(details->promptText),
                    std::move(details->tokens));
                into->announceDetails(*read);
                if (read->answer->hasDetails())
                    continueAnswer(*into, read, cap);
            });
    }
    return true;
}

bool Workspace::editMessage(Conversation& conversation, Turn& message, const QString& text)
{
    const auto index = conversation.tree().indexOf(message);
    if (!index || message.answer || text.trimmed().isEmpty() || !mayStart(conversation))
        return false;
    auto prompt = formatted(conversation, { 0, *index, text });
    if (!prompt)
        return refuse(conversation, prompt.error());
    const RunPlan plan { std::move(*prompt), {}, {}, {} };
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

void Workspace::removeTurn(Conversation& conversation, Turn& turn)
{
    for (const Turn* active = conversation.activeTurn(); active; active = active->parent)
        if (active == &turn)
            stop(conversation);
    conversation.setTurnDeleted(turn, true);
    m_undoTimer.start();
    if (m_journal)
        m_journal->noteDeleted(conversation, turn);
}

void Workspace::restoreTurn(Conversation& conversation, Turn& turn)
{
    conversation.setTurnDeleted(turn, false);
    if (m_journal)
        m_journal->noteDeleted(conversation, turn);
}

bool Workspace::writeOn(Conversation& conversation, qsizetype caret)
{
    if (!mayStart(conversation))
        return false;
    const RunPlan plan { formatPlainText(*m_model->text, conversation.document().left(caret)), {},
        {}, {} };
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

void Workspace::cancel(Conversation& conversation, engine::CancelledBy by)
{
    const Draft* draft = conversation.activeDraft();
    if (!draft)
        return;
    if (m_journal && m_journal->isWaiting(draft->runId()))
        m_cancelledEarly.insert(draft->runId());
    else
        m_client.cancel(draft->runId(), by);
}

bool Workspace::hasActiveRuns() const
{
    return std::any_of(m_conversations.begin(), m_conversations.end(),
        [](const auto& conversation) { return conversation->activeDraft(); });
}

void Workspace::close()
{
    for (const auto& conversation : m_conversations)
        cancel(*conversation, engine::CancelledBy::Closing);
    const QDeadlineTimer limit(kCloseLimitMs);
    while (hasActiveRuns() && !limit.hasExpired())
        QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
    purgeRemoved();
    if (m_journal)
        m_journal->flush();
    if (m_storage)
        m_storage->flush(kCloseLimitMs);
}

std::optional<int> Workspace::countTokens(const QString& text) const
{
    if (!m_model)
        return std::nullopt;
    return int(m_model->text->tokenizer->encodeText(text.toStdString()).size());
}

} // namespace app
