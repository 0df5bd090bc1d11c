#pragma once

#include "engine/gguf/gguf_file.h"
#include "engine/model/device_model.h"

#include <functional>

namespace engine {

/// How far the device was from the CPU reference, as shares of what is allowed.
struct SelfTestReport {
    double largestShare = 0; ///< of all comparisons; above 1 is an error
    uint32_t layerCount = 0; ///< layers that were compared
};

/// Runs a short prefill and a decode step of the model just loaded, and compares them with the CPU
/// reference: layers that together have every tensor type in every role, and a sample of the
/// scores. So a driver that computes wrongly, or a weight that did not arrive, is found before it
/// can answer. Overwrites the first page of the KV cache: call before anything is computed. Errors:
/// Unsupported, naming the operation, the device and the difference; Cancelled; Io; DeviceLost.
Result<SelfTestReport> runSelfTest(
    DeviceModel& model, const GgufFile& file, const std::function<bool()>& cancelled);

} // namespace engine
