#pragma once

#include "engine/chat/jinja/native.h"

namespace engine::jinja {

/// What may stand behind "|", sorted by name.
std::span<const NativeEntry> filterTable();

} // namespace engine::jinja
