#pragma once

#include "tests/support/gguf_writer.h"

namespace tests {

struct TinyLlamaShape {
    uint32_t layerCount = 1;
    uint32_t embeddingLength = 32;
    uint32_t feedForwardLength = 64;
    uint32_t headCount = 4;
    uint32_t kvHeadCount = 2;
    uint32_t vocabularySize = 8;
};

/// The keys of a well-formed llama model without the ones named here.
GgufWriter tinyLlamaKeys(
    const std::vector<std::string>& without = {}, const TinyLlamaShape& shape = {});
/// Its tensors, all F32 and constant.
void addTinyLlamaTensors(GgufWriter& writer, const TinyLlamaShape& shape = {});

} // namespace tests
