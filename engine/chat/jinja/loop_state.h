#pragma once

#include "engine/chat/jinja/value.h"

namespace engine::jinja {

struct ForLoop;

/// What `loop` stands for inside a for tag.
struct LoopState {
    std::vector<Value> items;
    size_t index = 0; ///< of the current item, from 0
    int nesting = 0; ///< of a recursive loop, from 0
    int depth = 1;
    const ForLoop* recursiveTag = nullptr; ///< set where `loop(...)` may be called
    std::shared_ptr<Scope>
        scope; // shared: calls of loop() evaluate in it; let go when the loop ends
    std::optional<std::vector<Value>> changedArguments; ///< of the last loop.changed(...)
    MemoryCharge charge;
};

/// An attribute of `loop` ("index0"), undefined when there is none of this name.
Value loopAttribute(Meter& meter, const LoopState& loop, std::string_view name);

} // namespace engine::jinja
