#pragma once

#include "engine/base/result.h"
#include "engine/session/stop_reason.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace app {

/// Which program an answer comes from, as far as its form tells.
enum class ResponseForm {
    OpenAi, ///< /v1/chat/completions and /v1/completions, and servers that speak alike
    LlamaServer, ///< llama-server's own /completion
    LmStudio, ///< LM Studio's REST API: OpenAI's form with "stats"
};
/// "an OpenAI-style server", ...
const char* responseFormName(ResponseForm form);

/// What a reported reason means here; "stop" of an OpenAI-style answer is an end token or a stop
/// string, and nobody can tell which: then there is no reason. A remark of the table may say what
/// else of the response decides.
std::optional<engine::StopReason> reasonFor(ResponseForm form, std::string_view reported);

/// One row of the only table of other programs' reasons; the reference page is made of it.
struct ReportedReason {
    ResponseForm form;
    const char* reported;
    std::optional<engine::StopReason> reason;
    const char* remark; ///< "" = none
};
std::span<const ReportedReason> reportedReasons();

/// A response of such a program as a run record, schema 1, started by "import": what it does not
/// report is null. Only the first of several answers is taken; imported.choice_count says how many there were. Errors: BadFile for what is no
/// response, naming what is missing.
engine::Result<nlohmann::ordered_json> recordFromResponse(std::string_view json);

} // namespace app
