#pragma once

#include "engine/session/loaded_model.h"

namespace app {

/// What opens models in this program: the one line that decides which engine runs.
engine::EngineFactory engineFactory();

} // namespace app
