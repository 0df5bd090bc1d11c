#pragma once

#include "app/conversation/turn_tree.h"

namespace app {

/// What likely made a prompt leave what the KV cache held.
enum class MissReason {
    NotKnown,
    GoesOn, ///< nothing differs: the cache ends where the new text begins
    NothingHeld, ///< nothing was read since the model was loaded
    OtherModel,
    OtherKvType,
    GaveWay, ///< it was held, and was taken out for newer tokens
    NoRoom, ///< no page was left to copy the rest into
    OtherTemplate,
    TemplateText, ///< the template itself wrote something else
    TurnsLeftOut, ///< by the context policy
    SystemText,
    SourceText,
    Message, ///< a person's was changed
    EarlierAnswer, ///< another text stands in its place
    AnswerBlanks, ///< its text differs in blanks and line ends only
    ThinkingRemoved,
    OtherTokens, ///< the same text, divided otherwise
};

/// Where and why a prompt left the cache: the first token that differs, and what likely made it so.
struct CacheLens {
    int position = 0; ///< of the first token that was not found
    std::optional<engine::TokenId> wantedId; ///< the prompt's there
    std::optional<engine::TokenId> heldId; ///< the cache's there; none: it has none, or several
    std::string wanted; ///< its bytes, control tokens written out; "": not at hand
    std::string held;
    MissReason reason = MissReason::NotKnown;

    bool operator==(const CacheLens&) const = default;
};

/// The run of the chat before this one whose tokens begin like its prompt for longest: what the
/// cache most likely held for it. Null: this is the first. Runs without details count last.
const Draft* runToCompare(const TurnTree& tree, const Draft& run);

/// None: there was no miss, or it was not observed. before: null where no run came before.
/// Everything is derived from values: what both runs were given, and what the engine observed.
std::optional<CacheLens> cacheLens(
    const Draft& run, const Draft* before, const engine::ModelText* fallback);

} // namespace app
