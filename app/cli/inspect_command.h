#pragma once

#include <string>
#include <vector>

namespace app {

/// `tokenglass inspect F [--json]`: the metadata and tensors of a GGUF file, the configuration read
/// from it, or in words why it does not run here. Works on vocabulary-only files of any
/// architecture. Exit code 1 only when the file itself cannot be read.
int runInspectCommand(const std::vector<std::string>& words);

} // namespace app
