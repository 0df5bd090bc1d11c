#pragma once

#include "app/runs/run_reading.h"
#include "engine/session/model_event.h"

namespace app {

/// The file of the model that a record tells of: the given one, else the one of its name in the
/// models folder. Error BadRequest, a usage error: it is not there.
engine::Result<std::string> recordedModelPath(const std::string& given, const RunReading& reading);

/// Other words for the same ids would make another run of it. Error BadRequest.
engine::Result<void> checkVocabulary(
    const nlohmann::ordered_json& record, const engine::ModelLoaded& model);

} // namespace app
