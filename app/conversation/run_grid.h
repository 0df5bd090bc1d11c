#pragma once

#include "app/compare/what_if_stops.h"
#include "app/conversation/conversation.h"
#include "app/conversation/prompt_format.h"

#include <QString>

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace app {

/// One of several answers to be written beside an existing one.
struct RunVariant {
    QString label; ///< what is particular to it, in words
    /// ChatSettings: the prompt is formatted anew with these (the context policy is the chat's).
    /// StopWish: the answer's last run again, from its very ids and with its seed, but for what
    /// stops it.
    std::variant<ChatSettings, StopWish> how;
    PromptFormat format {}; ///< of ChatSettings: what writes the prompt
    QString modelPath {}; ///< "" = the loaded model; else app::ModelRounds loads this file first
};

struct GridCell {
    QString label;
    MessageId answer = 0; ///< 0: it could not begin
    std::optional<Problem> problem; ///< why it could not
    QString note {}; ///< what else is to be said of it: why it is the same answer as another
    QString state {}; ///< in words, while there is no answer: "waits for the model Gemma"
    bool isToCome = false; ///< there is no answer yet, and there may be one

    bool operator==(const GridCell&) const = default;
};

/// Runs that were asked for together. Their answers are siblings in the conversation.
struct StartedGrid {
    std::string id;
    std::vector<GridCell> cells; ///< in the order of the variants
};

/// How a grid is begun.
struct GridOrder {
    std::string id; ///< of the grid that these runs belong to; "" = one of their own
    bool isOfHolder = false; ///< asked for by whom the model is held for (Workspace::holdModel)
};

constexpr size_t kLargestGrid = 8; ///< runs, as many as a pass computes side by side

/// An id that no other grid has.
std::string newGridId();
/// Of the run that began this turn; null: it is of no grid.
const GridPlace* gridPlaceOf(const Turn& turn);
/// The answers of a grid in the order they were asked for; before them the one they were asked for
/// beside, if that is still there.
std::vector<Turn*> turnsOfGrid(const Conversation& conversation, const std::string& id);

} // namespace app
