#pragma once

#include "engine/session/timeline.h"

namespace engine {

/// Sequences of one model that are computed in one pass together. What they have in common from the
/// start is held once. A real seam: SessionGroup runs them on the device. Inference thread only.
class SideBySide {
public:
    virtual ~SideBySide() = default;

    /// How many there can be.
    virtual int count() const = 0;
    virtual Timeline& timeline(int sequence) = 0;

    struct Added {
        int sequence = 0;
        TokenId id = 0;
    };
    /// Makes room for a token more. Error OutOfMemory when the cache is full of what others hold.
    virtual Result<void> reserve(int sequence) = 0;
    /// One decode pass: adds a token to each of these (of which room was made) and computes their
    /// logits. At most count() of them, each once. The scores do not depend on who is with whom.
    virtual Result<void> append(std::span<const Added> added) = 0;
    /// Lets go of what the sequence holds; it can still be found again by its tokens.
    virtual void release(int sequence) = 0;
};

} // namespace engine
