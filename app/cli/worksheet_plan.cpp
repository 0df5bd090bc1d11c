#include "app/cli/worksheet_plan.h"

#include "app/cli/command_engine.h"
#include "app/cli/recorded_model.h"
#include "app/cli/run_options.h"
#include "app/runs/json_members.h"
#include "app/runs/planned_record.h"
#include "app/runs/run_json.h"

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    /// Taken over from a plan: what a run from its ids cannot know any more.
    constexpr const char* kGiven[] { "template", "messages", "context_policy", "sources",
        "prompt_spans", "grid" };

    bool isPlan(const ordered_json& record)
    {
        return memberAt(record, "started_by").is_null() && memberAt(record, "stop").is_null()
            && memberAt(record, "tokens").empty()
            && memberAt(memberAt(record, "prompt"), "token_ids").is_array();
    }

    ordered_json withGiven(ordered_json record, const ordered_json& plan)
    {
        for (const char* key : kGiven)
            if (plan.contains(key))
                record[key] = plan[key];
        return record;
    }

    std::string joined(const std::vector<std::string>& lines)
    {
        std::string text;
        for (const std::string& line : lines)
            text += (text.empty() ? "" : "; ") + line;
        return text;
    }
}

Result<ordered_json> planOf(const Arguments& arguments, const CommandSurroundings& surroundings)
{
    TRY_ASSIGN(const RunOptions options, runOptionsFrom(arguments));
    CommandEngine engine(surroundings.factory, surroundings.interrupted);
    TRY_ASSIGN(const engine::ModelLoaded model, engine.open(options.model));
    TRY_ASSIGN(const RunPrompt prompt, formatRunPrompt(*model.text, options.prompt));
    engine::GenerationRequest request = options.request;
    request.promptIds = prompt.ids;
    RunRecord ahead(openingFor(model, options.prompt, prompt, request));
    TRY_ASSIGN(const std::string hash, fileSha256Hex(options.model.path));
    ahead.setCheckpointSha256(hash);
    return plannedRecord(ahead);
}

Result<ordered_json> filledPlan(const OpenedRecord& plan, const PlanModel& model,
    const CommandSurroundings& surroundings)
{
    if (!isPlan(plan.json))
        return Error::badRequest("it is the record of a run that was started, not a plan");
    TRY_ASSIGN(const std::string path, recordedModelPath(model.path, plan.reading));
    const auto contextLength
        = numberAt<int>(memberAt(plan.json, "caps"), "context_length").value_or(0);
    CommandEngine engine(surroundings.factory, surroundings.interrupted);
    TRY_ASSIGN(const engine::ModelLoaded loaded, engine.open({ path, model.device, contextLength }));
    TRY(checkVocabulary(plan.json, loaded));
    RunOpening opening;
    opening.model = loaded.description;
    opening.text = loaded.text.get();
    opening.request = plan.reading.request;
    opening.request.runId = 1;
    opening.promptText = plan.reading.promptText;
    opening.startedBy = "worksheet";
    RunRecord record(opening);
    TRY_ASSIGN(const std::string hash, fileSha256Hex(path));
    record.setCheckpointSha256(hash);
    const auto differences = planDifferences(plan.json, withGiven(record.json(), plan.json));
    if (!differences.empty())
        return Error::badRequest(
            "it would be another run than the planned one; changed since then: " + joined(differences));
    engine.run(opening.request,
        [&record](const engine::GenerationEvent& event) { record.apply(event); });
    return withGiven(record.json(), plan.json);
}

} // namespace app
