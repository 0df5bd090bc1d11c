#pragma once

#include "app/conversation/workspace.h"
#include "ui/chat/block_layout.h"
#include "ui/chat/message_view.h"

#include <QScrollArea>
#include <QToolButton>

namespace ui {

class AnswerView;
class ProblemCard;
class TextSurface;
class ViewStartLine;

/// The messages of one conversation in a centred column. While it is at its end it follows what
/// is written; scrolled away from the end it stays where it is. GUI thread.
class ChatView : public QScrollArea {
    Q_OBJECT
public:
    explicit ChatView(app::Workspace& workspace, QWidget* parent = nullptr);

    void setConversation(app::Conversation* conversation);
    app::Conversation* conversation() const { return m_conversation; }
    /// Shown while there are no messages; owned by the view.
    void setEmptyCard(MessageView* card);

    /// Puts an editor in the place of the turn.
    void editTurn(size_t turnIndex);
    /// The view of a turn if it is an answer.
    AnswerView* answerAt(size_t turnIndex) const;
    /// An answer's source text onto the clipboard, with a last line that says how it ended unless
    /// that is switched off.
    void copyAnswer(const app::Answer& answer) const;
    void setCopiesVerdict(bool copies) { m_copiesVerdict = copies; }
    /// The text of a turn; null while it is being edited.
    TextSurface* surfaceAt(size_t turnIndex);
    /// Brings the start of a turn into view.
    void revealTurn(size_t turnIndex);
    /// Selects these positions of a turn's text, there alone, and brings them into view.
    void showMatch(size_t turnIndex, TextRange range);
    void clearMatch();
    /// Width of the column of messages in a view of this width.
    int columnWidth(int viewWidth) const;
    bool isFollowing() const { return m_isFollowing; }
    void scrollToEnd();

signals:
    void loadModelRequested();
    /// The chat format of a model without a usable template is to be chosen.
    void chooseFormatRequested();
    void removeTurnRequested(size_t turnIndex);
    /// For use, or no longer.
    void acceptRequested(app::MessageId turn, bool accepted);
    /// What is known of an answer's tokens is to be seen.
    void inspectRequested(size_t turnIndex);
    /// Why an answer stopped where it did is to be tried out.
    void whyRequested(size_t turnIndex);
    /// An answer has a view now: it was made late, or anew.
    void answerBuilt(size_t turnIndex);
    /// The loaded model is to be opened with this context.
    void longerContextRequested(int contextLength);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void addTurn(size_t turnIndex);
    void showBranch(size_t fromIndex);
    void ensureBuilt(size_t turnIndex);
    void buildMore();
    TextSurface* builtSurfaceAt(size_t turnIndex) const;
    MessageView* createItem(size_t turnIndex);
    void replaceItem(size_t turnIndex, MessageView* item);
    void updateTurn(size_t turnIndex);
    void updateProblem();
    void updateViewStart();
    void updateEmptyCard();
    void clear();
    void relayout(size_t fromIndex = 0);
    void noteScrolled();
    void reveal(const QRect& part);
    void placeEndButton();

    app::Workspace& m_workspace;
    app::Conversation* m_conversation = nullptr;
    QWidget* m_page;
    std::vector<MessageView*> m_items; ///< one for each turn, in order; null: not built yet
    MessageView* m_emptyCard = nullptr;
    ProblemCard* m_problem;
    ViewStartLine* m_viewStart; ///< before the first turn that the model saw
    size_t m_unseenCount = 0; ///< turns above that line
    QToolButton* m_endButton;
    bool m_copiesVerdict = true;
    bool m_isFollowing = true;
    bool m_isLayingOut = false;
    bool m_isShifting = false; ///< items only move
    bool m_isBuilding = false; ///< many turns at once: laid out once at the end
};

} // namespace ui
