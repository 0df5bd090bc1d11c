#pragma once

#include "engine/base/result.h"
#include "engine/gguf/metadata.h"

#include <string_view>

namespace engine {

/// Refuses by name every key `<architecture>.*` whose meaning this engine does not implement.
/// Such a key changes the arithmetic: ignoring it would give wrong answers without a word.
/// Accepted: keys that ModelConfig reads, keys without effect, and known keys at their neutral
/// value (no experts, no soft-cap). Errors: Unsupported with file, key and value.
Result<void> refuseUnknownHyperparameters(const Metadata& metadata, std::string_view architecture);

} // namespace engine
