#pragma once

#include "app/conversation/answer.h"

namespace app {

/// What an answer's tokens become when the next prompt repeats its text: text can be divided in
/// several ways, and a model need not have written the one its tokenizer chooses.
struct RoundTrip {
    int tokenCount = 0; ///< of the answer, without end tokens
    /// Of the answer's tokens, 0 = its first; tokenCount: behind its last. None: all are the same.
    std::optional<int> firstDifference;
    /// In the whole timeline. May be before the answer, where the first token would join what
    /// stands in front of it.
    int position = 0;

    bool operator==(const RoundTrip&) const = default;
};

/// What a template does to the text besides (some cut off blanks) is not looked at.
/// None: the answer has not ended, no model wrote on it, or its ids or vocabulary are not at hand.
/// fallback: for answers without a vocabulary of their own; may be null.
std::optional<RoundTrip> roundTrip(const Answer& answer, const engine::ModelText* fallback);

} // namespace app
