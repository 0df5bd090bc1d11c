#pragma once

#include "app/runs/run_record.h"
#include "engine/session/generation_event.h"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>

namespace app {

/// What a run record says, as the values it was written from. Fields that are missing, null or of
/// another kind are left empty: a record may come from another program or another time.
struct RunReading {
    engine::GenerationRequest request; ///< without runId; ids only where the record has them
    std::optional<GridPlace> grid;
    std::string startedBy; ///< "": not recorded
    std::string modelName;
    std::string checkpointFile;
    uint64_t checkpointBytes = 0;
    std::string kvType;
    std::string deviceName;
    std::string templateFamily; ///< "" for plain text
    std::string promptText;
    RecordedSpans promptSpans;
    std::vector<RecordedSource> sources;
    int droppedMessageCount = 0; ///< left out of the prompt by the context policy
    std::map<engine::TokenId, std::string> endTokenTexts;
    int notSampledCount = 0;
    WindowTimes window;
    std::vector<engine::RunPass> passes;
    /// None: the record was never closed.
    std::optional<engine::RunEnded> ending;
};

/// The sampler's settings as toJson writes them; what is missing has its default.
engine::SamplerSettings readSampling(const nlohmann::ordered_json& json);
RunReading readRunRecord(const nlohmann::ordered_json& record);

} // namespace app
