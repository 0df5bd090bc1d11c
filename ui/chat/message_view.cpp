#include "ui/chat/message_view.h"

#include <QEvent>

namespace ui {

void MessageView::setUnseen(bool isUnseen)
{
    if (isUnseen == m_isUnseen)
        return;
    m_isUnseen = isUnseen;
    mute();
    noteUnseen();
}

QString MessageView::unseenWords() const
{
    return m_isUnseen ? tr("Left out: the model did not see this for its last answer.") : QString();
}

/// Muted text can still be read; what is inside takes the colours over.
void MessageView::mute()
{
    QPalette muted;
    if (m_isUnseen) {
        const QColor text = Theme::of(parentWidget()->palette()).mutedText;
        muted.setColor(QPalette::Text, text);
        muted.setColor(QPalette::WindowText, text);
    }
    setPalette(muted);
}

void MessageView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    const bool isStale = event->type() == QEvent::PaletteChange && m_isUnseen
        && palette().color(QPalette::Text) != Theme::of(parentWidget()->palette()).mutedText;
    if (isStale)
        mute();
}

} // namespace ui
