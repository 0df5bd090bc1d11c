#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tests {

/// Writes tiny GGUF files, right or deliberately wrong: every number in the header can be
/// overridden. Deliberately independent of engine/gguf, which it tests.
class GgufWriter {
public:
    /// Value types numbered as in the file format.
    enum Type : uint32_t { U8, I8, U16, I16, U32, I32, F32, Bool, String, Array, U64, I64, F64 };

    uint32_t version = 3;
    uint32_t alignment = 32;
    /// Replaces the true count in the header.
    uint64_t tensorCountWritten = kTrueCount;
    uint64_t keyCountWritten = kTrueCount;
    static constexpr uint64_t kTrueCount = ~0ull;

    template <typename T> void number(const std::string& key, Type type, T value)
    {
        addKey(key, type, bytesOf(value));
    }
    void u32(const std::string& key, uint32_t value) { number(key, U32, value); }
    void f32(const std::string& key, float value) { number(key, F32, value); }
    void boolean(const std::string& key, bool value) { number(key, Bool, uint8_t(value)); }
    void string(const std::string& key, std::string_view text)
    {
        addKey(key, String, stringBytes(text));
    }
    void strings(const std::string& key, const std::vector<std::string>& texts);
    template <typename T>
    void array(const std::string& key, Type elementType, const std::vector<T>& elements)
    {
        std::string bytes = bytesOf(uint32_t(elementType)) + bytesOf(uint64_t(elements.size()));
        for (const T& element : elements)
            bytes += bytesOf(element);
        addKey(key, Array, bytes);
    }
    /// A key with these value bytes as they are.
    void addKey(const std::string& key, uint32_t type, const std::string& valueBytes);

    struct Tensor {
        std::string name;
        std::vector<uint64_t> dimensions;
        uint32_t type = 0;
        std::string bytes;
        uint64_t offsetWritten = ~0ull; ///< replaces the true offset
    };
    void tensor(Tensor tensor) { m_tensors.push_back(std::move(tensor)); }
    /// An F32 tensor filled with one value.
    void f32Tensor(
        const std::string& name, const std::vector<uint64_t>& dimensions, float value = 0.0f);

    /// The whole file.
    std::string bytes() const;
    void save(const std::filesystem::path& path) const;

    template <typename T> static std::string bytesOf(T value)
    {
        return std::string(reinterpret_cast<const char*>(&value), sizeof value);
    }
    static std::string stringBytes(std::string_view text);

private:
    std::vector<std::pair<std::string, std::string>> m_keys; ///< key and its type and value bytes
    std::vector<Tensor> m_tensors;
};

/// Replaces a file's content.
void writeFile(const std::filesystem::path& path, std::string_view bytes);

} // namespace tests
