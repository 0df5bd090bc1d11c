#pragma once

#include <span>
#include <string_view>

namespace engine {

/// A control token that ends a turn or a document by its name alone.
struct EndTokenName {
    std::string_view piece;
    /// Where this control token exists too, the name only separates parts of an answer; "": always
    /// ends.
    std::string_view unlessVocabularyHas;
};

/// Names by which model families end an answer. Files often declare one end id only and leave the
/// end of a turn to this convention.
std::span<const EndTokenName> endTokenTable();

} // namespace engine
