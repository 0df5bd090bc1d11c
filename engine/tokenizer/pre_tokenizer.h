#pragma once

#include "engine/base/result.h"
#include "engine/tokenizer/pre_tokenizer_table.h"

#include <memory>
#include <string_view>
#include <vector>

namespace engine {

/// Cuts text into the words inside which BPE may merge. Immutable: any thread. Needs little
/// stack and time that grows about linearly, however long a run is (G-17).
class PreTokenizer {
public:
    /// Error Unsupported when the regular expression library refuses a pattern.
    static Result<PreTokenizer> create(const PreTokenizerInfo& info);

    PreTokenizer(PreTokenizer&&) noexcept;
    PreTokenizer& operator=(PreTokenizer&&) noexcept;
    ~PreTokenizer();

    /// The words of a text in order; joined they are the text, byte for byte. They point into it.
    /// Bytes that are no UTF-8 become words of their own.
    std::vector<std::string_view> words(std::string_view text) const;

private:
    class Pattern;
    PreTokenizer();
    std::vector<std::unique_ptr<Pattern>> m_patterns;
};

} // namespace engine
