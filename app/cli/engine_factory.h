#pragma once

#include "engine/session/loaded_model.h"

namespace app {

/// What opens models in this program: the one line that decides which engine runs.
engine::EngineFactory engineFactory();

/// The same for commands, where the device of a request is a wish in words: UUID or part of a name,
/// as `tokenglass devices` lists them. A wish that no device fits is an error (BadRequest), not
/// another device.
engine::EngineFactory commandEngineFactory();

/// The device that such a wish names, by UUID.
engine::Result<std::string> deviceUuidOf(const std::string& wish);

} // namespace app
