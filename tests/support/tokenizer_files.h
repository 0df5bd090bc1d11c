#pragma once

#include "engine/tokenizer/tokenizer.h"
#include "tests/support/reference_data.h"

#include <cstdlib>
#include <iostream>

namespace tests {

/// The file behind a name of reference/tokenizer ("smollm2", "llama-bpe", "arch-llama").
/// None when it is absent.
inline std::optional<std::filesystem::path> vocabularyFile(const std::string& name)
{
    if (name == "smollm2")
        return realModel(kSmolLM2);
    if (name == "gemma3")
        return realModel(kGemma3);
    const auto reference = referenceFolder();
    if (!reference)
        return std::nullopt;
    const bool isModel = name.rfind("arch-", 0) == 0;
    const auto path = *reference / (isModel ? "models" : "vocab") / (name + ".gguf");
    return std::filesystem::exists(path) ? std::optional(path) : std::nullopt;
}

inline engine::Result<std::unique_ptr<engine::Tokenizer>> openTokenizer(
    const std::filesystem::path& path)
{
    TRY_ASSIGN(const engine::GgufFile file, engine::GgufFile::open(path));
    return engine::Tokenizer::create(file);
}

/// Ends the test program with the error when the file has no tokenizer for us.
inline std::unique_ptr<engine::Tokenizer> loadTokenizer(const std::filesystem::path& path)
{
    auto tokenizer = openTokenizer(path);
    if (tokenizer)
        return std::move(*tokenizer);
    std::cerr << path << ": " << tokenizer.error().message << "\n";
    std::abort();
}

} // namespace tests
