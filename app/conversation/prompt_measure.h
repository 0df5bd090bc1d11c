#pragma once

#include "app/conversation/prompt.h"

#include <map>
#include <memory>

namespace app {

/// What sending a message would take, in the loaded model's own tokens.
struct PromptMeasure {
    int messageTokens = 0; ///< of what is typed, by itself
    std::optional<int> promptTokens; ///< of the whole next prompt; none: it cannot be formatted
    bool isLeast = false; ///< it has more: source texts alone do not fit, and no more was counted
    int contextLength = 0;
    int lengthCap = 0;
    int droppedTurnCount = 0; ///< messages that the context policy would leave out
    int sourceTokens = 0; ///< of all source texts, each by itself

    /// New tokens that the context has room for; none: the next prompt is not known.
    std::optional<int> roomTokens() const;
    /// At least one token can be written.
    bool fits() const { return roomTokens() && *roomTokens() > 0; }
    bool operator==(const PromptMeasure&) const = default;
};

/// What measuring needs to know. Values: any thread may measure.
struct MeasureRequest {
    std::shared_ptr<const engine::ModelText> model; ///< shared with the workspace, which may unload
    std::string message; ///< that is typed
    PromptParts parts; ///< with the message
    bool isPromptKnown = true; ///< not while an answer is written that will be in it
    PromptRoom room;
    std::chrono::sys_seconds now;
};

/// A measure, and what was counted on the way.
struct MeasuredPrompt {
    PromptMeasure measure;
    std::map<std::string, int> sourceTokens; ///< by the SHA-256 of source texts
    std::shared_ptr<const engine::ModelText> model; ///< whose tokens they are; see MeasureRequest
};

/// Formats and tokenises, which takes a while with long texts. Any thread.
MeasuredPrompt measurePrompt(const MeasureRequest& request);

} // namespace app
