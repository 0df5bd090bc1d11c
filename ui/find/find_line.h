#pragma once

#include <QLineEdit>

namespace ui {

/// A line to type what is searched for. Esc, Enter and the arrow keys are its own while it has the
/// focus, whatever the window does on them.
class FindLine : public QLineEdit {
    Q_OBJECT
public:
    explicit FindLine(QWidget* parent = nullptr);

signals:
    void closeRequested();
    void nextRequested();
    void previousRequested();
    /// The arrow keys: +1 down, -1 up.
    void stepRequested(int step);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
};

} // namespace ui
