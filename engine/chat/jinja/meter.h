#pragma once

#include "engine/base/result.h"
#include "engine/chat/jinja/limits.h"

#include <chrono>
#include <cstddef>
#include <utility>

namespace engine::jinja {

/// Counts what one rendering costs and ends it at the limits of limits.h (BadTemplate).
class Meter {
public:
    Meter();
    Meter(const Meter&) = delete;
    Meter& operator=(const Meter&) = delete;

    /// One step of evaluation; more for an operation that walks through this many elements.
    Result<void> step(size_t count = 1)
    {
        m_steps += count;
        if (m_steps <= m_nextCheck && m_liveBytes <= kMaxLiveBytes)
            return {};
        return check();
    }
    /// The steps of an operation that reads this many bytes.
    Result<void> stepBytes(size_t bytes) { return step(1 + bytes / 64); }

    size_t liveBytes() const { return m_liveBytes; }
    /// Memory of a value; the next step() checks the limit.
    void hold(size_t bytes) { m_liveBytes += bytes; }
    void release(size_t bytes) { m_liveBytes -= bytes; }

private:
    Result<void> check();

    std::chrono::steady_clock::time_point m_start;
    size_t m_steps = 0;
    size_t m_nextCheck = 0;
    size_t m_liveBytes = 0;
};

/// The memory that one value holds, given back to its meter when the value goes.
class MemoryCharge {
public:
    MemoryCharge() = default;
    MemoryCharge(Meter& meter, size_t bytes)
        : m_meter(&meter)
        , m_bytes(bytes)
    {
        meter.hold(bytes);
    }
    MemoryCharge(MemoryCharge&& other) noexcept
        : m_meter(std::exchange(other.m_meter, nullptr))
        , m_bytes(other.m_bytes)
    {
    }
    MemoryCharge& operator=(MemoryCharge&&) = delete;
    ~MemoryCharge()
    {
        if (m_meter)
            m_meter->release(m_bytes);
    }

private:
    Meter* m_meter = nullptr;
    size_t m_bytes = 0;
};

} // namespace engine::jinja
