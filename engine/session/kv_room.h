#pragma once

#include <cstdint>

namespace engine {

/// What one sequence takes up in the KV cache.
struct KvRoom {
    int pageCount = 0; ///< those it shares with others included
    int pageTokens = 0; ///< slots of a page
    uint64_t pageBytes = 0; ///< keys and values of all layers
    int tokenCount = 0; ///< slots in use

    int unusedSlots() const { return pageCount * pageTokens - tokenCount; }
    uint64_t bytes() const { return uint64_t(pageCount) * pageBytes; }
    bool operator==(const KvRoom&) const = default;
};

} // namespace engine
