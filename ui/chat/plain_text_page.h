#pragma once

#include "app/conversation/workspace.h"
#include "ui/chat/answer_tints.h"

#include <QPlainTextEdit>
#include <QWidget>

class QLabel;
class QPushButton;

namespace ui {

class AnswerFooter;
class ErrorDetails;
class LedgerView;

/// The middle of the window for plain text: one document that the model writes on from the caret.
/// While it writes, the document cannot be edited.
class PlainTextPage : public QWidget {
    Q_OBJECT
public:
    explicit PlainTextPage(app::Workspace& workspace, QWidget* parent = nullptr);

    void setConversation(app::Conversation* conversation);
    QPlainTextEdit& edit() { return *m_edit; }
    void writeOn();
    void stop();

    /// Tints behind what was written last; these replace all from an index on.
    void setTints(size_t from, const std::vector<ByteTint>& tints);

    /// Copying what was written appends a line that says how it ended.
    void setCopiesVerdict(bool copies) { m_copiesVerdict = copies; }

signals:
    void openModelRequested();
    /// What is known of the tokens of this answer is to be seen.
    void inspectRequested(size_t turnIndex);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showDocument();
    void showDraft();
    void showProblem();
    void markWritten(qsizetype length);
    void countTokens();
    void setLedgerShown(bool shown);
    void showDecidingToken();

    app::Workspace& m_workspace;
    app::Conversation* m_conversation = nullptr;
    std::vector<ByteTint> m_tints;
    bool m_copiesVerdict = true;
    QPlainTextEdit* m_edit;
    ErrorDetails* m_problem;
    AnswerFooter* m_footer;
    LedgerView* m_ledger;
    QLabel* m_count;
    QPushButton* m_button;
};

} // namespace ui
