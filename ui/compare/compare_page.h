#pragma once

#include "app/conversation/workspace.h"
#include "ui/compare/compare_words.h"

#include <QPointer>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QScrollArea;
class QSplitter;

namespace ui {

class CompareBody;
class CompareHead;
class CompareText;
class ElidedLabel;
class NoteLabel;

/// Runs side by side, live: heads that stay, texts that scroll together. What a text begins with
/// like the first one is pale. Keys: see CompareHead; Escape closes it where it is a window.
/// GUI thread.
class ComparePage : public QWidget {
    Q_OBJECT
public:
    explicit ComparePage(app::Workspace& workspace, QWidget* parent = nullptr);

    /// 1 to 8 cells of this conversation.
    void setCells(app::Conversation& conversation, std::vector<app::GridCell> cells);
    /// What is known of a cell by now.
    void setCell(size_t column, app::GridCell cell);
    app::Conversation* conversation() const { return m_conversation; }
    /// One more column at the end.
    void addCell(app::GridCell cell);
    const app::GridCell& cell(size_t column) const { return m_columns[column].cell; }
    /// As they stand now, in the order of the columns.
    std::vector<ComparedAnswer> answers() const;
    int current() const { return m_current; }
    void setCurrent(int column);
    CompareHead& head(size_t column) { return *m_columns[column].head; }
    CompareText& text(size_t column) { return *m_columns[column].text; }
    bool isLedgerShown(size_t column) const;
    size_t columnCount() const { return m_columns.size(); }
    /// Says something above the columns; "" takes it away.
    void tell(const QString& words);
    /// Puts what tells more of the columns below them, with a handle between.
    void setBelow(QWidget* widget);

signals:
    void currentChanged(int column);
    /// A column has changed: its text, its state.
    void answersChanged();
    /// The answer is to be shown in the chat.
    void openRequested(app::Conversation* conversation, app::MessageId answer);
    void settingsRequested(app::Conversation* conversation, app::MessageId answer);
    /// A cell that has no answer yet shall not begin.
    void giveUpRequested(int column);
    void giveUpAllRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Column {
        app::GridCell cell;
        CompareHead* head = nullptr;
        CompareBody* body = nullptr;
        CompareText* text = nullptr; ///< in body
    };
    QWidget* buildHeader();
    void fitWidth();
    void addColumn(app::GridCell cell);
    app::Turn* turnOf(const Column& column) const;
    ComparedAnswer answerOf(const Column& column) const;
    void updateColumn(Column& column);
    void updateEnded();
    void updateAll();
    void updateHeader();
    void markCommon();
    void showLedger(const Column& column, bool shows);
    void stop(size_t index);
    void stopAll();
    void open(const Column& column);
    void copy(const Column& column) const;
    void reveal(const Column& column);

    app::Workspace& m_workspace;
    QPointer<app::Conversation> m_conversation;
    std::vector<Column> m_columns;
    int m_current = -1;
    ElidedLabel* m_prompt;
    QLabel* m_counts;
    QLabel* m_lengths;
    QLabel* m_passed;
    NoteLabel* m_note;
    QPushButton* m_stopAll;
    QPushButton* m_copyTable;
    QPushButton* m_more;
    QSplitter* m_splitter;
    QScrollArea* m_across; ///< scrolls columns sideways
    QScrollArea* m_down; ///< in it: the texts
    QHBoxLayout* m_heads;
    QHBoxLayout* m_texts;
};

} // namespace ui
