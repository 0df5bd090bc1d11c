#pragma once

#include <QLabel>
#include <QToolButton>

namespace ui {

/// A tool button that shows itself on hover and focus only; it keeps its place and stays
/// reachable by keyboard.
class QuietButton : public QToolButton {
    Q_OBJECT
public:
    explicit QuietButton(QWidget* parent = nullptr);
    void setShown(bool shown);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    bool m_isShown = false;
};

/// A label with a rounded outline in its text colour.
class Chip : public QLabel {
    Q_OBJECT
public:
    explicit Chip(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace ui
