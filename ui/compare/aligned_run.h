#pragma once

#include "app/compare/compared_run.h"
#include "engine/session/model_event.h"

#include <QString>

#include <memory>

namespace ui {

/// A run in a comparison, with what writes its tokens out.
struct AlignedRun {
    QString label; ///< "A", "cap 8"
    app::ComparedRun run;
    std::shared_ptr<const engine::ModelText> text; ///< null: the vocabulary is not at hand
    bool isUnderWay = false; ///< more tokens may come

    /// Any token written out as a chip draws it; "#335" without a vocabulary.
    QString drawn(engine::TokenId id) const;
    /// The run's own token, from its recorded bytes.
    QString drawnAt(size_t token) const;
};

} // namespace ui
