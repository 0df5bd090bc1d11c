#pragma once

#include "ui/chat/draft_words.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace ui {

class Chip;
class ElidedLabel;
class NoteLabel;

/// What stands above a run's text in a grid: its label, its state and stop reason in the words of
/// draftWords, its checks, its figures. It holds the focus of its column: Left and Right go to the
/// next, Enter opens the answer in the chat, Space its ledger (as the chip does), Delete stops the run.
class CompareHead : public QWidget {
    Q_OBJECT
public:
    /// name: "A"
    explicit CompareHead(const QString& name, QWidget* parent = nullptr);

    void setLabel(const QString& label);
    void setWords(const DraftWords& words);
    const DraftWords& words() const { return m_words; }
    /// What else is to be said of this column; "" = nothing.
    void setRemark(const QString& remark);
    /// Whether the ledger that the chip opens is open.
    void setLedgerShown(bool shown);
    QWidget* chip() const;
    /// stops: the run is under way. opens: there is an answer.
    void setPossible(bool stops, bool opens);

signals:
    void focused();
    void stepRequested(int columns);
    void openRequested();
    void stopRequested();
    void copyRequested();
    void ledgerRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyColors();
    void tell();
    QToolButton* addButton(IconName name, const QString& text, const QString& toolTip);

    QString m_name;
    DraftWords m_words;
    ElidedLabel* m_label;
    QLabel* m_icon;
    ElidedLabel* m_state;
    Chip* m_chip;
    NoteLabel* m_note;
    NoteLabel* m_remark;
    NoteLabel* m_checks;
    NoteLabel* m_figures;
    QToolButton* m_stop;
    QToolButton* m_open;
};

} // namespace ui
