#pragma once

#include <QDateTime>

#include <algorithm>
#include <cstdint>

namespace app {

/// Numbers for folders, conversations, messages and runs: rising, and larger than those of earlier
/// starts without asking the store (the clock is in the upper bits; all fit a JSON number).
class IdSource {
public:
    int64_t next()
    {
        m_last = std::max(m_last + 1, int64_t(QDateTime::currentMSecsSinceEpoch()) << kCounterBits);
        return m_last;
    }
    /// Numbers up to this one are taken: the clock may have been set back.
    void skipTo(int64_t largest) { m_last = std::max(m_last, largest); }

private:
    static constexpr int kCounterBits = 11; // 2^53 ms * 2^-11: until the year 2109
    int64_t m_last = 0;
};

} // namespace app
