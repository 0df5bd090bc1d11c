#pragma once

#include <QKeySequence>
#include <QMenu>

namespace ui {

/// Adds a line to a menu that calls the slot; keys: empty for none.
template <typename Receiver>
QAction* addEntry(QMenu& menu, const QString& text, const QKeySequence& keys, Receiver* receiver,
    void (Receiver::*slot)())
{
    QAction* action = menu.addAction(text, receiver, slot);
    action->setShortcut(keys);
    return action;
}

} // namespace ui
