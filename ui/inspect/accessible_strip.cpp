#include "ui/inspect/accessible_strip.h"

#include "ui/inspect/token_names.h"
#include "ui/inspect/token_strip.h"

#include <QAccessibleWidget>
#include <QHash>
#include <QPointer>

namespace ui {

namespace {
    /// One chip; made when it is asked for.
    class AccessibleChip : public QAccessibleInterface {
    public:
        AccessibleChip(TokenStrip* strip, int chip)
            : m_strip(strip)
            , m_chip(chip)
        {
        }
        bool isValid() const override { return m_strip && m_chip < m_strip->shownCount(); }
        QObject* object() const override { return nullptr; }
        QAccessibleInterface* parent() const override
        {
            return QAccessible::queryAccessibleInterface(m_strip);
        }
        QAccessibleInterface* child(int) const override { return nullptr; }
        QAccessibleInterface* childAt(int, int) const override { return nullptr; }
        int childCount() const override { return 0; }
        int indexOfChild(const QAccessibleInterface*) const override { return -1; }
        QString text(QAccessible::Text kind) const override
        {
            return kind == QAccessible::Name && isValid() ? tokenName(*m_strip->track(), token())
                                                          : QString();
        }
        void setText(QAccessible::Text, const QString&) override { }
        QRect rect() const override
        {
            const QRect rect = isValid() ? m_strip->tokenRect(token()) : QRect();
            return rect.isEmpty()
                ? rect
                : QRect(m_strip->viewport()->mapToGlobal(rect.topLeft()), rect.size());
        }
        QAccessible::Role role() const override { return QAccessible::ListItem; }
        QAccessible::State state() const override
        {
            QAccessible::State state;
            if (!isValid()) {
                state.invalid = true;
                return state;
            }
            const bool isCurrent = m_strip->current() == token();
            state.focusable = true;
            state.selectable = true;
            state.readOnly = true;
            state.selected = isCurrent;
            state.focused = isCurrent && m_strip->hasFocus();
            state.offscreen = !m_strip->viewport()->rect().intersects(m_strip->tokenRect(token()));
            return state;
        }

    private:
        int token() const { return m_strip->firstToken() + m_chip; }

        QPointer<TokenStrip> m_strip;
        int m_chip;
    };

    class AccessibleStrip : public QAccessibleWidget {
    public:
        explicit AccessibleStrip(TokenStrip* strip)
            : QAccessibleWidget(strip, QAccessible::List)
        {
        }
        ~AccessibleStrip() override { forget(); }
        void forget()
        {
            for (const QAccessible::Id id : std::exchange(m_chips, {}))
                QAccessible::deleteAccessibleInterface(id);
        }
        int childCount() const override { return strip().shownCount(); }
        QAccessibleInterface* child(int chip) const override
        {
            if (chip < 0 || chip >= childCount())
                return nullptr;
            auto known = m_chips.find(chip);
            if (known == m_chips.end())
                known = m_chips.insert(chip,
                    QAccessible::registerAccessibleInterface(new AccessibleChip(&strip(), chip)));
            return QAccessible::accessibleInterface(*known);
        }
        int indexOfChild(const QAccessibleInterface* child) const override
        {
            for (auto known = m_chips.begin(); known != m_chips.end(); ++known)
                if (QAccessible::accessibleInterface(known.value()) == child)
                    return known.key();
            return -1;
        }
        QAccessibleInterface* childAt(int x, int y) const override
        {
            const int token = strip().tokenAt(strip().viewport()->mapFromGlobal(QPoint(x, y)));
            return token < 0 ? nullptr : child(token - strip().firstToken());
        }
        QAccessibleInterface* focusChild() const override
        {
            return strip().hasFocus() ? child(strip().current() - strip().firstToken()) : nullptr;
        }

    private:
        TokenStrip& strip() const { return *static_cast<TokenStrip*>(widget()); }
        mutable QHash<int, QAccessible::Id> m_chips; ///< that were asked for
    };

    QAccessibleInterface* create(const QString&, QObject* object)
    {
        auto* strip = qobject_cast<TokenStrip*>(object);
        return strip ? new AccessibleStrip(strip) : nullptr;
    }
}

void installAccessibleStrip()
{
    static const bool installed = (QAccessible::installFactory(create), true);
    Q_UNUSED(installed);
}

void forgetChips(TokenStrip& strip)
{
    if (!QAccessible::isActive())
        return;
    if (auto* known = dynamic_cast<AccessibleStrip*>(QAccessible::queryAccessibleInterface(&strip)))
        known->forget();
}

} // namespace ui
