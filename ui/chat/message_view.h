#pragma once

#include <QWidget>

namespace ui {

/// One item of the chat, as wide as the page's column: it says how high it is at a width.
class MessageView : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual int heightFor(int width) const = 0;

signals:
    /// Its height may have changed.
    void resized();
};

} // namespace ui
