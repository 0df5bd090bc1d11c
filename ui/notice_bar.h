#pragma once

#include <QTimer>
#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace ui {

/// One sentence above the chat with one thing to do about it: what was found at the start, what
/// can be undone, what cannot be saved. It never takes the focus and never covers anything.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(QWidget* parent = nullptr);

    enum class Kind { Note, Warning };
    /// action: text of the button, "" for none. shownMs: 0 = until closed.
    void show(Kind kind, const QString& text, const QString& details = {},
        const QString& action = {}, int shownMs = 0);
    QString text() const;

signals:
    void actionTriggered();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyColors();

    Kind m_kind = Kind::Note;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    QToolButton* m_close;
    QTimer m_timer;
};

} // namespace ui
