#pragma once

#include <cstdint>

namespace engine {

/// Decides how many layers of a pass go into one submission, from how long earlier ones took, so
/// that each ends within kTargetMs and a cancel acts soon on any device.
class SubmissionSize {
public:
    static constexpr double kTargetMs = 80; ///< the design allows 100

    /// Layers of the next submission of a pass with so many rows; at least 1.
    uint32_t layersFor(uint32_t rowCount) const;
    void observe(uint32_t rowCount, uint32_t layerCount, double ms);

private:
    struct Speed {
        double msPerLayer = 0; ///< 0: not measured yet
    };
    /// Decode steps read weights, prefill chunks compute: they are measured apart.
    Speed& speedOf(uint32_t rowCount) { return rowCount == 1 ? m_decode : m_prefill; }
    const Speed& speedOf(uint32_t rowCount) const { return rowCount == 1 ? m_decode : m_prefill; }

    Speed m_decode;
    Speed m_prefill; ///< ms of a layer and row
};

} // namespace engine
