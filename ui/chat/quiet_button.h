#pragma once

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

/// A button with a rounded outline in its text colour that unfolds what stands behind its words.
/// Space and Enter press it.
class Chip : public QAbstractButton {
    Q_OBJECT
public:
    explicit Chip(QWidget* parent = nullptr);

    void setWords(const QString& text, const QString& accessibleName);
    void setUnfolded(bool unfolded);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    int arrowWidth() const;

    bool m_isUnfolded = false;
};

} // namespace ui
