#pragma once

#include <QTimer>
#include <QWidget>

#include <optional>

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
    /// Shown as long as nothing else is, until a person closes it.
    void showBeneath(Kind kind, const QString& text, const QString& details);
    /// Takes away what is shown; what lies beneath appears.
    void dismiss();
    QString text() const;

signals:
    void actionTriggered();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Beneath {
        Kind kind = Kind::Note;
        QString text;
        QString details;
    };
    void applyColors();

    Kind m_kind = Kind::Note;
    std::optional<Beneath> m_beneath;
    bool m_showsBeneath = false;
    QLabel* m_icon;
    QLabel* m_text;
    QPushButton* m_action;
    QToolButton* m_close;
    QTimer m_timer;
};

} // namespace ui
