#include "app/compare/requirement_set.h"

#include "app/compare/json_schema.h"
#include "app/compare/requirement_pattern.h"
#include "app/runs/json_document.h"
#include "app/runs/json_fields.h"
#include "app/runs/run_record.h"

#include <QFile>

#include <array>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr std::array kKinds { RequirementKind::Field, RequirementKind::Absence,
        RequirementKind::Json, RequirementKind::Evidence, RequirementKind::Exception };
    constexpr size_t kMostRequirements = 100;
    constexpr qint64 kMostBytes = 1 << 20;

    Result<std::string> patternIn(const JsonFields& fields, const char* key)
    {
        TRY_ASSIGN(const QString pattern, fields.text(key));
        if (pattern.isEmpty())
            return fields.wrong(key, "is empty");
        if (const std::string fault = patternFault(pattern.toStdString()); !fault.empty())
            return fields.wrong(key, "is no pattern: " + fault);
        return pattern.toStdString();
    }

    Result<RequirementKind> kindIn(const JsonFields& fields)
    {
        TRY_ASSIGN(const QString written, fields.text("kind"));
        for (RequirementKind kind : kKinds)
            if (written == QLatin1String(requirementKindName(kind)))
                return kind;
        return fields.wrong("kind",
            "is “" + written.toStdString()
                + "”; it can be field, absence, json, evidence or exception");
    }

    Result<Requirement> requirementIn(const ordered_json& value, const std::string& path)
    {
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(value, path));
        Requirement requirement;
        TRY_ASSIGN(requirement.kind, kindIn(fields));
        TRY_ASSIGN(const QString name, fields.text("name"));
        requirement.name = name.toStdString();
        if (requirement.name.empty())
            return fields.wrong("name", "is empty");
        if (requirement.kind == RequirementKind::Json) {
            TRY_ASSIGN(const ordered_json* schema, fields.value("schema"));
            requirement.schema = nlohmann::json(*schema);
            if (const std::string fault = schemaFault(requirement.schema); !fault.empty())
                return fields.wrong("schema", "cannot be used: " + fault);
            return requirement;
        }
        TRY_ASSIGN(requirement.pattern, patternIn(fields, "pattern"));
        if (requirement.kind == RequirementKind::Evidence) {
            TRY_ASSIGN(const QString source, fields.text("source"));
            requirement.source = source.toStdString();
        }
        if (requirement.kind == RequirementKind::Exception) {
            TRY_ASSIGN(requirement.nonePattern, patternIn(fields, "none_pattern"));
        }
        return requirement;
    }
}

const char* requirementKindName(RequirementKind kind)
{
    switch (kind) {
    case RequirementKind::Field:
        return "field";
    case RequirementKind::Absence:
        return "absence";
    case RequirementKind::Json:
        return "json";
    case RequirementKind::Evidence:
        return "evidence";
    case RequirementKind::Exception:
        return "exception";
    }
    return "";
}

Result<RequirementSet> requirementSetFrom(std::string_view json)
{
    const auto document = parsedJson<ordered_json>(json);
    if (!document)
        return Error::badFile("the file is not whole JSON");
    const ordered_json& parsed = *document;
    TRY_ASSIGN(const JsonFields fields, JsonFields::of(parsed, ""));
    TRY_ASSIGN(const int64_t version, fields.integer("requirement_set", 1, 1 << 30));
    if (version > RequirementSet::kVersion)
        return fields.wrong("requirement_set",
            "is " + std::to_string(version) + "; this program knows version "
                + std::to_string(RequirementSet::kVersion));
    RequirementSet set;
    TRY_ASSIGN(const QString name, fields.text("name"));
    set.name = name.toStdString();
    TRY_ASSIGN(const ordered_json* list, fields.array("requirements"));
    if (list->empty() || list->size() > kMostRequirements)
        return fields.wrong("requirements",
            "has " + std::to_string(list->size()) + " entries; 1 to "
                + std::to_string(kMostRequirements) + " are possible");
    for (size_t i = 0; i < list->size(); ++i) {
        TRY_ASSIGN(Requirement requirement,
            requirementIn((*list)[i], fields.pathOf("requirements") + "[" + std::to_string(i) + "]"));
        set.requirements.push_back(std::move(requirement));
    }
    set.sha256 = sha256Hex(json);
    return set;
}

Result<RequirementSet> readRequirementSet(const std::string& path)
{
    QFile file(QFile::decodeName(QByteArray::fromStdString(path)));
    if (!file.open(QIODevice::ReadOnly))
        return Error::io(path + ": " + file.errorString().toStdString());
    if (file.size() > kMostBytes)
        return Error::badFile(path + ": larger than 1 MiB, which no requirement set is");
    auto set = requirementSetFrom(file.readAll().toStdString());
    if (!set)
        return Error::badFile(path + ": " + set.error().message);
    return set;
}

} // namespace app
