#pragma once

#include <cstdint>
#include <vector>

namespace engine {

/// Index into a vocabulary, 0 .. size - 1.
using TokenId = int32_t;
using TokenIds = std::vector<TokenId>;

} // namespace engine
