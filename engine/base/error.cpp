#include "engine/base/error.h"

namespace engine {

const char* errorCodeName(ErrorCode code)
{
    switch (code) {
    case ErrorCode::BadFile:
        return "bad_file";
    case ErrorCode::Unsupported:
        return "unsupported";
    case ErrorCode::BadTemplate:
        return "bad_template";
    case ErrorCode::TemplateRefused:
        return "template_refused";
    case ErrorCode::BadRequest:
        return "bad_request";
    case ErrorCode::ContextFull:
        return "context_full";
    case ErrorCode::OutOfMemory:
        return "out_of_memory";
    case ErrorCode::NoDevice:
        return "no_device";
    case ErrorCode::DeviceLost:
        return "device_lost";
    case ErrorCode::NotFinite:
        return "not_finite";
    case ErrorCode::Cancelled:
        return "cancelled";
    case ErrorCode::Io:
        return "io";
    }
    return "unknown";
}

} // namespace engine
