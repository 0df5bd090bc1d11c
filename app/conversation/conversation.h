#pragma once

#include "app/conversation/conversation_kind.h"
#include "app/conversation/source_text.h"
#include "app/conversation/turn_tree.h"
#include "app/settings/chat_settings.h"

#include <QDateTime>
#include <QHash>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace app {

/// A thing that went wrong before there was a draft to hold it, shown where the work was.
struct Problem {
    enum class Kind { NoModel, LoadFailed, TemplateUnusable, NotSent, ContextFull };

    Kind kind = Kind::NotSent;
    QString title;
    QString message;
    QString details; ///< to unfold and copy; may be empty

    bool operator==(const Problem&) const = default;
};

/// What the list shows of a conversation's last answer.
struct ConversationBadge {
    std::optional<DraftState> underWay; ///< a draft that has not ended, on any branch
    std::optional<engine::StopReason> reason; ///< of the last shown answer, once it has ended

    bool operator==(const ConversationBadge&) const = default;
};

/// One conversation: its tree of turns, its settings and what was typed but not sent. One that was
/// stored is a title and a badge until it is opened.
/// GUI thread. It writes nothing itself: what is to be kept is told by turnStored and rowChanged.
class Conversation : public QObject {
    Q_OBJECT
public:
    Conversation(ConversationKind kind, ChatSettings settings, QObject* parent = nullptr);
    /// Of the store; not loaded yet.
    explicit Conversation(const StoredSummary& summary, QObject* parent = nullptr);

    ConversationId id() const { return m_id; }
    void setId(ConversationId id) { m_id = id; }
    ConversationKind kind() const { return m_kind; }
    /// Kept in memory only.
    bool isPrivate() const { return m_isPrivate; }
    void setPrivate(bool isPrivate) { m_isPrivate = isPrivate; }
    /// The first words of the first message, until a person gives a name.
    const QString& title() const { return m_title; }
    void setTitle(const QString& title);
    FolderId folder() const { return m_folder; }
    void setFolder(FolderId folder);
    const QDateTime& createdAt() const { return m_createdAt; }
    const QDateTime& changedAt() const { return m_changedAt; }
    bool isDeleted() const { return m_deletedAt.has_value(); }
    void setDeletedAt(std::optional<QDateTime> at) { m_deletedAt = std::move(at); }
    ConversationBadge badge() const;
    /// Shown answers before the last that are not known to be complete.
    int earlierUnfinishedCount() const;

    bool isLoaded() const { return m_isLoaded; }
    /// The turns of a stored conversation, as they were read.
    void load(TurnTree turns, const QString& document, std::vector<SourceText> sources = {});
    /// The row of the store, without the document while that is not loaded.
    StoredConversation row() const;

    const ChatSettings& settings() const { return m_settings; }
    void setSettings(ChatSettings settings);

    /// The shown branch.
    const std::vector<Turn*>& turns() const { return m_tree.path(); }
    size_t turnCount() const { return m_tree.path().size(); }
    const TurnTree& tree() const { return m_tree; }
    bool isEmpty() const;
    /// The last shown turn, if it is an answer.
    const Answer* lastAnswer() const;
    Turn* lastAnswerTurn() const;
    /// The last draft of the last answer; null when that was edited.
    const Draft* lastDraft() const;
    /// The draft that has not ended, on whichever branch; of several (a run grid) one that is shown,
    /// if any is.
    const Draft* activeDraft() const;
    const Draft* findDraft(engine::RunId run) const;
    /// The turn of the active draft.
    Turn* activeTurn() const;
    /// Of every draft that has not ended.
    const std::vector<Turn*>& activeTurns() const { return m_activeTurns; }

    /// A person's text below parent (null: at the start).
    Turn& addPersonTurn(const QString& text, Turn* parent, MessageId id);
    /// An answer below parent, with the draft of a run, if there is one yet.
    Turn& addAnswer(
        AnswerOpening opening, std::unique_ptr<Draft> draft, Turn* parent, MessageId id);
    /// Another run writes on in this answer.
    void addPart(Turn& turn, std::unique_ptr<Draft> draft);
    void showTurn(Turn& turn);
    /// Shows the sibling this many places later (negative: earlier), if there is one.
    void showSibling(size_t turnIndex, int step);
    void setTurnDeleted(Turn& turn, bool isDeleted);
    /// Forgets removed sources, and deleted turns unless a draft is under way.
    void purge();
    Turn* findTurn(MessageId id) const;
    /// Applies an event to the draft it belongs to. Null when it is not of this conversation.
    Turn* apply(const engine::GenerationEvent& event);
    /// Tells the views once about everything applied since the last call.
    void announceChanges();
    /// The ids of a draft were read back: what needs them may go on.
    void announceDetails(const Turn& turn);
    /// How the answer stands to what is asked of it; the views are told.
    void setCheck(Turn& turn, std::optional<RequirementCheck> check);
    void setAcceptance(Turn& turn, std::optional<Acceptance> acceptance);
    /// The view calls this when it has painted this much of the answer's text.
    void notePainted(size_t turnIndex, size_t textBytes);
    /// Likewise for one that may be on another branch: all of its text.
    void notePainted(Turn& turn);

    /// What is in the message box of this conversation.
    const QString& typedText() const { return m_typedText; }
    void setTypedText(const QString& text);

    /// What a person made of a turn and has not taken over; "" = nothing.
    QString editedText(const Turn& turn) const { return m_editedTexts.value(turn.id); }
    void setEditedText(const Turn& turn, const QString& text);

    /// The texts that its answers rest on, in the order they were added, without removed ones.
    const std::vector<SourceText>& sources() const { return m_sources; }
    const SourceText* findSource(SourceId id) const;
    void addSource(SourceText source);
    /// Out of the next prompts; it may be brought back until the next purge.
    void setSourceRemoved(SourceId id, bool isRemoved);

    /// The text of a plain-text conversation; the view keeps it up to date.
    const QString& document() const { return m_document; }
    void setDocument(const QString& text);
    /// Where the last draft of a plain-text conversation was written into the document.
    qsizetype writingPosition() const { return m_writingPosition; }
    /// Remembers the caret; the next draft's text is put in there.
    void setWritingPosition(qsizetype position);

    const std::optional<Problem>& problem() const { return m_problem; }
    void setProblem(std::optional<Problem> problem);

signals:
    /// The path has grown by this turn.
    void turnAdded(size_t turnIndex);
    void draftChanged(size_t turnIndex);
    /// Likewise, on whichever branch it is.
    void answerChanged(const app::Turn& turn);
    void painted(const app::Turn& turn, size_t textBytes);
    /// From this turn on another branch is shown.
    void branchChanged(size_t fromIndex);
    void loaded();
    void problemChanged();
    void titleChanged();
    void settingsChanged();
    /// The turn is new, or another of its siblings is shown.
    void turnStored(const app::Turn& turn);
    void turnShown(const app::Turn& turn);
    void sourcesChanged();
    void sourceStored(const app::SourceText& source);
    void sourceMarked(app::SourceId id, bool isRemoved);
    /// Title, folder, settings, typed text or document have changed.
    void rowChanged();

private:
    Turn& add(std::unique_ptr<Turn> turn, Turn* parent);
    void writeIntoDocument();
    void touch();

    ConversationId m_id = 0;
    ConversationKind m_kind;
    bool m_isPrivate = false;
    bool m_isLoaded = true;
    QString m_title;
    bool m_isNamed = false;
    FolderId m_folder = 0;
    QDateTime m_createdAt = QDateTime::currentDateTimeUtc();
    QDateTime m_changedAt = m_createdAt;
    std::optional<QDateTime> m_deletedAt;
    std::optional<engine::StopReason> m_storedReason; ///< for the badge, until it is loaded
    int m_storedUnfinishedCount = 0; ///< likewise
    bool m_isStoredEmpty = true;
    ChatSettings m_settings;
    TurnTree m_tree;
    std::vector<Turn*> m_activeTurns;
    std::vector<const Turn*> m_changedTurns;
    std::vector<SourceText> m_sources; ///< by id
    std::vector<SourceText> m_removedSources;
    QString m_typedText;
    QHash<MessageId, QString> m_editedTexts;
    QString m_document;
    qsizetype m_writingPosition = 0;
    QString m_textAfterCaret; ///< what follows the text that is written
    std::optional<Problem> m_problem;
};

} // namespace app
