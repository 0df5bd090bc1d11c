#pragma once

#include "engine/base/result.h"
#include "engine/gguf/metadata.h"
#include "engine/gguf/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// Where one tensor lies in the file.
struct TensorInfo {
    std::string name;
    TensorType type = TensorType::F32;
    std::vector<uint64_t> dimensions; ///< innermost (contiguous) first, 1 to 4 of them
    uint64_t fileOffset = 0; ///< from the start of the file, in bytes
    uint64_t bytes = 0;

    uint64_t columns() const { return dimensions[0]; }
    /// Product of all dimensions but the innermost.
    uint64_t rows() const;
};

/// An opened GGUF model file, versions 2 and 3: parsed header, tensor data read on demand by
/// position (never mapped: a file cut while open gives an error, not a signal).
/// Errors: BadFile with file, field and offset; Io. Any thread after open.
/// Source: ggml-org/ggml docs/gguf.md; limits: engine/gguf/README.md.
class GgufFile {
public:
    static Result<GgufFile> open(const std::filesystem::path& path);

    GgufFile(GgufFile&& other) noexcept;
    GgufFile& operator=(GgufFile&& other) noexcept;
    ~GgufFile();

    const std::filesystem::path& path() const { return m_path; }
    uint64_t fileBytes() const { return m_fileBytes; }
    /// Bytes after the last tensor that belong to nothing: a sign of a damaged or wrongly joined
    /// download. Callers report them; the tensors are intact.
    uint64_t strayBytes() const { return m_strayBytes; }
    uint32_t version() const { return m_version; }
    const Metadata& metadata() const { return m_metadata; }
    std::span<const TensorInfo> tensors() const { return m_tensors; }
    const TensorInfo* findTensor(std::string_view name) const;

    /// Fills bytes from this position of the file. Error Io when the file is shorter now.
    Result<void> read(uint64_t fileOffset, std::span<std::byte> bytes) const;

private:
    GgufFile() = default;
    Result<void> openDescriptor(const std::filesystem::path& path);
    Result<void> readHeader();
    Result<void> refuseSplitFile() const;
    Result<void> checkTensorLayout(uint64_t headerBytes, uint64_t alignment);
    Result<void> indexTensorNames();

    std::filesystem::path m_path;
    int m_descriptor = -1;
    uint64_t m_fileBytes = 0;
    uint64_t m_strayBytes = 0;
    uint32_t m_version = 0;
    Metadata m_metadata;
    std::vector<TensorInfo> m_tensors;
    std::vector<uint32_t> m_tensorsByName; ///< indices into m_tensors, sorted by name
};

} // namespace engine
