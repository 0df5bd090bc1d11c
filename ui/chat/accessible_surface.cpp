#include "ui/chat/accessible_surface.h"

#include "ui/chat/text_surface.h"

#include <QAccessibleWidget>

#include <algorithm>

namespace ui {

namespace {
    /// A message as a read-only text: what is shown, without markup.
    class AccessibleSurface : public QAccessibleWidget, public QAccessibleTextInterface {
    public:
        explicit AccessibleSurface(TextSurface* surface)
            : QAccessibleWidget(surface, QAccessible::StaticText)
        {
        }

        void* interface_cast(QAccessible::InterfaceType type) override
        {
            if (type == QAccessible::TextInterface)
                return static_cast<QAccessibleTextInterface*>(this);
            return QAccessibleWidget::interface_cast(type);
        }

        QAccessible::State state() const override
        {
            QAccessible::State state = QAccessibleWidget::state();
            state.readOnly = true;
            state.multiLine = true;
            state.selectableText = true;
            state.busy = surface().isCaretShown();
            return state;
        }

        QString text(QAccessible::Text kind) const override
        {
            return kind == QAccessible::Value ? surface().plainText()
                                              : QAccessibleWidget::text(kind);
        }

        // Selections are made by mouse, as a whole, or by going to a token.
        void selection(int, int* start, int* end) const override
        {
            const TextRange range = surface().selection();
            *start = std::min(range.start, range.end);
            *end = std::max(range.start, range.end);
        }
        int selectionCount() const override { return surface().hasSelection() ? 1 : 0; }
        void addSelection(int, int) override { }
        void removeSelection(int) override { }
        void setSelection(int, int, int) override { }
        int cursorPosition() const override { return surface().selection().end; }
        void setCursorPosition(int) override { }
        QString text(int start, int end) const override
        {
            return surface().plainText().mid(start, end - start);
        }
        int characterCount() const override { return int(surface().plainText().size()); }
        QRect characterRect(int) const override { return rect(); }
        int offsetAtPoint(const QPoint&) const override { return 0; }
        void scrollToSubstring(int, int) override { }
        QString attributes(int offset, int* start, int* end) const override
        {
            *start = std::min(offset, characterCount());
            *end = characterCount();
            return {};
        }

    private:
        TextSurface& surface() const { return *static_cast<TextSurface*>(widget()); }
    };

    QAccessibleInterface* create(const QString&, QObject* object)
    {
        auto* surface = qobject_cast<TextSurface*>(object);
        return surface ? new AccessibleSurface(surface) : nullptr;
    }
}

void installAccessibleSurface()
{
    static const bool installed = (QAccessible::installFactory(create), true);
    Q_UNUSED(installed);
}

} // namespace ui
