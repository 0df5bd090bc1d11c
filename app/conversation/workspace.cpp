#include "app/conversation/workspace.h"

#include "app/conversation/chat_export.h"
#include "app/conversation/chat_import.h"
#include "app/conversation/journal.h"
#include "app/conversation/stored_turns.h"
#include "app/models/file_hashes.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFileInfo>
#include <QPointer>

#include <algorithm>
#include <utility>

namespace app {

namespace {
    // A run acts on a cancel within 250 ms; a disk may be slow.
    constexpr int kCloseLimitMs = 3000;
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
    connect(&m_client, &EngineClient::scoreEvent, this, &Workspace::scoreEvent);
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

void Workspace::takeHashesFrom(FileHashes& hashes)
{
    m_hashes = &hashes;
    connect(&hashes, &FileHashes::computed, this, [this](const QString& path, const QString& digits) {
        if (m_journal && m_model && m_model->description.path == path.toStdString())
            m_journal->noteCheckpointHash(digits.toStdString());
    });
}

std::optional<std::string> Workspace::checkpointHash() const
{
    if (!m_hashes || !m_model)
        return std::nullopt;
    return m_hashes->known(QString::fromStdString(m_model->description.path));
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
    conversation->load(turnsOf(added.chat), added.chat.conversation.document.value_or(QString()),
        sourcesOf(added.chat));
    // Without a store there is nowhere to read them from when they are needed.
    for (size_t i = 0; i < added.details.size() && !m_storage; ++i) {
        StoredRunDetails& details = added.details[i];
        conversation->findTurn(added.chat.runs[i].message)
            ->answer->partOf(engine::RunId(added.chat.runs[i].id))
            ->setDetails(std::move(details.promptIds), std::move(details.promptText),
                std::move(details.tokens), std::move(details.kept));
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
        return refuse(tr("there is nothing in it."));
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
            opened->load(
                turnsOf(*chat), chat->conversation.document.value_or(QString()), sourcesOf(*chat));
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
        conversation->purge();
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

void Workspace::holdModel(Problem refusal) { m_holding = std::move(refusal); }

void Workspace::releaseModel()
{
    const std::optional<Problem> refusal = std::exchange(m_holding, std::nullopt);
    for (const auto& conversation : m_conversations)
        if (refusal && conversation->problem() == refusal)
            conversation->setProblem(std::nullopt);
}

void Workspace::applyModelEvent(const engine::ModelEvent& event)
{
    if (const auto* progress = std::get_if<engine::ModelLoadProgress>(&event)) {
        m_loadProgress = *progress;
        emit loadProgressed();
        return;
    }
    if (const auto* loaded = std::get_if<engine::ModelLoaded>(&event)) {
        m_model = *loaded;
        m_sourceTokens.clear();
        if (m_hashes)
            m_hashes->compute(QString::fromStdString(loaded->description.path));
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

void Workspace::removeTurn(Conversation& conversation, Turn& turn)
{
    for (const Turn* active : conversation.activeTurns())
        for (const Turn* step = active; step; step = step->parent)
            if (step == &turn)
                stop(conversation, *active);
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

bool Workspace::hasActiveRuns() const
{
    return std::any_of(m_conversations.begin(), m_conversations.end(),
        [](const auto& conversation) { return conversation->activeDraft(); });
}

void Workspace::close()
{
    emit closing();
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

} // namespace app
