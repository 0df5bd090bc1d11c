#include "ui/find/find_line.h"

#include "ui/theme/icon.h"

#include <QAction>
#include <QKeyEvent>

namespace ui {

FindLine::FindLine(QWidget* parent)
    : QLineEdit(parent)
{
    addAction(icon(IconName::Search), QLineEdit::LeadingPosition);
    setClearButtonEnabled(true);
}

bool FindLine::event(QEvent* event)
{
    // The window stops a run on Esc: not while something is searched for.
    if (event->type() == QEvent::ShortcutOverride
        && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        event->accept();
        return true;
    }
    return QLineEdit::event(event);
}

void FindLine::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Escape:
        return emit closeRequested();
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return event->modifiers() & Qt::ShiftModifier ? emit previousRequested()
                                                      : emit
                                                      nextRequested();
    case Qt::Key_Down:
        return emit stepRequested(1);
    case Qt::Key_Up:
        return emit stepRequested(-1);
    default:
        return QLineEdit::keyPressEvent(event);
    }
}

} // namespace ui
