#pragma once

#include "engine/session/generation_event.h"
#include "engine/session/model_event.h"
#include "engine/session/score_event.h"

namespace engine {

/// Where the inference thread puts what happened. Called on that thread only; must return at once.
class EventSink {
public:
    virtual ~EventSink() = default;
    virtual void push(GenerationEvent event) = 0;
    virtual void push(ModelEvent event) = 0;
    virtual void push(ScoreEvent event) = 0;
};

} // namespace engine
