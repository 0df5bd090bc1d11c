#pragma once

#include <QColor>
#include <QIcon>
#include <QRectF>

class QPainter;

namespace ui {

/// The drawings of this program (resources/icons); the file is the name in kebab case.
enum class IconName {
    Attach,
    Capped,
    ChevronLeft,
    ChevronRight,
    Close,
    Compare,
    Complete,
    Continue,
    Copy,
    Document,
    Down,
    Edit,
    Folder,
    Lock,
    Model,
    NewChat,
    Open,
    Partial,
    Paused,
    Retry,
    Search,
    Send,
    Settings,
    Stop,
    Stopped,
    Tokens,
    Trash,
    Warning,
};

/// An icon in the colour of button text, following palette changes.
QIcon icon(IconName name);
/// An icon in a colour of the theme.
QIcon icon(IconName name, const QColor& color);
void paintIcon(QPainter& painter, const QRectF& rect, IconName name, const QColor& color);

} // namespace ui
