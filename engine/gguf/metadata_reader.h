#pragma once

#include "engine/gguf/file_cursor.h"
#include "engine/gguf/metadata.h"

namespace engine {

/// Reads keyCount key-value pairs at the cursor into a Metadata that names this file in its errors.
/// Limits (engine/gguf/README.md): key and text lengths, array elements, one level of arrays, no
/// key twice.
Result<Metadata> readMetadata(FileCursor& cursor, uint64_t keyCount, std::string fileName);

} // namespace engine
