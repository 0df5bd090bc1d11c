#include "app/cli/bench_profile.h"

#include "app/cli/bench_prompt.h"
#include "app/cli/trace_file.h"

#include <ostream>

using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr uint32_t kPromptSeed = 1'000'003; ///< of no other prompt: nothing of it is reused
}

Result<void> runTraced(
    BenchRuns& runs, int promptTokenCount, int decodeTokenCount, engine::TraceLog& trace)
{
    TRY_ASSIGN(const engine::TokenIds promptIds,
        benchPrompt(*runs.model().text, promptTokenCount, kPromptSeed));
    trace = engine::TraceLog(); // its clock starts with the run
    TRY_ASSIGN(const BenchRun run, runs.run(promptIds, decodeTokenCount, true, &trace));
    return {};
}

ordered_json toJson(const BenchProfile& profile)
{
    ordered_json passes = ordered_json::array();
    for (const PassTable& table : profile.tables())
        passes.push_back(toJson(table));
    return { { "probe", toJson(profile.probed.probe) }, { "passes", passes } };
}

void print(std::ostream& out, const BenchProfile& profile)
{
    print(out, profile.probed);
    for (const PassTable& table : profile.tables())
        print(out, table);
}

Result<void> saveTrace(
    const std::string& path, const BenchProfile& profile, const engine::ModelDescription& model)
{
    const ordered_json about {
        { "model", model.name },
        { "tensor_types", model.tensorTypes },
        { "device", model.device.name },
        { "driver", model.device.driver },
        { "probe", toJson(profile.probed.probe) },
    };
    return saveTrace(path, traceJson(profile.trace.spans(), about));
}

} // namespace app
