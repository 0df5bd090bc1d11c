#pragma once

#include "engine/base/trace_log.h"
#include "engine/kernels/batch_rows.h"
#include "engine/model/device_weights.h"

#include <optional>
#include <span>
#include <string>

namespace engine {

/// The one table of what each operation of a pass moves and multiplies, by the names that its marks
/// have. Padded rows and columns count: they are read and multiplied too.
class PassWork {
public:
    PassWork(const ModelConfig& config, const DeviceWeights& weights)
        : m_config(config)
        , m_weights(weights)
    {
    }

    /// rows: of the pass; scoredCount: rows whose scores it gives. None for a name that is not in
    /// the table.
    std::optional<OperationWork> workOf(const std::string& operation, uint32_t layer,
        std::span<const BatchRow> rows, uint32_t scoredCount) const;

private:
    const ModelConfig& m_config;
    const DeviceWeights& m_weights;
};

} // namespace engine
