#include "engine/gguf/file_cursor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <unistd.h>

namespace engine {

namespace {
    constexpr uint64_t kBufferBytes = 1 << 20;
    constexpr uint64_t kReadAtMost = 1 << 30; // Linux cuts larger reads anyway
}

Result<void> readAt(int descriptor, const std::string& fileName, uint64_t offset,
    std::byte* destination, uint64_t byteCount)
{
    while (byteCount > 0) {
        const ssize_t got
            = ::pread(descriptor, destination, std::min(byteCount, kReadAtMost), off_t(offset));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return Error::io(fileName + ": cannot read at byte " + std::to_string(offset) + ": "
                + std::strerror(errno));
        if (got == 0)
            return Error::io(fileName + ": the file ends at byte " + std::to_string(offset)
                + "; it was cut or replaced after it was opened");
        destination += got;
        offset += uint64_t(got);
        byteCount -= uint64_t(got);
    }
    return {};
}

FileCursor::FileCursor(int descriptor, std::string fileName, uint64_t fileBytes)
    : m_descriptor(descriptor)
    , m_fileName(std::move(fileName))
    , m_fileBytes(fileBytes)
{
}

Error FileCursor::fail(std::string_view reason) const
{
    return Error::badFile(m_fileName + ": " + m_field + " (before byte "
        + std::to_string(m_position) + "): " + std::string(reason));
}

Result<void> FileCursor::fillBuffer()
{
    m_bufferStart = m_position;
    m_buffer.resize(std::min(kBufferBytes, remaining()));
    return readAt(m_descriptor, m_fileName, m_bufferStart, m_buffer.data(), m_buffer.size());
}

Result<void> FileCursor::readBytes(std::byte* destination, uint64_t byteCount)
{
    if (byteCount > remaining())
        return fail("the file ends here; " + std::to_string(byteCount) + " bytes are needed, "
            + std::to_string(remaining()) + " are left. Download it again");
    while (byteCount > 0) {
        if (m_position - m_bufferStart >= m_buffer.size())
            TRY(fillBuffer());
        const uint64_t offset = m_position - m_bufferStart;
        const uint64_t part = std::min(byteCount, m_buffer.size() - offset);
        std::memcpy(destination, m_buffer.data() + offset, part);
        destination += part;
        m_position += part;
        byteCount -= part;
    }
    return {};
}

Result<std::string> FileCursor::readString(uint64_t maxBytes)
{
    TRY_ASSIGN(const uint64_t byteCount, readNumber<uint64_t>());
    if (byteCount > maxBytes)
        return fail("a text of " + std::to_string(byteCount) + " bytes; at most "
            + std::to_string(maxBytes) + " are allowed");
    if (byteCount > remaining())
        return fail("a text of " + std::to_string(byteCount) + " bytes, but only "
            + std::to_string(remaining()) + " are left in the file");
    std::string text(byteCount, '\0');
    TRY(readBytes(reinterpret_cast<std::byte*>(text.data()), byteCount));
    return text;
}

std::string quotedBytes(std::string_view bytes)
{
    constexpr size_t kMaxBytes = 80;
    constexpr char kHex[] = "0123456789abcdef";
    std::string text = "\"";
    for (const char c : bytes.substr(0, kMaxBytes)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7F)
            text += c;
        else
            text += std::string("\\x") + kHex[byte >> 4] + kHex[byte & 15];
    }
    return text + (bytes.size() > kMaxBytes ? "...\"" : "\"");
}

} // namespace engine
