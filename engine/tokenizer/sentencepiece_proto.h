#pragma once

#include "engine/base/result.h"
#include "engine/tokenizer/vocabulary.h"

#include <string>

namespace engine {

/// A vocabulary as the serialized ModelProto that the sentencepiece library loads: BPE with byte
/// fallback, identity normaliser, white space kept, control tokens never found in text.
/// addsSpacePrefix: GGUF `tokenizer.ggml.add_space_prefix`.
/// Errors: BadFile when only some of the 256 byte pieces exist.
/// Source: google/sentencepiece, sentencepiece_model.proto; Protocol Buffers wire format.
Result<std::string> sentencePieceProto(const Vocabulary& vocabulary, bool addsSpacePrefix);

/// "▁", which stands for a space inside pieces.
constexpr std::string_view kSpaceMark = "\xE2\x96\x81";

/// The text with every occurrence of one string replaced by another.
std::string replacedAll(std::string_view text, std::string_view from, std::string_view to);

} // namespace engine
