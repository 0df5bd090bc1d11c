#pragma once

#include <string>
#include <utility>

namespace engine {

enum class ErrorCode {
    BadFile, ///< a model file breaks its format or contradicts itself
    Unsupported, ///< well formed, but this engine does not implement it
    BadTemplate, ///< a chat template cannot be parsed or evaluated
    TemplateRefused, ///< the template itself raised: the message is the template's own
    BadRequest, ///< an argument, setting or message that cannot be used
    ContextFull, ///< the prompt needs more positions than the context has
    OutOfMemory,
    NoDevice,
    DeviceLost,
    NotFinite, ///< NaN or infinity in the logits
    Cancelled,
    Io,
};

/// The stable name of an error code, as written in records and JSON ("bad_file").
const char* errorCodeName(ErrorCode code);

/// An expected failure, in words a user understands: what failed, which file or field, what to do.
struct Error {
    ErrorCode code = ErrorCode::BadRequest;
    std::string message;

    static Error badFile(std::string message) { return { ErrorCode::BadFile, std::move(message) }; }
    static Error unsupported(std::string message) { return { ErrorCode::Unsupported, std::move(message) }; }
    static Error badTemplate(std::string message) { return { ErrorCode::BadTemplate, std::move(message) }; }
    static Error templateRefused(std::string message) { return { ErrorCode::TemplateRefused, std::move(message) }; }
    static Error badRequest(std::string message) { return { ErrorCode::BadRequest, std::move(message) }; }
    static Error contextFull(std::string message) { return { ErrorCode::ContextFull, std::move(message) }; }
    static Error outOfMemory(std::string message) { return { ErrorCode::OutOfMemory, std::move(message) }; }
    static Error noDevice(std::string message) { return { ErrorCode::NoDevice, std::move(message) }; }
    static Error deviceLost(std::string message) { return { ErrorCode::DeviceLost, std::move(message) }; }
    static Error notFinite(std::string message) { return { ErrorCode::NotFinite, std::move(message) }; }
    static Error cancelled(std::string message) { return { ErrorCode::Cancelled, std::move(message) }; }
    static Error io(std::string message) { return { ErrorCode::Io, std::move(message) }; }

    bool operator==(const Error&) const = default;
};

} // namespace engine
