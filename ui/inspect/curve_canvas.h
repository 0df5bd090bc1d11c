#pragma once

#include "app/inspection/token_curves.h"
#include "ui/inspect/curve_layout.h"

#include <QWidget>

namespace ui {

/// Surprisal, entropy and the chance of ending of every token of an answer, one curve below the
/// other. Each column of pixels shows the least and the greatest value of its tokens.
class CurveCanvas : public QWidget {
    Q_OBJECT
public:
    explicit CurveCanvas(QWidget* parent = nullptr);

    /// null: nothing. Borrowed until the next call; call again whenever it changed.
    void setCurves(const app::TokenCurves* curves);
    /// Indices into the track; -1 = none.
    void setCurrent(int token);
    int current() const { return m_current; }
    int hovered() const { return m_hovered; }
    /// The token under a point of this widget; -1 where there is none.
    int tokenAt(int x) const;
    /// The middle of a token's columns.
    int xOf(int token) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void tokenChosen(int token);
    void hoveredChanged();
    /// N (1) or Shift+N (-1).
    void jumpRequested(int direction);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void measure();
    void setHovered(int token);
    QRect laneRect(size_t curve) const;
    void paintLane(QPainter& painter, size_t curve) const;
    void paintMark(QPainter& painter, int token, bool isCurrent) const;

    const app::TokenCurves* m_curves = nullptr;
    CurveLayout m_layout;
    std::array<std::vector<CurveColumn>, app::TokenCurves::kNumbers.size()> m_columns;
    int m_current = -1;
    int m_hovered = -1;
};

} // namespace ui
