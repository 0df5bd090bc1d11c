#include "engine/gguf/gguf_writer.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace engine {

namespace {
    constexpr uint32_t kVersion = 3;
    constexpr uint64_t kAlignment = 32; // the default: no key says another
    constexpr uint64_t kPieceBytes = 4 << 20;

    /// Value types numbered as in the file format.
    enum class ValueType : uint32_t {
        Uint32 = 4,
        Int32 = 5,
        Float32 = 6,
        Bool = 7,
        String = 8,
        Array = 9
    };

    // Little-endian machines only, as everywhere in the engine.
    template <typename T> std::string bytesOf(T value)
    {
        return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    }
    std::string stringBytes(std::string_view text)
    {
        return bytesOf(uint64_t(text.size())) + std::string(text);
    }
    std::string keyBytes(const std::string& key, ValueType type)
    {
        return stringBytes(key) + bytesOf(uint32_t(type));
    }
    uint64_t padded(uint64_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

    /// A file being written; removed again unless it is kept.
    class NewFile {
    public:
        explicit NewFile(std::filesystem::path path)
            : m_path(std::move(path))
            , m_descriptor(::open(m_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600))
        {
        }
        NewFile(const NewFile&) = delete;
        NewFile& operator=(const NewFile&) = delete;
        ~NewFile()
        {
            if (m_descriptor < 0)
                return;
            ::close(m_descriptor);
            if (!m_kept)
                ::unlink(m_path.c_str());
        }

        bool isOpen() const { return m_descriptor >= 0; }
        Error failed() const
        {
            return Error::io(m_path.string() + ": cannot be written: " + std::strerror(errno));
        }
        Result<void> write(const void* bytes, uint64_t count)
        {
            const char* next = static_cast<const char*>(bytes);
            while (count > 0) {
                const ssize_t written = ::write(m_descriptor, next, count);
                if (written < 0 && errno == EINTR)
                    continue;
                if (written <= 0)
                    return failed();
                next += written;
                count -= uint64_t(written);
            }
            return {};
        }
        void keep() { m_kept = true; }

    private:
        std::filesystem::path m_path;
        int m_descriptor;
        bool m_kept = false;
    };
}

void GgufWriter::setUint32(const std::string& key, uint32_t value)
{
    m_keys += keyBytes(key, ValueType::Uint32) + bytesOf(value);
    ++m_keyCount;
}

void GgufWriter::setFloat(const std::string& key, float value)
{
    m_keys += keyBytes(key, ValueType::Float32) + bytesOf(value);
    ++m_keyCount;
}

void GgufWriter::setBool(const std::string& key, bool value)
{
    m_keys += keyBytes(key, ValueType::Bool) + bytesOf(uint8_t(value));
    ++m_keyCount;
}

void GgufWriter::setString(const std::string& key, std::string_view text)
{
    m_keys += keyBytes(key, ValueType::String) + stringBytes(text);
    ++m_keyCount;
}

void GgufWriter::setStrings(const std::string& key, const std::vector<std::string>& texts)
{
    m_keys += keyBytes(key, ValueType::Array) + bytesOf(uint32_t(ValueType::String))
        + bytesOf(uint64_t(texts.size()));
    for (const std::string& text : texts)
        m_keys += stringBytes(text);
    ++m_keyCount;
}

void GgufWriter::setInt32s(const std::string& key, const std::vector<int32_t>& values)
{
    m_keys += keyBytes(key, ValueType::Array) + bytesOf(uint32_t(ValueType::Int32))
        + bytesOf(uint64_t(values.size()));
    for (const int32_t value : values)
        m_keys += bytesOf(value);
    ++m_keyCount;
}

Result<std::string> GgufWriter::header() const
{
    std::string header = "GGUF" + bytesOf(kVersion) + bytesOf(uint64_t(m_tensors.size()))
        + bytesOf(m_keyCount) + m_keys;
    uint64_t offset = 0;
    for (const TensorPlan& tensor : m_tensors) {
        TRY_ASSIGN(const uint64_t bytes, tensorBytes(tensor.type, tensor.dimensions));
        header += stringBytes(tensor.name) + bytesOf(uint32_t(tensor.dimensions.size()));
        for (const uint64_t dimension : tensor.dimensions)
            header += bytesOf(dimension);
        header += bytesOf(uint32_t(tensor.type)) + bytesOf(offset);
        offset += padded(bytes);
    }
    header.resize(padded(header.size()));
    return header;
}

Result<void> GgufWriter::save(const std::filesystem::path& path, const Fill& fill) const
{
    TRY_ASSIGN(const std::string head, header());
    NewFile file(path);
    if (!file.isOpen())
        return file.failed();
    TRY(file.write(head.data(), head.size()));
    std::vector<std::byte> piece;
    for (const TensorPlan& tensor : m_tensors) {
        TRY_ASSIGN(const uint64_t bytes, tensorBytes(tensor.type, tensor.dimensions));
        const uint64_t quantBlock = tensorTypeInfo(tensor.type).bytesPerQuantBlock;
        const uint64_t step = kPieceBytes / quantBlock * quantBlock;
        for (uint64_t done = 0; done < bytes; done += piece.size()) {
            piece.resize(std::min(step, bytes - done));
            if (!fill(tensor, piece))
                return Error::cancelled(path.string() + ": writing it was stopped");
            TRY(file.write(piece.data(), piece.size()));
        }
        const std::string padding(padded(bytes) - bytes, '\0');
        TRY(file.write(padding.data(), padding.size()));
    }
    file.keep();
    return {};
}

} // namespace engine
