#pragma once

#include "engine/base/error.h"
#include "engine/base/token.h"
#include "engine/chat/template_choice.h"
#include "engine/tokenizer/tokenizer.h"
#include "engine/vulkan/device_description.h"

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace engine {

/// What a person and a record want to know of a loaded model.
struct ModelDescription {
    std::string path;
    uint64_t fileBytes = 0;
    std::string name; ///< the file's stem; general.name is often the name of a training run
    std::string architecture;
    std::string tensorTypes; ///< "Q4_1 (211), F32 (61), Q8_0 (1)", most bytes first
    std::string tokenizerName;
    int vocabularySize = 0;
    int trainedContextLength = 0;
    int contextLength = 0; ///< positions this engine was opened with
    uint64_t parameterCount = 0;
    uint64_t tensorBytes = 0; ///< of all tensors in the file
    uint64_t deviceWeightBytes = 0;
    uint64_t peakLoadBytes = 0; ///< weights and staging on the device, as its allocator counts
    uint64_t kvBytes = 0;
    std::string kvType; ///< "f16"
    std::string rope; ///< what rotates keys: "base 10000, scale 1"; with a window's own after ";"
    std::string numericsTier; ///< "scalar"
    std::string fingerprint; ///< identifies the file's contents for cache matching
    DeviceDescription device;

    bool operator==(const ModelDescription&) const = default;
};

/// The immutable text side of a loaded model. Shared (const) by the inference thread and the
/// GUI thread: both tokenise, and either may outlive the other.
struct ModelText {
    std::unique_ptr<Tokenizer> tokenizer;
    TemplateOffer offer;
    /// Parsed from offer.ownSource when it is usable.
    std::optional<ChatTemplate> ownTemplate;
};

struct ModelLoadRequest {
    std::string path;
    std::string deviceUuid; ///< "" = best by the ranking
    int contextLength = 0; ///< 0 = the smaller of the model's and what fits

    bool operator==(const ModelLoadRequest&) const = default;
};

struct ModelLoadProgress {
    std::string step; ///< "reading weights", "compiling kernels", "self-test"
    uint64_t done = 0;
    uint64_t total = 0;
};
struct ModelLoaded {
    ModelDescription description;
    std::shared_ptr<const ModelText> text;
};
struct ModelLoadFailed {
    ModelLoadRequest request;
    Error error;
};
struct ModelUnloaded {
    std::string path;
};

using ModelEvent = std::variant<ModelLoadProgress, ModelLoaded, ModelLoadFailed, ModelUnloaded>;

} // namespace engine
