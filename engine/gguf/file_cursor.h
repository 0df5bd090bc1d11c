#pragma once

#include "engine/base/result.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

static_assert(std::endian::native == std::endian::little, "GGUF numbers are read as they lie");

/// Fills destination from this position of an open file. Error Io when the file ends before.
Result<void> readAt(int descriptor, const std::string& fileName, uint64_t offset,
    std::byte* destination, uint64_t byteCount);

/// A forward-only reader of a file's header: buffered, and never past the file's end.
/// Errors: BadFile with file, field and byte offset; Io. Borrows the descriptor.
class FileCursor {
public:
    FileCursor(int descriptor, std::string fileName, uint64_t fileBytes);

    uint64_t position() const { return m_position; }
    uint64_t remaining() const { return m_fileBytes - m_position; }

    /// What the next reads are about, for error messages: "metadata key 3".
    void setField(std::string field) { m_field = std::move(field); }
    const std::string& field() const { return m_field; }
    /// A BadFile error about the current field and position.
    Error fail(std::string_view reason) const;

    template <typename T> Result<T> readNumber()
    {
        T value {};
        TRY(readBytes(reinterpret_cast<std::byte*>(&value), sizeof(T)));
        return value;
    }
    /// A 64-bit length and that many bytes.
    Result<std::string> readString(uint64_t maxBytes);
    Result<void> readBytes(std::byte* destination, uint64_t byteCount);

private:
    Result<void> fillBuffer();

    int m_descriptor;
    std::string m_fileName;
    std::string m_field = "header";
    uint64_t m_fileBytes;
    uint64_t m_position = 0;
    std::vector<std::byte> m_buffer; ///< file bytes m_bufferStart .. + size
    uint64_t m_bufferStart = 0;
};

/// Bytes of a file as text for a message: control and other bytes escaped, shortened.
std::string quotedBytes(std::string_view bytes);

} // namespace engine
