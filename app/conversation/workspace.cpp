#include "app/conversation/workspace.h"

#include "app/conversation/prompt.h"

#include <QFileInfo>
#include <QRandomGenerator>

#include <algorithm>

namespace app {

namespace {
    // Random seeds stay below 2^32 so that a person can read one out and type it again.
    quint64 drawSeed() { return QRandomGenerator::system()->generate(); }

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
    connect(&m_client, &EngineClient::runEvents, this, &Workspace::applyRunEvents);
    connect(&m_client, &EngineClient::modelEvent, this, &Workspace::applyModelEvent);
}

Workspace::~Workspace() = default;

Conversation& Workspace::addConversation(ConversationKind kind)
{
    m_conversations.push_back(std::make_unique<Conversation>(kind, m_defaultSettings));
    Conversation& added = *m_conversations.back();
    connect(&added, &Conversation::settingsChanged, this, [this, &added] { checkTemplate(added); });
    checkTemplate(added);
    emit conversationAdded(&added);
    return added;
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
    m_conversations.erase(found);
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
    for (const engine::GenerationEvent& event : events)
        for (const auto& conversation : m_conversations)
            if (conversation->apply(event))
                break;
    for (const auto& conversation : m_conversations)
        conversation->announceChanges();
}

bool Workspace::mayStart(Conversation& conversation)
{
    if (conversation.activeDraft())
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

bool Workspace::fits(Conversation& conversation, size_t promptTokens)
{
    const auto contextLength = size_t(std::max(0, m_model->description.contextLength));
    if (promptTokens < contextLength)
        return true;
    conversation.setProblem(Problem { Problem::Kind::NotSent, tr("The context is too small"),
        tr("The prompt has %L1 tokens and the context holds %L2, so nothing could be written. "
           "Raise the context length on the right (this model was trained with %L3), "
           "start a new chat, or shorten the message.")
            .arg(promptTokens)
            .arg(contextLength)
            .arg(m_model->description.trainedContextLength),
        {} });
    return false;
}

std::unique_ptr<Draft> Workspace::startRun(const Conversation& conversation, FormattedPrompt prompt)
{
    const ChatSettings& settings = conversation.settings();
    DraftOrigin origin;
    engine::GenerationRequest& request = origin.request;
    request.runId = ++m_lastRunId;
    request.promptIds = std::move(prompt.ids);
    request.sampling = settings.sampling;
    request.sampling.seed = settings.fixedSeed.value_or(drawSeed());
    request.lengthCap = settings.lengthCap;
    for (const QString& stop : settings.stopStrings)
        request.stopStrings.push_back(stop.toStdString());
    request.ignoreEndTokens = settings.ignoreEndTokens;
    request.timeCapMs = settings.timeCapMs;
    if (settings.guardsAgainstRepetition)
        request.repetitionGuard = kRepetitionLimits;
    origin.modelName = m_model->description.name;
    origin.deviceName = m_model->description.device.name;
    origin.promptText = std::move(prompt.text);
    origin.templateName = std::move(prompt.templateName);
    origin.modelText = m_model->text;
    m_client.generate(request);
    return std::make_unique<Draft>(std::move(origin));
}

bool Workspace::send(Conversation& conversation, const QString& text)
{
    if (text.trimmed().isEmpty() || !mayStart(conversation))
        return false;
    auto prompt
        = formatChat(*m_model->text, conversation, conversation.turnCount(), text, localNow());
    if (!prompt)
        return refuse(conversation, prompt.error());
    if (!fits(conversation, prompt->ids.size()))
        return false;
    conversation.addPersonTurn(text);
    conversation.addDraft(startRun(conversation, std::move(*prompt)));
    return true;
}

bool Workspace::regenerate(Conversation& conversation)
{
    if (!conversation.lastDraft() || !mayStart(conversation))
        return false;
    auto prompt
        = formatChat(*m_model->text, conversation, conversation.turnCount() - 1, {}, localNow());
    if (!prompt)
        return refuse(conversation, prompt.error());
    if (!fits(conversation, prompt->ids.size()))
        return false;
    conversation.addSibling(startRun(conversation, std::move(*prompt)));
    return true;
}

bool Workspace::writeOn(Conversation& conversation, qsizetype caret)
{
    if (!mayStart(conversation))
        return false;
    FormattedPrompt prompt = formatPlainText(*m_model->text, conversation.document().left(caret));
    if (prompt.ids.empty()) {
        conversation.setProblem(
            Problem { Problem::Kind::NotSent, tr("There is nothing to write on from"),
                tr("This model needs at least one token before the caret: type a few words first."),
                {} });
        return false;
    }
    if (!fits(conversation, prompt.ids.size()))
        return false;
    conversation.setWritingPosition(caret);
    conversation.addDraft(startRun(conversation, std::move(prompt)));
    return true;
}

void Workspace::stop(Conversation& conversation)
{
    if (const Draft* draft = conversation.activeDraft())
        m_client.cancel(draft->runId());
}

std::optional<int> Workspace::countTokens(const QString& text) const
{
    if (!m_model)
        return std::nullopt;
    return int(m_model->text->tokenizer->encodeText(text.toStdString()).size());
}

} // namespace app
