#include "engine/gguf/metadata_reader.h"

#include <algorithm>

namespace engine {

namespace {
    constexpr uint64_t kMaxKeyBytes = 65'535;
    constexpr uint64_t kMaxTextBytes = 64u << 20;
    constexpr uint64_t kMaxTextsInAllArrays = 4u
        << 20; // a std::string takes 32 bytes, in the file only 8
    constexpr uint64_t kMaxNumbersInAnArray = 16u << 20;

    /// Numbered as in the file format.
    enum class ValueType : uint32_t {
        Uint8 = 0,
        Int8 = 1,
        Uint16 = 2,
        Int16 = 3,
        Uint32 = 4,
        Int32 = 5,
        Float32 = 6,
        Bool = 7,
        String = 8,
        Array = 9,
        Uint64 = 10,
        Int64 = 11,
        Float64 = 12,
    };

    class ValueReader {
    public:
        explicit ValueReader(FileCursor& cursor)
            : m_cursor(cursor)
        {
        }

        Result<MetadataValue> readValue()
        {
            TRY_ASSIGN(const uint32_t type, m_cursor.readNumber<uint32_t>());
            if (ValueType(type) == ValueType::Array)
                return readArray();
            return readOfType(type, [this](auto tag) -> Result<MetadataValue> {
                TRY_ASSIGN(auto value, readOne(tag));
                return MetadataValue(std::move(value));
            });
        }

    private:
        Result<MetadataValue> readArray()
        {
            TRY_ASSIGN(const uint32_t type, m_cursor.readNumber<uint32_t>());
            TRY_ASSIGN(const uint64_t count, m_cursor.readNumber<uint64_t>());
            if (ValueType(type) == ValueType::Array)
                return m_cursor.fail("an array of arrays");
            return readOfType(type, [this, count](auto tag) { return readElements(tag, count); });
        }

        /// Calls read with a value of the C++ type that stands for this type number.
        template <typename Read> Result<MetadataValue> readOfType(uint32_t type, Read read)
        {
            switch (ValueType(type)) {
            case ValueType::Uint8:
                return read(uint8_t());
            case ValueType::Int8:
                return read(int8_t());
            case ValueType::Uint16:
                return read(uint16_t());
            case ValueType::Int16:
                return read(int16_t());
            case ValueType::Uint32:
                return read(uint32_t());
            case ValueType::Int32:
                return read(int32_t());
            case ValueType::Float32:
                return read(float());
            case ValueType::Bool:
                return read(bool());
            case ValueType::String:
                return read(std::string());
            case ValueType::Uint64:
                return read(uint64_t());
            case ValueType::Int64:
                return read(int64_t());
            case ValueType::Float64:
                return read(double());
            case ValueType::Array:
                break;
            }
            return m_cursor.fail("value type " + std::to_string(type) + " does not exist");
        }

        template <typename T> Result<T> readOne(T) { return m_cursor.readNumber<T>(); }
        Result<std::string> readOne(const std::string&)
        {
            return m_cursor.readString(kMaxTextBytes);
        }
        Result<bool> readOne(bool)
        {
            TRY_ASSIGN(const uint8_t byte, m_cursor.readNumber<uint8_t>());
            if (byte > 1)
                return m_cursor.fail("a truth value that is neither 0 nor 1");
            return byte == 1;
        }

        template <typename T> Result<MetadataValue> readElements(T, uint64_t count)
        {
            TRY(checkCount(count, sizeof(T), kMaxNumbersInAnArray));
            std::vector<T> elements(count);
            TRY(m_cursor.readBytes(
                reinterpret_cast<std::byte*>(elements.data()), count * sizeof(T)));
            return MetadataValue(std::move(elements));
        }
        Result<MetadataValue> readElements(bool, uint64_t count)
        {
            TRY(checkCount(count, 1, kMaxNumbersInAnArray));
            std::vector<bool> elements;
            for (uint64_t i = 0; i < count; ++i) {
                TRY_ASSIGN(const bool element, readOne(bool()));
                elements.push_back(element);
            }
            return MetadataValue(std::move(elements));
        }
        Result<MetadataValue> readElements(const std::string&, uint64_t count)
        {
            TRY(checkCount(count, sizeof(uint64_t), kMaxTextsInAllArrays - m_textCount));
            m_textCount += count;
            std::vector<std::string> elements;
            // A false count must not reserve more than a real vocabulary needs.
            elements.reserve(std::min<uint64_t>(count, 1u << 19));
            for (uint64_t i = 0; i < count; ++i) {
                TRY_ASSIGN(elements.emplace_back(), m_cursor.readString(kMaxTextBytes));
            }
            return MetadataValue(std::move(elements));
        }

        Result<void> checkCount(uint64_t count, uint64_t leastBytesEach, uint64_t maxCount)
        {
            if (count > m_cursor.remaining() / leastBytesEach)
                return m_cursor.fail("an array of " + std::to_string(count)
                    + " elements, more than the rest of the file can hold");
            if (count > maxCount)
                return m_cursor.fail("an array of " + std::to_string(count) + " elements; at most "
                    + std::to_string(maxCount) + " are allowed");
            return {};
        }

        FileCursor& m_cursor;
        uint64_t m_textCount = 0;
    };
}

Result<Metadata> readMetadata(FileCursor& cursor, uint64_t keyCount, std::string fileName)
{
    Metadata metadata(std::move(fileName));
    ValueReader reader(cursor);
    for (uint64_t i = 0; i < keyCount; ++i) {
        cursor.setField(
            "metadata key " + std::to_string(i + 1) + " of " + std::to_string(keyCount));
        TRY_ASSIGN(std::string key, cursor.readString(kMaxKeyBytes));
        if (key.empty())
            return cursor.fail("the key is empty");
        cursor.setField("metadata key " + quotedBytes(key));
        TRY_ASSIGN(MetadataValue value, reader.readValue());
        if (!metadata.insert(std::move(key), std::move(value)))
            return cursor.fail("the key appears twice");
    }
    return metadata;
}

} // namespace engine
