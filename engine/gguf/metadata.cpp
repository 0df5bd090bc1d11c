#include "engine/gguf/metadata.h"

#include "engine/gguf/file_cursor.h"

#include <array>
#include <sstream>

namespace engine {

namespace {
    template <typename T> constexpr const char* kTypeName = nullptr;
    template <> constexpr const char* kTypeName<uint8_t> = "UINT8";
    template <> constexpr const char* kTypeName<int8_t> = "INT8";
    template <> constexpr const char* kTypeName<uint16_t> = "UINT16";
    template <> constexpr const char* kTypeName<int16_t> = "INT16";
    template <> constexpr const char* kTypeName<uint32_t> = "UINT32";
    template <> constexpr const char* kTypeName<int32_t> = "INT32";
    template <> constexpr const char* kTypeName<uint64_t> = "UINT64";
    template <> constexpr const char* kTypeName<int64_t> = "INT64";
    template <> constexpr const char* kTypeName<float> = "FLOAT32";
    template <> constexpr const char* kTypeName<double> = "FLOAT64";
    template <> constexpr const char* kTypeName<bool> = "BOOL";
    template <> constexpr const char* kTypeName<std::string> = "STRING";

    template <typename T> std::string typeName(const T*) { return kTypeName<T>; }
    template <typename T> std::string typeName(const std::vector<T>*)
    {
        return std::string("array of ") + kTypeName<T>;
    }

    constexpr size_t kShownBytes = 120;

    /// The text on one line: control bytes escaped, cut between characters.
    std::string shortened(std::string_view text)
    {
        std::string shown;
        for (size_t i = 0; i < text.size(); ++i) {
            const auto byte = static_cast<unsigned char>(text[i]);
            if (shown.size() >= kShownBytes && (byte & 0xC0) != 0x80)
                return shown + "...";
            if (byte == '\n')
                shown += "\\n";
            else if (byte == '\t')
                shown += "\\t";
            else if (byte < 0x20 || byte == 0x7F)
                shown += "\\x" + std::string(1, "0123456789abcdef"[byte >> 4])
                    + "0123456789abcdef"[byte & 15];
            else
                shown += text[i];
        }
        return shown;
    }

    std::string describe(const std::string& text) { return shortened(text); }
    std::string describe(bool value) { return value ? "true" : "false"; }
    template <typename T> std::string describe(T number)
    {
        std::ostringstream stream;
        stream << +number; // + prints bytes as numbers
        return stream.str();
    }
    template <typename T> std::string describe(const std::vector<T>& elements)
    {
        std::string shown = "[" + std::to_string(elements.size()) + "]";
        const char* separator = " ";
        for (const auto& element : elements) {
            if (shown.size() >= kShownBytes / 2)
                return shown + ", ...";
            shown += separator + describe(T(element));
            separator = ", ";
        }
        return shown;
    }
}

Metadata::Metadata(std::string fileName)
    : m_fileName(std::move(fileName))
{
}

bool Metadata::insert(std::string key, MetadataValue value)
{
    return m_entries.emplace(std::move(key), std::move(value)).second;
}

bool Metadata::contains(std::string_view key) const
{
    return m_entries.find(key) != m_entries.end();
}

const MetadataValue* Metadata::find(std::string_view key) const
{
    const auto entry = m_entries.find(key);
    return entry == m_entries.end() ? nullptr : &entry->second;
}

template <typename T> Result<const T*> Metadata::get(std::string_view key) const
{
    const std::string wanted = typeName(static_cast<const T*>(nullptr));
    const std::string where
        = (m_fileName.empty() ? "" : m_fileName + ": ") + "metadata key " + quotedBytes(key);
    const MetadataValue* value = find(key);
    if (!value)
        return Error::badFile(where + " is missing (" + wanted + " expected)");
    if (const T* typed = std::get_if<T>(value))
        return typed;
    return Error::badFile(
        where + " is of type " + metadataTypeName(*value) + "; " + wanted + " expected");
}

template <typename T> Result<T> Metadata::getOr(std::string_view key, T fallback) const
{
    if (!contains(key))
        return fallback;
    TRY_ASSIGN(const T* value, get<T>(key));
    return *value;
}

Result<uint32_t> Metadata::getUint32(std::string_view key) const
{
    TRY_ASSIGN(const uint32_t* value, get<uint32_t>(key));
    return *value;
}

Result<float> Metadata::getFloat(std::string_view key) const
{
    TRY_ASSIGN(const float* value, get<float>(key));
    return *value;
}

Result<std::string> Metadata::getString(std::string_view key) const
{
    TRY_ASSIGN(const std::string* value, get<std::string>(key));
    return *value;
}

Result<std::span<const std::string>> Metadata::getStrings(std::string_view key) const
{
    TRY_ASSIGN(const std::vector<std::string>* value, get<std::vector<std::string>>(key));
    return std::span<const std::string>(*value);
}

Result<std::span<const float>> Metadata::getFloats(std::string_view key) const
{
    TRY_ASSIGN(const std::vector<float>* value, get<std::vector<float>>(key));
    return std::span<const float>(*value);
}

Result<std::span<const int32_t>> Metadata::getInt32s(std::string_view key) const
{
    TRY_ASSIGN(const std::vector<int32_t>* value, get<std::vector<int32_t>>(key));
    return std::span<const int32_t>(*value);
}

Result<uint32_t> Metadata::getUint32Or(std::string_view key, uint32_t fallback) const
{
    return getOr(key, fallback);
}

Result<float> Metadata::getFloatOr(std::string_view key, float fallback) const
{
    return getOr(key, fallback);
}

Result<bool> Metadata::getBoolOr(std::string_view key, bool fallback) const
{
    return getOr(key, fallback);
}

Result<std::string> Metadata::getStringOr(std::string_view key, std::string fallback) const
{
    return getOr(key, std::move(fallback));
}

std::string metadataTypeName(const MetadataValue& value)
{
    return std::visit([](const auto& typed) { return typeName(&typed); }, value);
}

std::string describeMetadataValue(const MetadataValue& value)
{
    return std::visit([](const auto& typed) { return describe(typed); }, value);
}

} // namespace engine
