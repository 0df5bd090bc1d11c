#pragma once

#include "ui/theme/theme.h"

#include <QWidget>

namespace ui {

/// One item of the chat, as wide as the page's column: it says how high it is at a width.
class MessageView : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    virtual int heightFor(int width) const = 0;
    /// The room to the item below.
    virtual int gapBelow() const { return gridUnit(this) * 3; }
    /// Greyed: the prompt of the last answer leaves this message out.
    void setUnseen(bool isUnseen);
    bool isUnseen() const { return m_isUnseen; }

signals:
    /// Its height may have changed.
    void resized();

protected:
    void changeEvent(QEvent* event) override;
    /// What assistive software is told of an unseen message; "" for the others.
    QString unseenWords() const;
    virtual void noteUnseen() { }

private:
    void mute();

    bool m_isUnseen = false;
};

} // namespace ui
