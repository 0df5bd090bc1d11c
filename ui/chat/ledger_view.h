#pragma once

#include "ui/chat/ledger_words.h"

#include <QWidget>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace ui {

class LedgerRowView;

/// The ledger of an answer: a quiet panel that says what ended it, how near every other condition
/// was, and which of them counts. Ctrl+C copies it as text.
class LedgerView : public QWidget {
    Q_OBJECT
public:
    explicit LedgerView(QWidget* parent = nullptr);

    void setWords(const LedgerWords& words);
    const LedgerWords& words() const { return m_words; }
    /// Puts its controls into the tab order after this widget.
    void followInTabOrder(QWidget* before);

signals:
    void closeRequested();
    void decidingTokenRequested();

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void showRows();
    void applyColors();

    LedgerWords m_words;
    QLabel* m_cause;
    QLabel* m_error;
    QLabel* m_counters;
    QLabel* m_checks;
    QLabel* m_rule;
    QVBoxLayout* m_rowColumn = nullptr;
    std::vector<LedgerRowView*> m_rows;
    QToolButton* m_showToken;
    QToolButton* m_copy;
    QToolButton* m_close;
};

} // namespace ui
