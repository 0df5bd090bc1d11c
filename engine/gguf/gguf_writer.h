#pragma once

#include "engine/base/result.h"
#include "engine/gguf/tensor_type.h"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace engine {

/// One tensor to be written; dimensions innermost first.
struct TensorPlan {
    std::string name;
    TensorType type = TensorType::F32;
    std::vector<uint64_t> dimensions;
};

/// Writes a GGUF file, version 3, whose tensors need not fit in memory: they are asked for in
/// pieces. Keys and tensors are written in the order they were added. Errors: Io with the path,
/// BadRequest and Cancelled; a file that could not be finished is removed.
/// Source: the GGUF specification (ggml-org/ggml, docs/gguf.md).
class GgufWriter {
public:
    void setUint32(const std::string& key, uint32_t value);
    void setFloat(const std::string& key, float value);
    void setBool(const std::string& key, bool value);
    void setString(const std::string& key, std::string_view text);
    void setStrings(const std::string& key, const std::vector<std::string>& texts);
    void setInt32s(const std::string& key, const std::vector<int32_t>& values);

    void addTensor(TensorPlan tensor) { m_tensors.push_back(std::move(tensor)); }
    const std::vector<TensorPlan>& tensors() const { return m_tensors; }

    /// Fills the next piece of a tensor, whole quantBlocks; false stops the writing.
    using Fill = std::function<bool(const TensorPlan& tensor, std::span<std::byte> piece)>;
    Result<void> save(const std::filesystem::path& path, const Fill& fill) const;

private:
    Result<std::string> header() const;

    uint64_t m_keyCount = 0;
    std::string m_keys; ///< as in the file
    std::vector<TensorPlan> m_tensors;
};

} // namespace engine
