#pragma once

#include <string>
#include <vector>

namespace app {

/// tokenglass devices [--json] [--device D]: the Vulkan devices of this computer, best first, and
/// which one is used.
/// --device: a UUID, the beginning of one or a part of a name. Exit code 1 when there is none to
/// use.
int runDevicesCommand(const std::vector<std::string>& arguments);

} // namespace app
