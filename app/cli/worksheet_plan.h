#pragma once

#include "app/cli/arguments.h"
#include "app/cli/run_command.h"
#include "app/runs/opened_record.h"

namespace app {

/// The run that these words of `tokenglass run` describe, as a record that nobody has started.
engine::Result<nlohmann::ordered_json> planOf(
    const Arguments& arguments, const CommandSurroundings& surroundings);

/// Where a planned run finds its model.
struct PlanModel {
    std::string path; ///< "" = the file of that name in the models folder
    std::string device;
};
/// Starts exactly the planned run: its record, filled. Errors: BadRequest for what is no plan, and
/// where model or device would make another run of it, with what is another; those of opening.
engine::Result<nlohmann::ordered_json> filledPlan(const OpenedRecord& plan,
    const PlanModel& model, const CommandSurroundings& surroundings);

} // namespace app
