#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

namespace ui {

/// One position of the causal mask: it sees itself and those before it.
struct MaskRow {
    QString name;
    bool isComputed = false; ///< in this pass; else its key and value come from the cache
    QString mark; ///< what its scores were for; "" = for nothing

    bool operator==(const MaskRow&) const = default;
};

/// The causal mask: which earlier positions each position of a pass's input sees. Positions that
/// this pass computes are filled, those of the cache are outlines; the position from whose scores
/// the next unit is selected is marked, and for good the prompt's last, the source of the first
/// scores.
class MaskTriangle : public QWidget {
    Q_OBJECT
public:
    explicit MaskTriangle(QWidget* parent = nullptr);

    /// units: the input of a pass, the prompt's first. firstComputed: the first position that it
    /// computes.
    void setPass(const QStringList& units, int firstComputed, int promptCount);
    /// The last positions of a long input.
    const std::vector<MaskRow>& rows() const { return m_rows; }
    int hiddenCount() const { return m_hiddenCount; }
    QRect cellRect(int row, int column) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintRow(QPainter& painter, int row) const;
    void paintCell(QPainter& painter, const QRect& cell, bool isComputed) const;
    void paintLegend(QPainter& painter) const;
    QString hiddenWords() const;
    int cellSize() const;
    int nameWidth() const;
    int top() const;

    std::vector<MaskRow> m_rows;
    int m_hiddenCount = 0;
};

} // namespace ui
