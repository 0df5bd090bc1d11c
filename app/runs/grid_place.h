#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace app {

/// Of which run grid a run is: runs that were asked for together, to be compared.
struct GridPlace {
    std::string id; ///< a UUID; the same for all of them
    std::string label; ///< what is particular to this one, in words
    /// Of the answer they were asked for beside; none: not known.
    std::optional<int64_t> besideRun;

    bool operator==(const GridPlace&) const = default;
};

} // namespace app
