#pragma once

#include "ui/chat/message_view.h"
#include "ui/chat/text_surface.h"

namespace ui {

class TurnActions;

/// A person's message: a soft block at the right, always plain text, with its actions below.
class PersonMessage : public MessageView {
    Q_OBJECT
public:
    explicit PersonMessage(const QString& text, QWidget* parent = nullptr);

    int heightFor(int width) const override;
    int gapBelow() const override { return 0; } // its actions are the gap
    const TextSurface& surface() const { return *m_surface; }
    TextSurface& surface() { return *m_surface; }
    TurnActions& actions() { return *m_actions; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void noteUnseen() override;

private:
    QRect bubble(int width) const;

    TextSurface* m_surface;
    TurnActions* m_actions;
};

} // namespace ui
