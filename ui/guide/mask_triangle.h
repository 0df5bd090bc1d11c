#pragma once

#include <QStringList>
#include <QWidget>

namespace ui {

/// The causal mask: which earlier positions each position of a step's input sees. Rows that this
/// pass computes are filled; the position from whose scores the next unit is selected is marked.
class MaskTriangle : public QWidget {
    Q_OBJECT
public:
    explicit MaskTriangle(QWidget* parent = nullptr);

    /// units: the input of a pass. firstComputed: the first position that it computes.
    void setPass(const QStringList& units, int firstComputed);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int cellSize() const;
    int nameWidth() const;

    QStringList m_units;
    int m_firstComputed = 0;
};

} // namespace ui
