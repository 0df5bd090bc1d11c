#include "app/runs/json_fields.h"

#include "app/runs/run_json.h"

#include <limits>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    // A JSON number beyond this is not exact in other programs; ids stay below it.
    std::optional<int64_t> integerIn(const ordered_json& value)
    {
        if (!value.is_number_integer())
            return std::nullopt;
        if (value.is_number_unsigned()
            && value.get<uint64_t>() > uint64_t(std::numeric_limits<int64_t>::max()))
            return std::nullopt;
        return value.get<int64_t>();
    }
}

std::optional<double> numberIn(const ordered_json& value)
{
    if (value.is_number())
        return value.get<double>();
    if (value == "nan")
        return std::numeric_limits<double>::quiet_NaN();
    if (value == "inf")
        return std::numeric_limits<double>::infinity();
    if (value == "-inf")
        return -std::numeric_limits<double>::infinity();
    return std::nullopt;
}

Result<JsonFields> JsonFields::of(const ordered_json& object, std::string path)
{
    if (!object.is_object())
        return Error::badFile((path.empty() ? "the file" : path) + " is not an object");
    if (!path.empty())
        path += '.';
    return JsonFields(object, std::move(path));
}

std::string JsonFields::pathOf(const char* key) const { return m_path + key; }

Error JsonFields::wrong(const char* key, const std::string& what) const
{
    return Error::badFile(pathOf(key) + " " + what);
}

Result<const ordered_json*> JsonFields::value(const char* key) const
{
    const auto found = m_object->find(key);
    if (found == m_object->end())
        return wrong(key, "is missing");
    return &*found;
}

Result<const ordered_json*> JsonFields::array(const char* key) const
{
    TRY_ASSIGN(const ordered_json* found, value(key));
    if (!found->is_array())
        return wrong(key, "is not a list");
    return found;
}

Result<std::string> JsonFields::bytes(const char* key) const
{
    TRY_ASSIGN(const ordered_json* found, value(key));
    if (found->is_string())
        return found->get<std::string>();
    if (!found->is_object() || !found->contains("hex") || !found->at("hex").is_string())
        return wrong(key, "is not a text");
    const std::string digits = found->at("hex").get<std::string>();
    const std::string bytes = bytesOfHex(digits);
    if (hexOf(bytes) != digits)
        return wrong(key, "has a “hex” that is not made of pairs of digits");
    return bytes;
}

Result<QString> JsonFields::text(const char* key) const
{
    TRY_ASSIGN(const ordered_json* found, value(key));
    if (!found->is_string())
        return wrong(key, "is not a text");
    return QString::fromStdString(found->get<std::string>());
}

Result<bool> JsonFields::flag(const char* key) const
{
    TRY_ASSIGN(const ordered_json* found, value(key));
    if (!found->is_boolean())
        return wrong(key, "is not true or false");
    return found->get<bool>();
}

Result<int64_t> JsonFields::integer(const char* key, int64_t least, int64_t most) const
{
    TRY_ASSIGN(const ordered_json* found, value(key));
    const std::optional<int64_t> number = integerIn(*found);
    if (!number || *number < least || *number > most)
        return wrong(key,
            "is not a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return *number;
}

Result<std::optional<int>> JsonFields::optionalInt(const char* key) const
{
    TRY_ASSIGN(const ordered_json* found, value(key));
    if (found->is_null())
        return std::optional<int>();
    TRY_ASSIGN(const int64_t number,
        integer(key, std::numeric_limits<int>::min(), std::numeric_limits<int>::max()));
    return std::optional<int>(int(number));
}

Result<std::optional<double>> JsonFields::optionalNumber(const char* key) const
{
    TRY_ASSIGN(const ordered_json* found, value(key));
    if (found->is_null())
        return std::optional<double>();
    const std::optional<double> number = numberIn(*found);
    if (!number)
        return wrong(key, "is not a number");
    return number;
}

Result<QDateTime> JsonFields::time(const char* key) const
{
    TRY_ASSIGN(const QString written, text(key));
    const QDateTime time = QDateTime::fromString(written, Qt::ISODateWithMs);
    if (!time.isValid())
        return wrong(key, "is not a time like 2026-11-30T20:15:00.000Z");
    return time.toUTC();
}

Result<std::vector<int32_t>> JsonFields::ids(const char* key) const
{
    TRY_ASSIGN(const ordered_json* list, array(key));
    std::vector<int32_t> ids;
    ids.reserve(list->size());
    for (size_t i = 0; i < list->size(); ++i) {
        const std::optional<int64_t> id = integerIn((*list)[i]);
        if (!id || *id < 0 || *id > std::numeric_limits<int32_t>::max())
            return Error::badFile(pathOf(key) + "[" + std::to_string(i) + "] is not a token id");
        ids.push_back(int32_t(*id));
    }
    return ids;
}

Result<std::string> JsonFields::json(const char* key) const
{
    TRY_ASSIGN(const ordered_json* found, value(key));
    if (found->is_object() && !(found->size() == 1 && found->contains("hex")))
        return dumped(*found);
    Result<std::string> text = bytes(key);
    if (!text)
        return wrong(key, "is not an object");
    return text;
}

} // namespace app
