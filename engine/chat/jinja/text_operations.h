#pragma once

#include "engine/chat/jinja/value.h"

/// What Python's str methods and Jinja's text filters share. Every result keeps the origins of the
/// characters it takes; indices and widths count code points.
namespace engine::jinja {

enum class Side { Both, Left, Right };
/// Without these characters at its sides; whitespace when chars is null.
Text trimmed(const Text& text, Side side, const Text* chars);

/// The bytes [begin, end) as a text of their own.
Text part(const Text& text, size_t begin, size_t end);

/// Replaces the first count occurrences; all of them when count is negative.
struct Replacement {
    const Text& before;
    const Text& after;
    int64_t count = -1;
};
Result<Value> replaced(Meter& meter, const Text& text, const Replacement& replacement);

/// Splits at a separator (whitespace runs when null), at most maxSplits times (negative: no limit).
struct SplitOptions {
    const Text* separator = nullptr;
    int64_t maxSplits = -1;
    bool fromRight = false;
};
/// Error: an empty separator.
Result<std::vector<Value>> split(Meter& meter, const Text& text, const SplitOptions& options);
Result<std::vector<Value>> splitLines(Meter& meter, const Text& text, bool keepsEnds);

/// separator.join(items), each written as text.
Result<Value> joined(Meter& meter, const Text& separator, const std::vector<Value>& items);

enum class LetterCase { Upper, Lower, Capitalized, Title, Swapped };
Text withCase(const Text& text, LetterCase form);

/// Filled up to the width on the side opposite to where the text stands.
enum class Alignment { Left, Right, Center };
struct Padding {
    int64_t width = 0;
    std::string fill = " ";
    Alignment alignment = Alignment::Left;
};
Result<Value> padded(Meter& meter, const Text& text, const Padding& padding);

} // namespace engine::jinja
