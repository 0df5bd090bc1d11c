#pragma once

#include <cstdint>

namespace engine {

/// Tokens per page of the KV cache (per kvBlock): what is shared as one, and what a workgroup of
/// attention reads as one.
constexpr uint32_t kKvPageTokens = 64;

} // namespace engine
