#pragma once

#include "engine/chat/jinja/value.h"

#include <nlohmann/json.hpp>

namespace engine::jinja {

/// The value that a template sees for a piece of JSON; its texts come from a person.
/// Errors: nested too deep, a number past 64 bits.
Result<Value> valueFromJson(Meter& meter, const nlohmann::ordered_json& json);

/// The same for the messages of a chat. A role that is one of the usual words counts as the
/// template's own text, so that '<|' + message.role + '|>' can be a control token. A content that
/// is one text knows which message it is of.
Result<Value> messagesFromJson(Meter& meter, const nlohmann::ordered_json& messages);

} // namespace engine::jinja
