#include "app/cli/engine_factory.h"

namespace app {

engine::EngineFactory engineFactory()
{
    return [](const engine::ModelLoadRequest&, const engine::ModelLoadControl&)
               -> engine::Result<std::unique_ptr<engine::LoadedModel>> {
        return engine::Error::unsupported("This build has no engine that can open a model.");
    };
}

} // namespace app
