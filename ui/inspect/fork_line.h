#pragma once

#include <QWidget>

class QLineEdit;
class QToolButton;

namespace ui {

/// Words of a person's own to go on with at the current token, instead of what stands there.
class ForkLine : public QWidget {
    Q_OBJECT
public:
    explicit ForkLine(QWidget* parent = nullptr);

    /// Whether there is a token to fork at.
    void setPossible(bool possible);
    void clear();

signals:
    void forkRequested(const QString& text);

private:
    void ask();
    void enableParts();

    bool m_isPossible = false;
    QLineEdit* m_text;
    QToolButton* m_fork;
};

} // namespace ui
