#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace engine {

/// One typed metadata value of a GGUF file. Arrays keep their element type.
using MetadataValue = std::variant<uint8_t, int8_t, uint16_t, int16_t, uint32_t, int32_t, uint64_t,
    int64_t, float, double, bool, std::string, std::vector<uint8_t>, std::vector<int8_t>,
    std::vector<uint16_t>, std::vector<int16_t>, std::vector<uint32_t>, std::vector<int32_t>,
    std::vector<uint64_t>, std::vector<int64_t>, std::vector<float>, std::vector<double>,
    std::vector<bool>, std::vector<std::string>>;

/// The key-value section of a GGUF file. Getters demand the exact type: a UINT8 array is never
/// read as FLOAT32. Errors name the file, the key, the type found and the type wanted (BadFile).
class Metadata {
public:
    /// fileName appears in errors.
    explicit Metadata(std::string fileName = {});

    /// False when the key exists already.
    [[nodiscard]] bool insert(std::string key, MetadataValue value);

    bool contains(std::string_view key) const;
    const MetadataValue* find(std::string_view key) const;
    const std::map<std::string, MetadataValue, std::less<>>& entries() const { return m_entries; }

    /// Exact type; an error when the key is absent or of another type.
    Result<uint32_t> getUint32(std::string_view key) const;
    Result<float> getFloat(std::string_view key) const;
    Result<std::string> getString(std::string_view key) const;
    Result<std::span<const std::string>> getStrings(std::string_view key) const;
    Result<std::span<const float>> getFloats(std::string_view key) const;
    /// INT32 arrays (token types are written so).
    Result<std::span<const int32_t>> getInt32s(std::string_view key) const;

    /// As above, with a default for an absent key; another type is still an error.
    Result<uint32_t> getUint32Or(std::string_view key, uint32_t fallback) const;
    Result<float> getFloatOr(std::string_view key, float fallback) const;
    Result<bool> getBoolOr(std::string_view key, bool fallback) const;
    Result<std::string> getStringOr(std::string_view key, std::string fallback) const;

    const std::string& fileName() const { return m_fileName; }

private:
    template <typename T> Result<const T*> get(std::string_view key) const;
    template <typename T> Result<T> getOr(std::string_view key, T fallback) const;

    std::string m_fileName;
    std::map<std::string, MetadataValue, std::less<>> m_entries;
};

/// The type of the value as the format names it: "UINT32", "array of STRING".
std::string metadataTypeName(const MetadataValue& value);

/// The value in one short line, long strings and arrays shortened ("[49152] <|endoftext|>, ...").
std::string describeMetadataValue(const MetadataValue& value);

} // namespace engine
