#pragma once

#include "ui/theme/icon.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace ui {

/// What can be done with a message, shown on hover and focus: another version of it, edit, copy,
/// remove. It keeps its place and is reachable by keyboard.
class TurnActions : public QWidget {
    Q_OBJECT
public:
    explicit TurnActions(QWidget* parent = nullptr);

    /// "2/3"; hidden when there is one version only.
    void setSiblings(size_t shown, size_t count);
    void setShown(bool shown);

signals:
    void siblingRequested(int step);
    void editRequested();
    void copyRequested();
    void removeRequested();

private:
    QToolButton* add(IconName name, const QString& text, const QString& toolTip);

    QHBoxLayout* m_line;
    QToolButton* m_previous;
    QLabel* m_siblings;
    QToolButton* m_next;
};

} // namespace ui
