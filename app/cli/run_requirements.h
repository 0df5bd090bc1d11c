#pragma once

#include "app/cli/arguments.h"
#include "app/compare/requirement_check.h"
#include "engine/session/generation_event.h"

namespace app {

/// What `tokenglass run --require FILE` asks of the answer.
struct RunRequirements {
    RequirementSet set;
    std::map<std::string, std::string> sources; ///< by file name without its folder

    RequirementCheck check(const engine::RunEnded& ended) const
    {
        return checkRequirements(set, ended.text, ended.verdict(), sources);
    }
};

/// None without --require. Errors: those of the set, Io of a --source file, BadRequest for a source
/// that the set asks for and nobody gave.
engine::Result<std::optional<RunRequirements>> runRequirementsFrom(const Arguments& arguments);

/// Of a run that would have this code without the check: kExitChecksFailed where an answer that came to
/// its end, or to a stop string, does not meet everything that was asked.
int exitCodeAfter(int exitCode, const RequirementCheck& check);

/// "Museum hours: 1 of 4 · not ready" and a line for each requirement that is not met.
std::string checkLines(const RequirementCheck& check);

} // namespace app
