#pragma once

#include <string>
#include <vector>

namespace app {

/// `tokenglass render`: reads JSON lines from stdin, each an object with template, messages and, as
/// wanted, add_generation_prompt, continue_final_message (both false when left out), variables
/// (null is none), bos_token, eos_token and now ("2026-11-29T12:00:00", else the clock). Writes one
/// line for each: {"text"}, or {"error":{"kind","message"}} with the kind raise_exception (the
/// template's own words), template_syntax, template_runtime, continue_refused or bad_request. Exit
/// code 0 when every line was answered, whatever the answers are.
int runRenderCommand(const std::vector<std::string>& arguments);

} // namespace app
