#pragma once

#include "ui/chat/message_view.h"

class QLabel;

namespace ui {

/// A line across the chat where the model's view began for its last answer: what stands above it
/// was left out of the prompt.
class ViewStartLine : public MessageView {
    Q_OBJECT
public:
    explicit ViewStartLine(QWidget* parent = nullptr);

    void setDroppedCount(size_t messageCount);
    QString words() const;
    int heightFor(int width) const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QRect labelRect(int width) const;

    QLabel* m_label;
};

} // namespace ui
