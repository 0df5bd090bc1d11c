#pragma once

#include "engine/base/result.h"
#include "engine/session/model_event.h"
#include "engine/session/side_by_side.h"
#include "engine/session/timeline.h"

#include <functional>
#include <memory>

namespace engine {

/// A model ready to answer, as the inference thread holds it. A real seam: the Vulkan engine in
/// the program, the CPU reference and scripted models in tests. Inference thread only.
class LoadedModel {
public:
    virtual ~LoadedModel() = default;

    virtual const ModelDescription& description() const = 0;
    /// Shared with the GUI thread, which tokenises and renders too.
    virtual std::shared_ptr<const ModelText> text() const = 0;
    /// The model's one sequence; lives as long as the model.
    virtual Timeline& timeline() = 0;
    /// Further sequences that are computed together; null where the model has none.
    virtual SideBySide* sideBySide() { return nullptr; }
};

/// What the maker of a model reports to and asks.
struct ModelLoadControl {
    std::function<void(ModelLoadProgress)> progress;
    std::function<bool()> cancelled; ///< asked often enough that a cancel acts within 250 ms
};

/// Opens the model of a request. Called on the inference thread, with no other model open.
/// Errors: what the file, the device or memory refuse; Cancelled.
using EngineFactory = std::function<Result<std::unique_ptr<LoadedModel>>(
    const ModelLoadRequest& request, const ModelLoadControl& control)>;

} // namespace engine
