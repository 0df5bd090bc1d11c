#pragma once

#include <array>
#include <span>
#include <string_view>

namespace engine {

/// How one kind of byte-level BPE vocabulary cuts text into words before merging.
struct PreTokenizerInfo {
    const char* name; ///< `tokenizer.ggml.pre`
    /// Applied one after the other: each cuts the parts that the one before left.
    std::array<const char*, 2> patterns; ///< nullptr: none
    bool normalizesNfc; ///< the vocabulary was trained on text in normalisation form C
    bool wholeWordsFirst; ///< a word that is a piece of its own is not merged up from its bytes
    bool addsBosByDefault; ///< when the file does not say (`tokenizer.ggml.add_bos_token`)
};

/// Every pre-tokenizer this engine knows; all others are refused by name.
/// Sources: the tokenizer.json files published with GPT-2, StarCoder, Refact, SmolLM2, Llama 3 and
/// Qwen2; each row is held to the reference vectors.
std::span<const PreTokenizerInfo> preTokenizerTable();

/// The row of a name, or nullptr.
const PreTokenizerInfo* findPreTokenizer(std::string_view name);

} // namespace engine
