#pragma once

#include "app/inspection/run_timeline.h"

#include <QWidget>

#include <vector>

namespace ui {

/// A run to scale: its phases, and below them a tick for each token, as high as its step was long.
/// Each column of pixels shows the longest step of its tokens; stalls carry a triangle.
/// Indices are those of RunTimeline::steps.
class TimelineCanvas : public QWidget {
    Q_OBJECT
public:
    explicit TimelineCanvas(QWidget* parent = nullptr);

    /// null: nothing. Borrowed until the next call; call again whenever it changed.
    void setTimeline(const app::RunTimeline* line);
    /// -1 = none.
    void setCurrent(int token);
    int current() const { return m_current; }
    int hovered() const { return m_hovered; }
    /// The token nearest to a column, a stall in that column first; -1 where there is none.
    int tokenAt(int x) const;
    /// -1: its moment was not observed.
    int xOf(int token) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void tokenChosen(int token);
    void hoveredChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    /// The tokens decided in one column of pixels.
    struct Column {
        int token = -1; ///< the first stall, or else the first; -1 = none
        double longestMs = 0;
        bool isStall = false;
    };

    void measure();
    void setHovered(int token);
    int xOfMs(double ms) const;
    int stallFrom(int token, int direction) const;
    QRect phaseRect() const;
    QRect tickRect() const;
    void paintPhases(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    void paintMark(QPainter& painter, int token, bool isCurrent) const;

    const app::RunTimeline* m_line = nullptr;
    std::vector<Column> m_columns; ///< [width]
    int m_current = -1;
    int m_hovered = -1;
};

} // namespace ui
