#pragma once

#include "ui/compare/aligned_run.h"

#include <nlohmann/json.hpp>

namespace app {
class Workspace;
}

namespace ui {

/// A run record as comparing shows it, from the start of its answer on. Its vocabulary is at hand
/// when the model that is loaded is its own.
AlignedRun alignedRun(const nlohmann::ordered_json& record, const QString& label, const app::Workspace& workspace);

} // namespace ui
