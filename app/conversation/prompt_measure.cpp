#include "app/conversation/prompt_measure.h"

#include <algorithm>

namespace app {

std::optional<int> PromptMeasure::roomTokens() const
{
    if (!promptTokens)
        return std::nullopt;
    return std::max(0, contextLength - *promptTokens);
}

MeasuredPrompt measurePrompt(const MeasureRequest& request)
{
    MeasuredPrompt measured;
    measured.model = request.model;
    PromptMeasure& measure = measured.measure;
    PromptParts parts = request.parts;
    for (size_t i = 0; i < parts.sources.size(); ++i) {
        if (!parts.sourceTokens[i])
            parts.sourceTokens[i] = countTokens(*request.model, parts.sources[i]);
        measured.sourceTokens[parts.sources[i].sha256] = *parts.sourceTokens[i];
        measure.sourceTokens += *parts.sourceTokens[i];
    }
    measure.messageTokens = int(request.model->tokenizer->encodeText(request.message).size());
    measure.contextLength = int(request.room.contextLength);
    measure.lengthCap = int(request.room.lengthCap);
    if (!request.isPromptKnown)
        return measured;
    // Formatting texts this long takes seconds, and would only say the same.
    if (measure.sourceTokens >= measure.contextLength) {
        measure.promptTokens = measure.sourceTokens + measure.messageTokens;
        measure.isLeast = true;
        return measured;
    }
    const auto prompt = formatToFit(*request.model, std::move(parts), request.room, request.now);
    if (prompt) {
        measure.promptTokens = int(prompt->ids.size());
        measure.droppedTurnCount = int(prompt->droppedTurnCount);
    }
    return measured;
}

} // namespace app
