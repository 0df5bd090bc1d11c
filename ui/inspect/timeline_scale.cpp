#include "ui/inspect/timeline_scale.h"

#include <algorithm>

namespace ui {

namespace {
    constexpr double kLeastMs = 1; ///< seen at once: no moment is known better than that
    constexpr double kFarAway = 1e6; ///< columns: what is not seen needs no number
}

void TimelineScale::setRun(double endMs, int width)
{
    m_endMs = endMs;
    m_width = std::max(1, width);
    scrollTo(m_leftMs);
}

void TimelineScale::zoom(double factor, int x)
{
    const double fixedMs = msAt(x);
    const double share = double(x) / std::max(1, m_width - 1);
    const double seen = std::max(kLeastMs, seenMs() / factor);
    m_seenMs = seen < m_endMs ? seen : 0;
    scrollTo(fixedMs - share * seenMs());
}

void TimelineScale::scrollTo(double leftMs)
{
    m_leftMs = std::clamp(leftMs, 0.0, std::max(0.0, m_endMs - seenMs()));
}

double TimelineScale::seenMs() const
{
    return m_seenMs > 0 && m_seenMs < m_endMs ? m_seenMs : m_endMs;
}

int TimelineScale::xOf(double ms) const
{
    if (m_endMs <= 0)
        return 0;
    const double column = (ms - leftMs()) / seenMs() * (m_width - 1);
    return int(std::clamp(column, -kFarAway, kFarAway));
}

double TimelineScale::msAt(int x) const
{
    return leftMs() + seenMs() * x / std::max(1, m_width - 1);
}

} // namespace ui
