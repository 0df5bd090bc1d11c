#pragma once

#include <QTextEdit>

namespace ui {

/// The text of one run in a grid, as it was written and as high as it needs: what other runs have
/// too is pale, and the first word that differs is underlined.
class CompareText : public QTextEdit {
    Q_OBJECT
public:
    explicit CompareText(QWidget* parent = nullptr);

    void setText(const QString& text);
    const QString& text() const { return m_text; }
    /// The first characters that are pale. differs: what follows them is marked.
    void setCommon(qsizetype length, bool differs);
    qsizetype commonLength() const { return m_common; }
    bool isDifferenceMarked() const { return m_differs; }

signals:
    void painted();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void fitHeight();
    void mark();

    QString m_text;
    qsizetype m_common = 0;
    bool m_differs = false;
};

} // namespace ui
