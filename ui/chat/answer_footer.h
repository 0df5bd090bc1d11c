#pragma once

#include "ui/chat/draft_words.h"

#include <QToolButton>
#include <QWidget>

class QHBoxLayout;
class QLabel;

namespace ui {

class Chip;
class ElidedLabel;

/// The two lines under an answer: its state in words with the stop reason as a chip, and the
/// figures. Both lines have their height from the start. Actions stand at the right end and show
/// on hover and focus.
class AnswerFooter : public QWidget {
    Q_OBJECT
public:
    explicit AnswerFooter(QWidget* parent = nullptr);

    void setWords(const DraftWords& words);
    /// "2 of 3"; hidden when there is one draft only.
    void setSiblings(size_t shown, size_t count);
    void setRegenerateEnabled(bool enabled);
    void setActionsShown(bool shown);
    /// Whether the chip's ledger is open.
    void setLedgerShown(bool shown);
    QWidget* chip() const;

signals:
    void ledgerRequested();
    void copyRequested();
    void regenerateRequested();
    void siblingRequested(int step);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* addAction(IconName name, const QString& text, const QString& toolTip);
    void applyColors();
    void placeNote();

    DraftWords m_words;
    QLabel* m_icon = nullptr;
    ElidedLabel* m_state = nullptr;
    Chip* m_chip = nullptr;
    QLabel* m_note = nullptr;
    QLabel* m_figures = nullptr;
    QHBoxLayout* m_line = nullptr;
    QHBoxLayout* m_actions = nullptr;
    QToolButton* m_previous = nullptr;
    QLabel* m_siblings = nullptr;
    QToolButton* m_next = nullptr;
    QToolButton* m_copy = nullptr;
    QToolButton* m_regenerate = nullptr;
};

} // namespace ui
