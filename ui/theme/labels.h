#pragma once

#include <QLabel>

namespace ui {

/// One line of plain text that ends in an ellipsis where there is no room; the whole text is its
/// tooltip and accessible name.
class ElidedLabel : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    void setWholeText(const QString& text);
    const QString& wholeText() const { return m_text; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_text;
};

/// Wrapping plain text in muted colour that always has the height it needs, whatever layout it is
/// in.
class NoteLabel : public QLabel {
    Q_OBJECT
public:
    explicit NoteLabel(QWidget* parent = nullptr);
    void setNote(const QString& text);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fitHeight();
};

/// Sets text and, where given, accessible name only where they differ: newer Qt tells assistive
/// software of every call.
void renew(QLabel* label, const QString& text);
void renew(QLabel* label, const QString& text, const QString& accessibleName);

} // namespace ui
