#pragma once

#include "app/conversation/chat_file.h"
#include "app/conversation/conversation.h"
#include "app/conversation/folder_list.h"
#include "app/conversation/id_source.h"
#include "app/conversation/prompt_measure.h"
#include "app/conversation/run_grid.h"
#include "app/engine_client.h"

#include <QTimer>

#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <set>
#include <variant>
#include <vector>

namespace app {

class FileHashes;
class Journal;
class Storage;
struct StoreOpening;

/// What the window may do with a model at this moment.
enum class ModelState { None, Loading, Ready };

/// Goes on with any token but this one.
struct BanChoice {
    engine::TokenId id = 0;
    bool isInChat = false; ///< in all of the chat from now on; else in this one step
};

/// What a fork goes on with: a token, a text that a person typed, or whatever is not banned.
using ForkChoice = std::variant<engine::TokenId, QString, BanChoice>;

/// A message before it is sent.
struct Sending {
    QString text;
    QString opening; ///< the answer begins with it, if it is not empty
    std::optional<uint64_t> seed; ///< none: the settings' one, else one is drawn
};

/// Everything that is open in one window: the conversations, the loaded model, and the engine that
/// serves them. It formats prompts, starts and stops runs, and routes events to their drafts.
/// What cannot be sent becomes a Problem of its conversation, in words. GUI thread.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(const EngineBackendFactory& createBackend, QObject* parent = nullptr);
    ~Workspace() override;

    /// Keeps conversations in this store, which must outlive the workspace, and shows what is
    /// there. Without one they end with the program.
    void keepIn(Storage& storage);

    /// Takes the SHA-256 of loaded model files from here, which must outlive the workspace. Without
    /// it, records do not have them.
    void takeHashesFrom(FileHashes& hashes);

    /// Without deleted ones.
    const std::vector<std::unique_ptr<Conversation>>& conversations() const
    {
        return m_conversations;
    }
    /// Newest first in the list; starts with the default settings.
    Conversation& addConversation(ConversationKind kind, bool isPrivate = false);
    /// One that was read from a file: it gets numbers of its own and replaces nothing.
    Conversation& addConversation(const ChatFile& file);
    /// Everything that is kept of a conversation; the answer may come later. Error BadRequest when
    /// it is not kept, or what is kept is not all.
    void readWhole(
        Conversation& conversation, std::function<void(engine::Result<ChatFile>)> answer);
    /// Reads the turns of a stored conversation, unless they are there; it says when it has loaded.
    void openConversation(Conversation& conversation);
    /// Stops its run and takes it out of view. Until the next purge it may be brought back.
    void removeConversation(Conversation& conversation);
    /// The conversation removed last; null when there is none to bring back.
    Conversation* lastRemoved() const;
    void restoreConversation(Conversation& conversation);
    /// What was removed is gone for good, from the disk too. Happens by itself kUndoMs after the
    /// last removal, and when the program ends.
    void purgeRemoved();
    static constexpr int kUndoMs = 60'000;
    FolderList& folders() { return m_folders; }
    /// The conversation of this number; null when there is none, or it was removed.
    Conversation* findConversation(ConversationId id) const;
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
    /// From now on only who holds the model begins runs in conversations: models are loaded one
    /// after another. Who else asks is told refusal.
    void holdModel(Problem refusal);
    void releaseModel();
    bool isModelHeld() const { return m_holding.has_value(); }

    /// Adds the message and starts an answer, which begins with opening if that is not empty.
    /// False when it could not be sent: the conversation's problem says why, nothing was added.
    bool send(Conversation& conversation, const QString& text, const QString& opening = {});
    /// The record that the run of this message would open now, with nothing sent. None: the
    /// conversation's problem says why.
    std::optional<RunRecord> recordAhead(Conversation& conversation, const Sending& sending);
    /// Sends it as the run that a worksheet planned; the record that was opened.
    std::optional<RunRecord> sendPlanned(Conversation& conversation, const Sending& sending);
    /// Another answer beside this one (null: the last). cap: instead of the settings' one.
    bool regenerate(
        Conversation& conversation, Turn* answer = nullptr, std::optional<int> cap = {});
    /// Writes on in this answer (null: the last), from its very ids. True when it begins, or will
    /// when the ids have been read.
    bool continueAnswer(
        Conversation& conversation, Turn* answer = nullptr, std::optional<int> cap = {});
    /// Reads the ids of an answer of an earlier start, unless they are there; the conversation
    /// tells when they have come.
    void readAnswerDetails(Conversation& conversation, Turn& answer);
    /// Likewise; then is called once they are there, at once where they are. False when nobody can
    /// read them.
    bool readAnswerDetails(
        Conversation& conversation, Turn& answer, std::function<void(Turn&)> then);
    /// Reads the scores of every token of the vocabulary after this prefix, with the loaded model (there must be one).
    /// scoreEvent tells; the answer under way waits for it between two tokens.
    engine::ScoreReadId readScores(engine::TokenIds prefix);
    void cancelScores(engine::ScoreReadId id);
    /// Of the loaded model, as the run record has it; "" without one. The first time it may take a while.
    QString vocabularyHash() const;
    /// SHA-256 of the loaded model's file; none without one, or while it is not known.
    std::optional<std::string> checkpointHash() const;
    /// Whether a model is loaded, from a file of this name and size. None: unknown, which no file has.
    bool isLoadedFrom(const std::string& checkpointFile, std::optional<uint64_t> checkpointBytes) const;
    /// Whether the loaded model wrote it.
    bool isOfThisModel(const Draft& draft) const;
    /// Another answer beside this one, which keeps its tokens before this one (counted from the answer's start), goes on
    /// with those of choice instead of it (none, where choice is a ban), and then as the model likes, with the same seed. What is kept comes from the KV
    /// cache. True when it begins, or will when the ids have been read.
    bool fork(Conversation& conversation, Turn& answer, int tokenIndex, ForkChoice choice);
    /// The same, to see whether that one token makes the difference: everything else, the settings
    /// too, is as in the run that wrote the answer last.
    bool swapToken(Conversation& conversation, Turn& answer, int tokenIndex, engine::TokenId id);
    /// Another answer beside this one, which keeps all its tokens and goes on from them under other
    /// stop settings; everything else is as in its last run, whose new tokens the cap counts. The
    /// wish must let it go on (whatIfStops).
    bool extend(Conversation& conversation, Turn& answer, const StopWish& wish);
    /// Answers beside this one, which must be shown: all begin together and are written side by
    /// side. What cannot be formatted is a problem of its cell alone. started is called once they
    /// are in the conversation, and not when none could begin: then the conversation's problem says
    /// why. False when that is known at once. The answer stays the shown one.
    bool startTogether(Conversation& conversation, Turn& answer, std::vector<RunVariant> variants,
        std::function<void(const StartedGrid&)> started = {}, const GridOrder& order = {});
    /// Another message beside a person's, and an answer to it.
    bool editMessage(Conversation& conversation, Turn& message, const QString& text);
    /// Another answer beside this one, as a person wants it.
    bool editAnswer(Conversation& conversation, Turn& answer, const QString& text);
    /// Takes a turn and what follows it out of view; it may be brought back until the next purge.
    void removeTurn(Conversation& conversation, Turn& turn);
    void restoreTurn(Conversation& conversation, Turn& turn);
    /// Plain text: writes on from this position of the document.
    bool writeOn(Conversation& conversation, qsizetype caret);
    /// Ends every run of the conversation.
    void stop(Conversation& conversation);
    /// Ends the run that writes this answer, if one does.
    void stop(Conversation& conversation, const Turn& answer);
    /// The answer under way pauses before its next token.
    void pause(Conversation& conversation);
    /// Lets a paused answer go on.
    void resume(Conversation& conversation, engine::Pace pace);

    /// Adds what was read to the texts of a chat. False when some were refused: the conversation's
    /// problem says which and why.
    bool addSources(
        Conversation& conversation, const std::vector<engine::Result<SourceText>>& sources);
    /// Until the next purge it may be brought back.
    void removeSource(Conversation& conversation, SourceId id);
    void restoreSource(Conversation& conversation, SourceId id);
    /// Tokens of a source text by itself, once they have been counted for the loaded model.
    std::optional<int> knownTokens(const SourceText& source) const;

    bool hasActiveRuns() const;
    /// A run of no conversation, which is kept nowhere: its events come as otherRunEvents. There must
    /// be a model.
    engine::RunId startRun(engine::GenerationRequest request);
    void cancelRun(engine::RunId run);

    /// Stops every run because the program ends, and writes down what there is: waits for both.
    void close();

    /// For measurePrompt, of this text to be sent; none without a model and in plain text.
    std::optional<MeasureRequest> measureRequest(
        const Conversation& conversation, const QString& text) const;
    /// Remembers what was counted, unless another model is loaded by now.
    void noteSourceTokens(const MeasuredPrompt& measured);
    /// Tokens of text by itself; none without a model.
    std::optional<int> countTokens(const QString& text) const;

signals:
    void conversationAdded(app::Conversation* conversation);
    void conversationAboutToBeRemoved(app::Conversation* conversation);
    void modelChanged();
    void loadProgressed();
    /// The program ends: every run is about to be stopped.
    void closing();
    void scoreEvent(const engine::ScoreEvent& event);
    /// Of runs that belong to no conversation.
    void otherRunEvents(const std::vector<engine::GenerationEvent>& events);
    /// More is known of the tokens of source texts.
    void sourcesCounted();
    /// The store has been read (or could not be).
    void storeOpened(const app::StoreOpening& opening, int interruptedCount);

private:
    /// A run to be: what it reads and what it writes on.
    struct RunPlan {
        FormattedPrompt prompt; ///< ids without those of the draft
        engine::TokenIds draftIds; ///< that are written on
        KeptTokens kept; ///< what is known of them, in a fork
        engine::TokenIds forcedIds; ///< the first new tokens, whatever the model would choose
        engine::TokenIds bannedFirstIds; ///< not to be the first new token
        std::optional<int> lengthCap;
        std::optional<uint64_t> seed;
        std::optional<GridPlace> grid;
        const char* startedBy = nullptr; ///< null: a person, or the grid it is of
    };
    /// A cell of a grid before its run: what it is made of, or why it cannot be.
    struct CellPlan {
        AnswerOpening opening;
        FormattedPrompt prompt;
        std::unique_ptr<Draft> draft;
        std::optional<Problem> problem;
    };
    /// A draft that is in its turn.
    struct CellRun {
        Turn* turn = nullptr;
        FormattedPrompt prompt;
    };

    void applyRunEvents(const std::vector<engine::GenerationEvent>& events);
    void applyModelEvent(const engine::ModelEvent& event);
    void takeIndex(const StoredIndex& index, const StoreOpening& opening);
    void adopt(std::unique_ptr<Conversation> conversation);
    void checkTemplate(Conversation& conversation);
    bool mayStart(Conversation& conversation, bool isHolder = false);
    Problem refusalOf(const engine::Error& error) const;
    bool refuse(Conversation& conversation, const engine::Error& error);
    /// The prompt as the conversation's context policy makes it fit.
    bool sourcesMayFit(Conversation& conversation);
    engine::Result<FormattedPrompt> formatted(PromptParts parts, const PromptRoom& room);
    PromptParts partsOf(
        const Conversation& conversation, size_t turnCount, const QString& newText = {}) const;
    PromptRoom roomFor(const Conversation& conversation, size_t draftTokenCount = 0,
        std::optional<int> cap = {}) const;
    static QString sourceWords(const std::vector<RecordedSource>& sources);
    std::optional<Problem> misfitOf(const RunPlan& plan) const;
    bool fits(Conversation& conversation, const RunPlan& plan);
    void tellContextFull(Conversation& conversation, const Turn& turn);
    bool readDetails(Conversation& conversation, Turn& turn, std::function<void(Turn&)> then);
    bool planFromIds(Conversation& conversation, const Turn& turn, size_t index, RunPlan& plan);
    DraftOrigin originOf(const ChatSettings& settings, const RunPlan& plan);
    std::unique_ptr<Draft> createDraft(const Conversation& conversation, const RunPlan& plan);
    CellPlan planCell(
        Conversation& conversation, size_t index, const RunVariant& variant, GridPlace place);
    CellPlan planAgain(
        const Answer& answer, const FormattedPrompt& prompt, const StopWish& wish, GridPlace place);
    std::optional<RunPlan> planSending(Conversation& conversation, const Sending& sending);
    Turn& addSent(Conversation& conversation, const Sending& sending, const RunPlan& plan);
    RunOpening openingOf(const Conversation& conversation, const DraftOrigin& origin,
        const FormattedPrompt& prompt) const;
    void start(const Conversation& conversation, const Turn& turn, const FormattedPrompt& prompt);
    void start(const Conversation& conversation, const Turn& turn, RunOpening opening);
    void startRuns(const Conversation& conversation, const std::vector<CellRun>& runs);
    void noteBegun(engine::GenerationRequest& request);
    void cancelEarly(const engine::GenerationRequest& request);
    void beginTogether(std::vector<engine::GenerationRequest> requests);
    void banInChat(Conversation& conversation, engine::TokenId id);
    bool mayBranch(Conversation& conversation, const Turn& turn);
    bool branchAsRun(Conversation& conversation, Turn& turn, RunPlan plan, const StopWish& wish);
    void addBranch(Conversation& conversation, const Turn& turn, const RunPlan& plan, std::unique_ptr<Draft> draft);
    DraftOrigin originAsRun(const Draft& run, const RunPlan& plan, const StopWish& wish);
    void begin(engine::GenerationRequest request);
    void cancel(Conversation& conversation, engine::CancelledBy by);
    void cancel(engine::RunId run, engine::CancelledBy by);

    std::vector<std::unique_ptr<Conversation>> m_conversations;
    std::vector<std::unique_ptr<Conversation>> m_removed;
    ChatSettings m_defaultSettings;
    ModelState m_modelState = ModelState::None;
    std::optional<engine::ModelLoaded> m_model;
    std::shared_future<std::string> m_vocabularyHash; ///< of the model; takes a while
    engine::ModelLoadProgress m_loadProgress;
    engine::ModelLoadRequest m_loadRequest;
    std::optional<Problem> m_modelProblem;
    std::optional<Problem> m_holding; ///< what others are told while the model is held
    std::map<std::string, int> m_sourceTokens; ///< of the loaded model, by SHA-256
    IdSource m_ids;
    FolderList m_folders { m_ids };
    QTimer m_undoTimer;
    std::set<engine::RunId> m_notBegun; ///< while they are made safe
    std::set<engine::RunId> m_cancelledEarly; ///< before they began
    std::set<engine::RunId> m_pausedEarly; ///< likewise
    engine::ScoreReadId m_lastRead = 0;
    FileHashes* m_hashes = nullptr;
    Storage* m_storage = nullptr;
    std::unique_ptr<Journal> m_journal;
    EngineClient m_client; // last: no event may arrive while the rest is torn down
};

} // namespace app
