#pragma once

#include "engine/gguf/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace app {

/// Random quantBlocks with a wished spread: quants and packed scales are arbitrary bits, the halves
/// that scale a quantBlock make the weights' mean about 0 and their standard deviation about the
/// wished one, as far as normal halves can.
class RandomWeights {
public:
    explicit RandomWeights(uint64_t seed)
        : m_state(seed | 1)
    {
    }

    /// bytes: whole quantBlocks of a type that runs.
    void fill(engine::TensorType type, float deviation, std::span<std::byte> bytes);

private:
    uint64_t next();
    void fillPlain(engine::TensorType type, float deviation, std::span<std::byte> bytes);

    uint64_t m_state;
};

} // namespace app
