#pragma once

#include "engine/chat/jinja/native.h"

namespace engine::jinja {

/// What may stand behind `is`, sorted by name.
std::span<const NativeEntry> testTable();

} // namespace engine::jinja
