#pragma once

#include "app/conversation/draft.h"
#include "app/conversation/conversation_kind.h"
#include "app/settings/chat_settings.h"

#include <QDateTime>
#include <QObject>
#include <QString>

#include <memory>
#include <optional>
#include <vector>

namespace app {

/// One step of a conversation: a person's text, or a model's drafts of an answer (the siblings of
/// one fork; one of them is shown).
struct Turn {
    TurnRole role = TurnRole::Person;
    QString text; ///< of a person
    std::vector<std::unique_ptr<Draft>> drafts; ///< of a model, oldest first, never empty
    size_t shown = 0;

    const Draft& draft() const { return *drafts[shown]; }
    Draft& draft() { return *drafts[shown]; }
};

/// A thing that went wrong before there was a draft to hold it, shown where the work was.
struct Problem {
    enum class Kind { NoModel, LoadFailed, TemplateUnusable, NotSent };

    Kind kind = Kind::NotSent;
    QString title;
    QString message;
    QString details; ///< to unfold and copy; may be empty

    bool operator==(const Problem&) const = default;
};

/// One conversation, in memory: its turns, its settings and what was typed but not sent.
/// GUI thread. Turns are only ever added; a turn gains drafts.
class Conversation : public QObject {
    Q_OBJECT
public:
    Conversation(ConversationKind kind, ChatSettings settings, QObject* parent = nullptr);

    ConversationKind kind() const { return m_kind; }
    /// The first words of the first message, until a person gives a name.
    const QString& title() const { return m_title; }
    void setTitle(const QString& title);
    const QDateTime& createdAt() const { return m_createdAt; }

    const ChatSettings& settings() const { return m_settings; }
    void setSettings(ChatSettings settings);

    const std::vector<Turn>& turns() const { return m_turns; }
    size_t turnCount() const { return m_turns.size(); }
    bool isEmpty() const { return m_turns.empty() && m_document.isEmpty(); }
    /// The last answer, if the last turn is one.
    const Draft* lastDraft() const;
    /// The draft that has not ended; a conversation writes one at a time.
    const Draft* activeDraft() const;

    void addPersonTurn(const QString& text);
    /// A new model turn with this draft.
    void addDraft(std::unique_ptr<Draft> draft);
    /// A further draft of the last model turn, which becomes the shown one.
    void addSibling(std::unique_ptr<Draft> draft);
    void showSibling(size_t turnIndex, size_t draftIndex);
    /// Applies an event to the draft it belongs to; false when it is not of this conversation.
    bool apply(const engine::GenerationEvent& event);
    /// Tells the views once about everything applied since the last call.
    void announceChanges();
    void notePainted(size_t turnIndex);

    /// What is in the message box of this conversation.
    const QString& typedText() const { return m_typedText; }
    void setTypedText(const QString& text) { m_typedText = text; }

    /// The text of a plain-text conversation; the view keeps it up to date.
    const QString& document() const { return m_document; }
    void setDocument(const QString& text);
    /// Where the last draft of a plain-text conversation was written into the document.
    qsizetype writingPosition() const { return m_writingPosition; }
    /// Remembers the caret; the next draft's text is put in there.
    void setWritingPosition(qsizetype position);

    const std::optional<Problem>& problem() const { return m_problem; }
    void setProblem(std::optional<Problem> problem);

private:
    void writeIntoDocument();

signals:
    void turnAdded(size_t turnIndex);
    void draftChanged(size_t turnIndex);
    /// Another draft of the turn is shown now.
    void shownDraftChanged(size_t turnIndex);
    void problemChanged();
    void titleChanged();
    void settingsChanged();

private:
    ConversationKind m_kind;
    QString m_title;
    bool m_isNamed = false;
    QDateTime m_createdAt = QDateTime::currentDateTime();
    ChatSettings m_settings;
    std::vector<Turn> m_turns;
    std::vector<size_t> m_changedTurns;
    QString m_typedText;
    QString m_document;
    qsizetype m_writingPosition = 0;
    QString m_textAfterCaret; ///< what follows the text that is written
    std::optional<Problem> m_problem;
};

} // namespace app
