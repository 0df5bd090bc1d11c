#pragma once

#include "app/inspection/run_timeline.h"
#include "ui/inspect/timeline_scale.h"

#include <QWidget>

#include <vector>

namespace ui {

/// A run to scale: its phases, the moments at which something was first or last seen, its passes, and below them a tick for each token, as high as its step
/// was long. Each column of pixels shows the longest step of its tokens; stalls carry a triangle.
/// Ctrl and the wheel, or plus, minus and 0, magnify a part. Up and Down walk the passes.
/// Indices are those of RunTimeline::steps and ::passes.
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
    /// The pass that gave the current token, or that keys or a click chose; -1 = none.
    int currentPass() const { return m_pass; }
    /// The pass at a column; -1 where there is none.
    int passAt(int x) const;
    const TimelineScale& scale() const { return m_scale; }
    /// Around the current token, or else the middle.
    void zoom(double factor);
    void showAll();
    void scrollTo(double leftMs);
    /// Where the marks of moments are; empty without any.
    QRect momentRect() const;
    /// Where the row of passes is; empty without passes.
    QRect passRect() const;
    /// The token nearest to a column, a stall in that column first; -1 where there is none.
    int tokenAt(int x) const;
    /// -1: its moment was not observed.
    int xOf(int token) const;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void tokenChosen(int token);
    /// currentPass() is another one; with a token, tokenChosen follows.
    void passChanged();
    void hoveredChanged();
    /// What is seen of the run is another part.
    void scaleChanged();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    /// The tokens decided in one column of pixels.
    struct Column {
        int token = -1; ///< the first stall, or else the first; -1 = none
        double longestMs = 0;
        bool isStall = false;
    };

    void measure();
    void setHovered(int token);
    int columnOf(double ms) const;
    void choosePass(int pass);
    void zoomAt(double factor, int x);
    bool zoomsBy(int key);
    void reveal(double ms);
    int stallFrom(int token, int direction) const;
    QRect phaseRect() const;
    QRect tickRect() const;
    void paintPhases(QPainter& painter) const;
    void paintMoments(QPainter& painter) const;
    void paintPasses(QPainter& painter) const;
    void paintTicks(QPainter& painter) const;
    void paintMark(QPainter& painter, int token, bool isCurrent) const;

    const app::RunTimeline* m_line = nullptr;
    std::vector<Column> m_columns; ///< [width]
    TimelineScale m_scale;
    int m_current = -1;
    int m_hovered = -1;
    int m_pass = -1;
};

} // namespace ui
