#pragma once

#include "engine/gguf/gguf_file.h"

#include <cstdint>
#include <span>
#include <string>

namespace engine {

/// One row of the only table of file types: the mixes of tensor types that people know a file by.
struct FileTypeInfo {
    uint32_t number; ///< as `general.file_type` has it
    const char* name; ///< "Q4_K_M"
};

/// Source: the GGUF specification (ggml-org/ggml, docs/gguf.md) and llama.cpp's `llama_ftype`.
std::span<const FileTypeInfo> fileTypeTable();

/// The name of a file's quantization: of its `general.file_type`, else of the tensor type that most
/// of its bytes have. "" only for a file without tensors.
std::string quantizationName(const GgufFile& file);

} // namespace engine
