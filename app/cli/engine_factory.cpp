#include "app/cli/engine_factory.h"

#include "engine/session/engine.h"

namespace app {

engine::EngineFactory engineFactory() { return engine::vulkanEngineFactory(); }

} // namespace app
