#pragma once

#include "engine/base/result.h"

#include <QDateTime>
#include <QString>

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace app {

/// The fields of a JSON object that another program, or nobody, may have written: what is missing
/// or of another kind is an error that names the field by its path.
/// Borrows the object.
class JsonFields {
public:
    /// Error BadFile unless it is an object.
    static engine::Result<JsonFields> of(const nlohmann::ordered_json& object, std::string path);

    engine::Result<const nlohmann::ordered_json*> value(const char* key) const;
    engine::Result<const nlohmann::ordered_json*> array(const char* key) const;
    /// Text, or {"hex": "…"}.
    engine::Result<std::string> bytes(const char* key) const;
    engine::Result<QString> text(const char* key) const;
    engine::Result<bool> flag(const char* key) const;
    engine::Result<int64_t> integer(const char* key, int64_t least, int64_t most) const;
    engine::Result<std::optional<int>> optionalInt(const char* key) const;
    engine::Result<std::optional<double>> optionalNumber(const char* key) const;
    engine::Result<QDateTime> time(const char* key) const;
    engine::Result<std::vector<int32_t>> ids(const char* key) const;
    /// JSON that is kept as text: an object, or text that was none.
    engine::Result<std::string> json(const char* key) const;

    std::string pathOf(const char* key) const;
    engine::Error wrong(const char* key, const std::string& what) const;

private:
    JsonFields(const nlohmann::ordered_json& object, std::string path)
        : m_object(&object)
        , m_path(std::move(path))
    {
    }

    const nlohmann::ordered_json* m_object;
    std::string m_path; ///< "messages[3].", or ""
};

/// A number, or "nan", "inf" or "-inf"; none for anything else.
std::optional<double> numberIn(const nlohmann::ordered_json& value);

} // namespace app
