#pragma once

#include "ui/theme/theme.h"

#include <QPlainTextEdit>
#include <QWidget>

class QHBoxLayout;
class QLabel;
class QPushButton;
class QToolButton;

namespace ui {

/// Where a message is typed: it grows with the text up to a few lines.
class MessageEdit : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit MessageEdit(QWidget* parent = nullptr);
    /// What was typed, lines ended by "\n". Not toPlainText(): that turns no-break spaces into
    /// spaces.
    QString typedText() const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void sendRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool canInsertFromMimeData(const QMimeData* source) const override;
    void insertFromMimeData(const QMimeData* source) override;
    void resizeEvent(QResizeEvent* event) override;
};

/// The message box with its token count and the one button that sends or stops.
/// Enter sends, Shift+Enter starts a new line.
class MessageInput : public QWidget {
    Q_OBJECT
public:
    explicit MessageInput(QWidget* parent = nullptr);

    QString text() const;
    void setText(const QString& text);
    /// The first words of the answer, as the person wants them; "" = the model begins.
    QString opening() const;
    void setOpening(const QString& text);
    /// Shows the line for them and puts the caret there.
    void showOpening();
    /// While an answer is written the button stops it.
    void setWriting(bool writing);
    /// What is typed and what it would take; Caution: it would not do what is expected.
    void setTokenCount(const QString& words, Tone tone = Tone::Neutral);
    void focusEdit();
    MessageEdit* edit() const { return m_edit; }

signals:
    void sendRequested();
    void stopRequested();
    void addSourceRequested();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void updateButton();
    void colourCount();
    void hideOpening();

    MessageEdit* m_edit;
    QWidget* m_openingRow;
    MessageEdit* m_openingEdit;
    QLabel* m_count;
    QToolButton* m_addSource;
    QPushButton* m_button;
    QHBoxLayout* m_box = nullptr; ///< the frame is painted around it
    Tone m_countTone = Tone::Neutral;
    bool m_isWriting = false;
};

} // namespace ui
