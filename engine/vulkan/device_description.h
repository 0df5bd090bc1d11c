#pragma once

#include <cstdint>
#include <string>

namespace engine {

/// A Vulkan device as a person may choose it.
struct DeviceDescription {
    std::string name; ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string kind; ///< "discrete", "integrated", "virtual", "software", "other"
    std::string driver; ///< "Mesa 22.3.6 (LLVM 15.0.6)"
    std::string uuid; ///< 32 hex digits: identifies it across restarts
    uint64_t heapBytes = 0; ///< of its largest device-local heap
    std::string problem; ///< why it cannot be used ("needs Vulkan 1.2, has 1.1"); empty when it can

    bool operator==(const DeviceDescription&) const = default;
};

} // namespace engine
