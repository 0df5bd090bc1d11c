#pragma once

#include "ui/chat/draft_words.h"

#include <QToolButton>
#include <QWidget>

#include <optional>

class QHBoxLayout;
class QLabel;
class QMenu;

namespace ui {

class Chip;
class ElidedLabel;

/// What a person may ask for after an answer has ended.
struct AnswerOffers {
    bool isEnded = false; ///< regenerate, edit and delete
    bool continues = false;
    std::optional<int> largerCap; ///< where a cap was the cause
    bool accepts = false; ///< all that is asked is met
    bool takesBack = false; ///< it was accepted, and nothing was said or edited since
    std::optional<int> longerContext; ///< where a full context was the cause and more is possible

    bool operator==(const AnswerOffers&) const = default;
};

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
    void setOffers(const AnswerOffers& offers);
    void setActionsShown(bool shown);
    /// Whether the chip's ledger is open.
    void setLedgerShown(bool shown);
    QWidget* chip() const;

signals:
    void ledgerRequested();
    void copyRequested();
    void inspectRequested();
    /// Why it stopped here is to be tried out.
    void whyRequested();
    /// cap: of this one run; 0 = as the settings say.
    void regenerateRequested(int cap);
    void continueRequested(int cap);
    void longerContextRequested(int contextLength);
    void editRequested();
    void removeRequested();
    void siblingRequested(int step);
    /// For use, or no longer.
    void acceptRequested(bool accepted);

protected:
    void changeEvent(QEvent* event) override;
    /// A click on the figures, which tell how many tokens there are, asks to see them.
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* addAction(IconName name, const QString& text, const QString& toolTip);
    void applyColors();
    void placeNote();
    void fillContinueMenu();

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
    QToolButton* m_inspect = nullptr;
    QToolButton* m_why = nullptr;
    QToolButton* m_regenerate = nullptr;
    QToolButton* m_edit = nullptr;
    QToolButton* m_remove = nullptr;
    QToolButton* m_accept = nullptr;
    QToolButton* m_continue = nullptr;
    QMenu* m_continueMenu = nullptr;
    AnswerOffers m_offers;
};

} // namespace ui
