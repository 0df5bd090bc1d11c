#include "ui/inspect/timeline_scale.h"

#include <algorithm>

namespace ui {

namespace {
    constexpr double kLeastMs = 1; ///< seen at once: no moment is known better than that
    constexpr double kFarAway = 1e6; ///< columns: what is not seen needs no number
}

void TimelineScale::setRun(double startMs, double endMs, int width)
{
    m_startMs = startMs;
    m_endMs = std::max(startMs, endMs);
    m_width = std::max(1, width);
    scrollTo(m_leftMs);
}

void TimelineScale::zoom(double factor, int x)
{
    const double fixedMs = msAt(x);
    const double share = double(x) / std::max(1, m_width - 1);
    const double seen = std::max(kLeastMs, seenMs() / factor);
    m_seenMs = seen < m_endMs - m_startMs ? seen : 0;
    scrollTo(fixedMs - share * seenMs());
}

void TimelineScale::scrollTo(double leftMs)
{
    m_leftMs = std::clamp(leftMs, m_startMs, std::max(m_startMs, m_endMs - seenMs()));
}

double TimelineScale::seenMs() const
{
    const double allMs = m_endMs - m_startMs;
    return m_seenMs > 0 && m_seenMs < allMs ? m_seenMs : allMs;
}

int TimelineScale::xOf(double ms) const
{
    if (m_endMs <= m_startMs)
        return 0;
    const double column = (ms - leftMs()) / seenMs() * (m_width - 1);
    return int(std::clamp(column, -kFarAway, kFarAway));
}

double TimelineScale::msAt(int x) const
{
    return leftMs() + seenMs() * x / std::max(1, m_width - 1);
}

} // namespace ui
