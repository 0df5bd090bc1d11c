#pragma once

#include "app/conversation/conversation.h"
#include "app/conversation/prompt.h"
#include "app/engine_client.h"

#include <memory>
#include <optional>
#include <vector>

namespace app {

/// What the window may do with a model at this moment.
enum class ModelState { None, Loading, Ready };

/// Everything that is open in one window: the conversations, the loaded model, and the engine that
/// serves them. It formats prompts, starts and stops runs, and routes events to their drafts.
/// What cannot be sent becomes a Problem of its conversation, in words. GUI thread.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(const EngineBackendFactory& createBackend, QObject* parent = nullptr);
    ~Workspace() override;

    const std::vector<std::unique_ptr<Conversation>>& conversations() const
    {
        return m_conversations;
    }
    /// Newest first in the list; starts with the default settings.
    Conversation& addConversation(ConversationKind kind);
    /// Stops its run first.
    void removeConversation(Conversation& conversation);
    const ChatSettings& defaultSettings() const { return m_defaultSettings; }
    void setDefaultSettings(ChatSettings settings) { m_defaultSettings = std::move(settings); }

    ModelState modelState() const { return m_modelState; }
    const std::optional<engine::ModelLoaded>& model() const { return m_model; }
    const engine::ModelLoadProgress& loadProgress() const { return m_loadProgress; }
    const engine::ModelLoadRequest& loadRequest() const { return m_loadRequest; }
    /// Why the last load failed; none when it did not.
    const std::optional<Problem>& modelProblem() const { return m_modelProblem; }
    void loadModel(engine::ModelLoadRequest request);
    void cancelLoad();
    void unloadModel();

    /// Adds the message and starts an answer. False when it could not be sent: the conversation's
    /// problem says why, and nothing was added.
    bool send(Conversation& conversation, const QString& text);
    /// Starts another draft of the last answer.
    bool regenerate(Conversation& conversation);
    /// Plain text: writes on from this position of the document.
    bool writeOn(Conversation& conversation, qsizetype caret);
    void stop(Conversation& conversation);

    /// Tokens of text as a person types it; none without a model.
    std::optional<int> countTokens(const QString& text) const;

signals:
    void conversationAdded(app::Conversation* conversation);
    void conversationAboutToBeRemoved(app::Conversation* conversation);
    void modelChanged();
    void loadProgressed();

private:
    void applyRunEvents(const std::vector<engine::GenerationEvent>& events);
    void applyModelEvent(const engine::ModelEvent& event);
    void checkTemplate(Conversation& conversation);
    bool mayStart(Conversation& conversation);
    bool refuse(Conversation& conversation, const engine::Error& error);
    bool fits(Conversation& conversation, size_t promptTokens);
    std::unique_ptr<Draft> startRun(const Conversation& conversation, FormattedPrompt prompt);

    std::vector<std::unique_ptr<Conversation>> m_conversations;
    ChatSettings m_defaultSettings;
    ModelState m_modelState = ModelState::None;
    std::optional<engine::ModelLoaded> m_model;
    engine::ModelLoadProgress m_loadProgress;
    engine::ModelLoadRequest m_loadRequest;
    std::optional<Problem> m_modelProblem;
    engine::RunId m_lastRunId = 0;
    EngineClient m_client; // last: no event may arrive while the rest is torn down
};

} // namespace app
