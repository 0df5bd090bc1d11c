#pragma once

#include "app/cli/arguments.h"
#include "app/cli/run_prompt.h"
#include "app/cli/run_requirements.h"
#include "engine/session/generation_request.h"
#include "engine/session/model_event.h"

namespace app {

/// What the words after `tokenglass run` ask for.
struct RunOptions {
    engine::ModelLoadRequest model;
    PromptSource prompt;
    engine::GenerationRequest request; ///< without the prompt's ids
    std::optional<std::string> recordPath;
    std::optional<std::string> tokensPath; ///< ends in .csv or .json
    std::optional<RunRequirements> requirements;
    bool writesJson = false;
};

std::span<const OptionSpec> runOptionTable();
constexpr const char* kRunUsage
    = "--model FILE (--prompt TEXT | --messages FILE | --raw TEXT) [options]";

/// A random seed is drawn when none is given. Errors: BadRequest and Io, both usage errors.
engine::Result<RunOptions> runOptionsFrom(const Arguments& arguments);

} // namespace app
