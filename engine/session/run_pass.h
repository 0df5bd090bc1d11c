#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace engine {

/// What a pass was for. Discarded: computed ahead, and its result was not used.
enum class PassKind : uint8_t { Prefill, Decode, Discarded };

/// "prefill", ...: as records write it.
constexpr const char* passKindName(PassKind kind)
{
    return kind == PassKind::Prefill ? "prefill" : kind == PassKind::Decode ? "decode" : "discarded";
}

/// One forward pass of a run: a chunk of its prompt, or the step after a token. What was not
/// observed is empty. Passes follow each other: one that was submitted while another was computed
/// starts here when that one had ended.
struct RunPass {
    PassKind kind = PassKind::Prefill;
    double startMs = 0; ///< since the run was submitted
    /// From there until the host had its result; none when nobody waited for it.
    std::optional<double> hostMs;
    /// Between two time marks on the device; none where it has no clock.
    std::optional<double> deviceMs;
    int firstPosition = 0; ///< of this run's sequence
    int positionCount = 0; ///< computed
    int sequenceCount = 1; ///< in the batch: others are batch-mates
    /// What it has to read (model/pass_bytes.h), however often a kernel reads it again.
    std::optional<uint64_t> weightBytes;
    std::optional<uint64_t> cacheBytes;

    bool operator==(const RunPass&) const = default;
};

/// Collects the passes of a run. Owned by who asks for them and handed down as a pointer; null means
/// that nobody looks. One thread.
class PassLog {
public:
    using Clock = std::chrono::steady_clock;

    /// submitted: from when moments count.
    explicit PassLog(Clock::time_point submitted)
        : m_submitted(submitted)
    {
    }

    static double msBetween(Clock::time_point start, Clock::time_point end)
    {
        return std::chrono::duration<double, std::milli>(end - start).count();
    }
    double msAt(Clock::time_point time) const { return msBetween(m_submitted, time); }
    void add(const RunPass& pass) { m_passes.push_back(pass); }
    /// A sync after a pause ends with the pass that comes after a token.
    void lastIsDecode()
    {
        if (!m_passes.empty())
            m_passes.back().kind = PassKind::Decode;
    }
    /// Those added since the last call, in the order of their starts.
    std::vector<RunPass> take() { return std::exchange(m_passes, {}); }

private:
    Clock::time_point m_submitted;
    std::vector<RunPass> m_passes;
};

} // namespace engine
