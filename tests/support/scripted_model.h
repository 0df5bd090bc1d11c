#pragma once

#include "engine/session/loaded_model.h"
#include "engine/session/scripted_timeline.h"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace tests {

/// A vocabulary-only model file of single-byte pieces and the given words, which begin at id
/// kFirstWord. Two ids end a generation; there is a BOS, which is added when `addsBos` says so.
struct WordFile {
    std::vector<std::string> words;
    std::string chatTemplate; ///< "" = none
    bool addsBos = false;

    static constexpr engine::TokenId kBos = 0;
    static constexpr engine::TokenId kEnd = 1; ///< "<|im_end|>"
    static constexpr engine::TokenId kStart = 2; ///< "<|im_start|>"
    static constexpr engine::TokenId kFirstByte = 3; ///< byte 0; the others follow
    static constexpr engine::TokenId kFirstWord = kFirstByte + 256;

    int vocabularySize() const { return kFirstWord + int(words.size()); }
    engine::TokenId word(size_t index) const { return kFirstWord + engine::TokenId(index); }
    void save(const std::filesystem::path& path) const;
};

/// What a scripted model does beside answering.
struct ScriptedModelOptions {
    engine::Script script;
    std::function<void()> beforeAppend; ///< on the inference thread
    std::function<engine::Result<void>(const engine::ModelLoadControl&)> whileLoading;
};

/// Opens the vocabulary of the requested file and answers from the script. The template of the
/// file, when there is one, is parsed and offered as it is.
engine::EngineFactory scriptedFactory(ScriptedModelOptions options);

} // namespace tests
