#pragma once

namespace ui {

/// Moments of a run on columns of pixels: all of the run, or a part of it magnified. Geometry alone.
class TimelineScale {
public:
    /// A longer run keeps what is magnified in its place.
    void setRun(double startMs, double endMs, int width);
    /// By this factor, with what is at this column staying there. At the least all is shown.
    void zoom(double factor, int x);
    void showAll() { m_seenMs = 0; }
    /// As far as the run goes.
    void scrollTo(double leftMs);

    bool isZoomed() const { return seenMs() < m_endMs - m_startMs; }
    double leftMs() const { return isZoomed() ? m_leftMs : m_startMs; }
    double seenMs() const;
    double startMs() const { return m_startMs; }
    double endMs() const { return m_endMs; }
    /// May lie outside of the columns.
    int xOf(double ms) const;
    double msAt(int x) const;
    bool isSeen(double ms) const { return ms >= leftMs() && ms <= leftMs() + seenMs(); }

private:
    double m_startMs = 0;
    double m_endMs = 0;
    int m_width = 1;
    double m_seenMs = 0; ///< 0: all
    double m_leftMs = 0;
};

} // namespace ui
