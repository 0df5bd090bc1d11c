#pragma once

#include "engine/chat/jinja/native.h"

namespace engine::jinja {

/// The method of this name that a value of this type has; null when it has none.
const NativeEntry* findMethod(const Value& self, std::string_view name);

/// Whether Python's method of this name would change the object (list.append, dict.pop). Templates
/// may not call these: the sandbox is immutable.
bool changesItsObject(const Value& self, std::string_view name);

std::span<const NativeEntry> textMethods();
std::span<const NativeEntry> listMethods();
std::span<const NativeEntry> dictMethods();
std::span<const NativeEntry> loopMethods();

} // namespace engine::jinja
