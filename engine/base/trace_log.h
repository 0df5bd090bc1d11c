#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace engine {

/// What ran: the inference thread, the device, or an event on its way to who shows it.
enum class TraceTrack : uint8_t { Host, Device, Delivery };

/// What an operation has to move and to multiply, however it is done.
struct OperationWork {
    std::string shape; ///< "960 x 576 Q4_1"
    uint64_t bytes = 0; ///< weights, activations, keys and values: each once
    uint64_t multiplyAdds = 0;

    bool operator==(const OperationWork&) const = default;
};

/// One thing that took time.
struct TraceSpan {
    TraceTrack track = TraceTrack::Host;
    std::string name; ///< "submit", "query_key_value"
    double startMs = 0; ///< since the log's origin
    double durationMs = 0;
    uint32_t pass = 0; ///< the pass last begun: 1, 2, ...; 0 before any
    uint32_t rowCount = 0; ///< of that pass
    std::optional<OperationWork> work; ///< of operations on the device

    bool operator==(const TraceSpan&) const = default;
};

/// Collects the spans of a run. Owned by who asks for them and handed down as a pointer; null means
/// that nobody looks, and then nothing is measured. One thread at a time.
class TraceLog {
public:
    using Clock = std::chrono::steady_clock;

    explicit TraceLog(Clock::time_point origin = Clock::now())
        : m_origin(origin)
    {
    }

    Clock::time_point origin() const { return m_origin; }
    double msAt(Clock::time_point time) const
    {
        return std::chrono::duration<double, std::milli>(time - m_origin).count();
    }
    double nowMs() const { return msAt(Clock::now()); }

    /// Spans added from now on belong to a new pass of so many rows.
    void beginPass(uint32_t rowCount)
    {
        ++m_pass;
        m_rowCount = rowCount;
    }
    void add(TraceSpan span)
    {
        span.pass = m_pass;
        span.rowCount = m_rowCount;
        m_spans.push_back(std::move(span));
    }
    /// Adds the spans of another log with the same origin as they are.
    void append(const TraceLog& other)
    {
        m_spans.insert(m_spans.end(), other.m_spans.begin(), other.m_spans.end());
    }
    /// In order of their ends, those appended at last.
    const std::vector<TraceSpan>& spans() const { return m_spans; }

private:
    Clock::time_point m_origin;
    uint32_t m_pass = 0;
    uint32_t m_rowCount = 0;
    std::vector<TraceSpan> m_spans;
};

/// A span on the host from its making to its end of scope.
class TracedScope {
public:
    TracedScope(TraceLog* log, const char* name)
        : m_log(log)
        , m_name(name)
        , m_startMs(log ? log->nowMs() : 0)
    {
    }
    TracedScope(const TracedScope&) = delete;
    TracedScope& operator=(const TracedScope&) = delete;
    ~TracedScope()
    {
        if (m_log)
            m_log->add({ .track = TraceTrack::Host,
                .name = m_name,
                .startMs = m_startMs,
                .durationMs = m_log->nowMs() - m_startMs });
    }

private:
    TraceLog* m_log;
    const char* m_name;
    double m_startMs;
};

} // namespace engine
