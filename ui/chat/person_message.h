#pragma once

#include "ui/chat/message_view.h"
#include "ui/chat/text_surface.h"

namespace ui {

/// A person's message: a soft block at the right, always plain text.
class PersonMessage : public MessageView {
    Q_OBJECT
public:
    explicit PersonMessage(const QString& text, QWidget* parent = nullptr);

    int heightFor(int width) const override;
    const TextSurface& surface() const { return *m_surface; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QRect bubble(int width) const;

    TextSurface* m_surface;
};

} // namespace ui
