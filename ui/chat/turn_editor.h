#pragma once

#include "ui/chat/message_view.h"

class QLabel;
class QPushButton;

namespace ui {

class MessageEdit;

/// A message while it is edited, in its own place. Ctrl+Enter or the button takes the text over as
/// a branch, Esc leaves it; what was typed is kept for the next time.
class TurnEditor : public MessageView {
    Q_OBJECT
public:
    /// action: "Send as a branch". note: what happens to the message as it was.
    TurnEditor(
        const QString& text, const QString& action, const QString& note, QWidget* parent = nullptr);

    QString text() const;
    MessageEdit* edit() const { return m_edit; }
    int heightFor(int width) const override;

signals:
    void accepted(const QString& text);
    void cancelled();
    void textChanged(const QString& text);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    MessageEdit* m_edit;
    QPushButton* m_accept;
};

} // namespace ui
