#pragma once

#include <QWidget>

class QLabel;
class QPushButton;
class QToolButton;

namespace ui {

/// What failed, why, and details to unfold and copy: the inside of an error card.
class ErrorDetails : public QWidget {
    Q_OBJECT
public:
    explicit ErrorDetails(QWidget* parent = nullptr);

    void setError(const QString& title, const QString& message, const QString& details);
    /// An action that helps; "" hides the button.
    void setAction(const QString& text);
    QString title() const;
    QString message() const;

signals:
    void actionTriggered();
    void resized();

protected:
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void applyColors();
    QString copyText() const;

    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_message;
    QLabel* m_details;
    QToolButton* m_unfold;
    QToolButton* m_copy;
    QPushButton* m_action;
};

} // namespace ui
