#include "engine/gguf/gguf_file.h"

#include "engine/base/checked_math.h"
#include "engine/gguf/file_cursor.h"
#include "engine/gguf/metadata_reader.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <numeric>
#include <sys/stat.h>
#include <unistd.h>

namespace engine {

namespace {
    constexpr char kMagic[4] = { 'G', 'G', 'U', 'F' };
    constexpr uint64_t kMaxKeys = 65'536;
    constexpr uint64_t kMaxTensors = 65'536;
    constexpr uint64_t kMaxTensorNameBytes = 64;
    constexpr uint32_t kMaxDimensions = 4;
    constexpr uint64_t kMaxDimension = 1ull << 31;
    constexpr uint32_t kDefaultAlignment = 32;
    constexpr uint32_t kMaxAlignment = 65'536;

    Result<uint32_t> readVersion(FileCursor& cursor)
    {
        char magic[4];
        TRY(cursor.readBytes(reinterpret_cast<std::byte*>(magic), sizeof magic));
        if (std::memcmp(magic, kMagic, sizeof magic) != 0)
            return cursor.fail("this is not a GGUF model file: it starts with "
                + quotedBytes({ magic, sizeof magic }));
        cursor.setField("format version");
        TRY_ASSIGN(const uint32_t version, cursor.readNumber<uint32_t>());
        if (version == 2 || version == 3)
            return version;
        if ((version & 0xFFFF) == 0 && version != 0)
            return Error::unsupported(cursor.fail("big-endian files are not supported").message);
        return Error::unsupported(cursor
                                      .fail("version " + std::to_string(version)
                                          + " is not supported; versions 2 and 3 are")
                                      .message);
    }

    Result<uint64_t> readCount(FileCursor& cursor, const char* what, uint64_t maxCount)
    {
        cursor.setField(what);
        TRY_ASSIGN(const uint64_t count, cursor.readNumber<uint64_t>());
        if (count > maxCount)
            return cursor.fail(
                std::to_string(count) + "; at most " + std::to_string(maxCount) + " are allowed");
        return count;
    }

    /// Reads one entry; fileOffset is still counted from the start of the tensor section.
    Result<TensorInfo> readTensorInfo(FileCursor& cursor)
    {
        TensorInfo tensor;
        TRY_ASSIGN(tensor.name, cursor.readString(kMaxTensorNameBytes));
        if (tensor.name.empty())
            return cursor.fail("the name is empty");
        cursor.setField("tensor " + quotedBytes(tensor.name));
        TRY_ASSIGN(const uint32_t dimensionCount, cursor.readNumber<uint32_t>());
        if (dimensionCount < 1 || dimensionCount > kMaxDimensions)
            return cursor.fail(std::to_string(dimensionCount) + " dimensions; 1 to 4 are allowed");
        for (uint32_t i = 0; i < dimensionCount; ++i) {
            TRY_ASSIGN(const uint64_t dimension, cursor.readNumber<uint64_t>());
            if (dimension < 1 || dimension > kMaxDimension)
                return cursor.fail("dimension " + std::to_string(i + 1) + " is "
                    + std::to_string(dimension) + "; 1 to " + std::to_string(kMaxDimension)
                    + " are allowed");
            tensor.dimensions.push_back(dimension);
        }
        TRY_ASSIGN(const uint32_t type, cursor.readNumber<uint32_t>());
        if (!findTensorType(type))
            return Error::unsupported(cursor
                                          .fail("tensor type number " + std::to_string(type)
                                              + " is unknown to this program")
                                          .message);
        tensor.type = TensorType(type);
        TRY_ASSIGN(tensor.fileOffset, cursor.readNumber<uint64_t>());
        const Result<uint64_t> bytes = tensorBytes(tensor.type, tensor.dimensions);
        if (!bytes)
            return cursor.fail(bytes.error().message);
        tensor.bytes = *bytes;
        return tensor;
    }

    /// An integer value of any width; the fallback when it is absent, negative or no integer.
    uint64_t unsignedOr(const MetadataValue* value, uint64_t fallback)
    {
        if (!value)
            return fallback;
        return std::visit(
            [fallback](const auto& typed) -> uint64_t {
                using Typed = std::decay_t<decltype(typed)>;
                if constexpr (std::is_integral_v<Typed> && std::is_signed_v<Typed>)
                    return typed < 0 ? fallback : uint64_t(typed);
                else if constexpr (std::is_integral_v<Typed>)
                    return uint64_t(typed);
                else
                    return fallback;
            },
            *value);
    }

    uint64_t roundUp(uint64_t offset, uint64_t alignment)
    {
        return (offset + alignment - 1) / alignment * alignment;
    }
}

uint64_t TensorInfo::rows() const
{
    return std::accumulate(
        dimensions.begin() + 1, dimensions.end(), uint64_t(1), std::multiplies<>());
}

GgufFile::GgufFile(GgufFile&& other) noexcept { *this = std::move(other); }

GgufFile& GgufFile::operator=(GgufFile&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_descriptor, other.m_descriptor);
    std::swap(m_fileBytes, other.m_fileBytes);
    std::swap(m_strayBytes, other.m_strayBytes);
    std::swap(m_version, other.m_version);
    std::swap(m_metadata, other.m_metadata);
    std::swap(m_tensors, other.m_tensors);
    std::swap(m_tensorsByName, other.m_tensorsByName);
    return *this;
}

GgufFile::~GgufFile()
{
    if (m_descriptor >= 0)
        ::close(m_descriptor);
}

Result<GgufFile> GgufFile::open(const std::filesystem::path& path)
{
    GgufFile file;
    TRY(file.openDescriptor(path));
    TRY(file.readHeader());
    return file;
}

Result<void> GgufFile::openDescriptor(const std::filesystem::path& path)
{
    m_path = path;
    // A pipe must not block the open.
    m_descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (m_descriptor < 0)
        return Error::io(path.string() + ": cannot open the model file: " + std::strerror(errno));
    struct stat status { };
    if (::fstat(m_descriptor, &status) != 0)
        return Error::io(path.string() + ": cannot open the model file: " + std::strerror(errno));
    if (!S_ISREG(status.st_mode))
        return Error::io(path.string() + ": is not a file");
    m_fileBytes = uint64_t(status.st_size);
    return {};
}

Result<void> GgufFile::readHeader()
{
    FileCursor cursor(m_descriptor, m_path.string(), m_fileBytes);
    cursor.setField("first bytes");
    TRY_ASSIGN(m_version, readVersion(cursor));
    TRY_ASSIGN(const uint64_t tensorCount, readCount(cursor, "tensor count", kMaxTensors));
    TRY_ASSIGN(const uint64_t keyCount, readCount(cursor, "metadata key count", kMaxKeys));
    TRY_ASSIGN(m_metadata, readMetadata(cursor, keyCount, m_path.string()));
    TRY(refuseSplitFile());
    TRY_ASSIGN(
        const uint32_t alignment, m_metadata.getUint32Or("general.alignment", kDefaultAlignment));
    if (!std::has_single_bit(alignment) || alignment > kMaxAlignment)
        return Error::badFile(m_path.string() + ": metadata key \"general.alignment\" is "
            + std::to_string(alignment) + "; a power of two up to " + std::to_string(kMaxAlignment)
            + " is expected");
    for (uint64_t i = 0; i < tensorCount; ++i) {
        cursor.setField("tensor " + std::to_string(i + 1) + " of " + std::to_string(tensorCount));
        TRY_ASSIGN(m_tensors.emplace_back(), readTensorInfo(cursor));
    }
    TRY(indexTensorNames());
    return checkTensorLayout(cursor.position(), alignment);
}

Result<void> GgufFile::refuseSplitFile() const
{
    const uint64_t partCount = unsignedOr(m_metadata.find("split.count"), 1);
    if (partCount <= 1)
        return {};
    const uint64_t part = unsignedOr(m_metadata.find("split.no"), 0) + 1;
    return Error::unsupported(m_path.string() + ": this is part " + std::to_string(part) + " of "
        + std::to_string(partCount)
        + " of a split model (metadata key \"split.count\"). Split models are not supported: join "
          "the parts"
          " with `gguf-split --merge` first (plain concatenation does not work)");
}

Result<void> GgufFile::indexTensorNames()
{
    m_tensorsByName.resize(m_tensors.size());
    std::iota(m_tensorsByName.begin(), m_tensorsByName.end(), 0);
    std::sort(m_tensorsByName.begin(), m_tensorsByName.end(),
        [this](uint32_t a, uint32_t b) { return m_tensors[a].name < m_tensors[b].name; });
    for (size_t i = 1; i < m_tensorsByName.size(); ++i)
        if (m_tensors[m_tensorsByName[i - 1]].name == m_tensors[m_tensorsByName[i]].name)
            return Error::badFile(m_path.string() + ": tensor "
                + quotedBytes(m_tensors[m_tensorsByName[i]].name) + " appears twice");
    return {};
}

Result<void> GgufFile::checkTensorLayout(uint64_t headerBytes, uint64_t alignment)
{
    const uint64_t sectionStart = roundUp(headerBytes, alignment);
    for (TensorInfo& tensor : m_tensors) {
        const std::string where = m_path.string() + ": tensor " + quotedBytes(tensor.name);
        if (tensor.fileOffset % alignment != 0)
            return Error::badFile(where + ": its offset " + std::to_string(tensor.fileOffset)
                + " is no multiple of the alignment " + std::to_string(alignment));
        uint64_t end = 0;
        if (!addChecked(tensor.fileOffset, sectionStart, tensor.fileOffset)
            || !addChecked(tensor.fileOffset, tensor.bytes, end) || end > m_fileBytes)
            return Error::badFile(where + ": its " + std::to_string(tensor.bytes) + " bytes at "
                + std::to_string(tensor.fileOffset) + " pass the end of the file ("
                + std::to_string(m_fileBytes) + " bytes). The download is incomplete or damaged");
    }
    std::vector<const TensorInfo*> byOffset;
    for (const TensorInfo& tensor : m_tensors)
        byOffset.push_back(&tensor);
    std::sort(byOffset.begin(), byOffset.end(),
        [](const TensorInfo* a, const TensorInfo* b) { return a->fileOffset < b->fileOffset; });
    for (size_t i = 1; i < byOffset.size(); ++i)
        if (byOffset[i - 1]->fileOffset + byOffset[i - 1]->bytes > byOffset[i]->fileOffset)
            return Error::badFile(m_path.string() + ": the tensors "
                + quotedBytes(byOffset[i - 1]->name) + " and " + quotedBytes(byOffset[i]->name)
                + " overlap");
    const uint64_t end
        = byOffset.empty() ? headerBytes : byOffset.back()->fileOffset + byOffset.back()->bytes;
    const uint64_t paddedEnd = roundUp(end, alignment); // writers may pad the end
    m_strayBytes = m_fileBytes > paddedEnd ? m_fileBytes - paddedEnd : 0;
    return {};
}

const TensorInfo* GgufFile::findTensor(std::string_view name) const
{
    const auto found = std::lower_bound(m_tensorsByName.begin(), m_tensorsByName.end(), name,
        [this](uint32_t index, std::string_view wanted) { return m_tensors[index].name < wanted; });
    if (found == m_tensorsByName.end() || m_tensors[*found].name != name)
        return nullptr;
    return &m_tensors[*found];
}

Result<void> GgufFile::read(uint64_t fileOffset, std::span<std::byte> bytes) const
{
    return readAt(m_descriptor, m_path.string(), fileOffset, bytes.data(), bytes.size());
}

} // namespace engine
