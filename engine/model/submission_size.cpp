#include "engine/model/submission_size.h"

#include <algorithm>

namespace engine {

namespace {
    /// Before anything is measured: few, as the device may be slow.
    constexpr uint32_t kFirstLayers = 4;
}

uint32_t SubmissionSize::layersFor(uint32_t rowCount) const
{
    const Speed& speed = speedOf(rowCount);
    if (speed.msPerLayer <= 0)
        return kFirstLayers;
    const double layers = kTargetMs / (speed.msPerLayer * rowCount);
    return uint32_t(std::clamp(layers, 1.0, 1e6));
}

void SubmissionSize::observe(uint32_t rowCount, uint32_t layerCount, double ms)
{
    if (layerCount == 0)
        return;
    Speed& speed = speedOf(rowCount);
    const double measured = ms / layerCount / rowCount;
    // Quick to grow careful, slow to grow bold: one slow submission is remembered for a while.
    const double share = measured > speed.msPerLayer ? 0.5 : 0.2;
    speed.msPerLayer = speed.msPerLayer <= 0 ? measured : speed.msPerLayer + share * (measured - speed.msPerLayer);
}

} // namespace engine
