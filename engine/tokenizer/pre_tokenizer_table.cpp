#include "engine/tokenizer/pre_tokenizer_table.h"

// White space and its opposite as Unicode's White_Space property has them: PCRE2's own \s counts
// U+180E in addition.
#define SPACE "[\\x{09}-\\x{0D}\\x{85}\\p{Z}]"
#define NO_SPACE "[^\\x{09}-\\x{0D}\\x{85}\\p{Z}]"
#define SPACE_SET "\\x{09}-\\x{0D}\\x{85}\\p{Z}"

#define CONTRACTIONS "'s|'t|'re|'ve|'m|'ll|'d"
// A run of blanks leaves its last one to the word that follows.
#define BLANKS SPACE "+(?!" NO_SPACE ")|" SPACE "+"

namespace engine {

namespace {
    constexpr const char* kDigit = "\\p{N}";

    constexpr const char* kGpt2
        = CONTRACTIONS "| ?\\p{L}+| ?\\p{N}+| ?[^" SPACE_SET "\\p{L}\\p{N}]+|" BLANKS;

    constexpr const char* kLlama3
        = "(?i:" CONTRACTIONS ")|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}"
          "| ?[^" SPACE_SET "\\p{L}\\p{N}]+[\\r\\n]*|" SPACE "*[\\r\\n]+|" BLANKS;

    constexpr const char* kQwen2
        = "(?i:" CONTRACTIONS ")|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}"
          "| ?[^" SPACE_SET "\\p{L}\\p{N}]+[\\r\\n]*|" SPACE "*[\\r\\n]+|" BLANKS;

    constexpr PreTokenizerInfo kTable[] = {
        // name, patterns, normalizesNfc, wholeWordsFirst, addsBosByDefault
        { "gpt-2", { kGpt2, nullptr }, false, false, false },
        { "smollm", { kDigit, kGpt2 }, false, false, false },
        { "starcoder", { kDigit, kGpt2 }, false, false, false },
        { "refact", { kDigit, kGpt2 }, false, false, false },
        { "llama-bpe", { kLlama3, nullptr }, false, true, true },
        { "qwen2", { kQwen2, nullptr }, true, false, false },
    };
}

std::span<const PreTokenizerInfo> preTokenizerTable() { return kTable; }

const PreTokenizerInfo* findPreTokenizer(std::string_view name)
{
    for (const PreTokenizerInfo& row : kTable)
        if (name == row.name)
            return &row;
    return nullptr;
}

} // namespace engine
