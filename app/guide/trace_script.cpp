#include "app/guide/trace_script.h"

#include "app/runs/json_document.h"
#include "app/runs/json_fields.h"

#include <algorithm>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr size_t kMostUnits = 64;
    constexpr size_t kMostUnitBytes = 64;
    constexpr int64_t kMostPasses = 65;
    constexpr size_t kMostQuestions = 32;

    Result<std::vector<std::string>> unitsIn(const JsonFields& fields, const char* key)
    {
        TRY_ASSIGN(const ordered_json* list, fields.array(key));
        if (list->empty() || list->size() > kMostUnits)
            return fields.wrong(key, "has " + std::to_string(list->size()) + " units; 1 to 64 are possible");
        std::vector<std::string> units;
        for (const ordered_json& unit : *list) {
            if (!unit.is_string() || unit.get<std::string>().empty()
                || unit.get<std::string>().size() > kMostUnitBytes)
                return fields.wrong(key, "holds " + unit.dump() + ", which is no unit of 1 to 64 bytes");
            units.push_back(unit.get<std::string>());
        }
        return units;
    }

    Result<std::string> optionalText(const ordered_json& object, const JsonFields& fields, const char* key)
    {
        if (!object.contains(key))
            return std::string();
        TRY_ASSIGN(const QString text, fields.text(key));
        return text.toStdString();
    }

    Result<TraceTool> toolIn(const ordered_json& object, const JsonFields& fields)
    {
        TRY_ASSIGN(const std::string name, optionalText(object, fields, "opens"));
        if (name.empty())
            return TraceTool::None;
        if (name == "cache_question")
            return TraceTool::CacheQuestion;
        if (name == "capped_answer")
            return TraceTool::CappedAnswer;
        return fields.wrong("opens", "is “" + name + "”; it can be cache_question or capped_answer");
    }

    Result<TraceQuestion> questionIn(const ordered_json& value, const std::string& path)
    {
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(value, path));
        TRY_ASSIGN(const int64_t afterPass, fields.integer("after_pass", 0, kMostPasses));
        TRY_ASSIGN(const QString ask, fields.text("ask"));
        TRY_ASSIGN(const QString answer, fields.text("answer"));
        TRY_ASSIGN(const TraceTool opens, toolIn(value, fields));
        return TraceQuestion { int(afterPass), ask.toStdString(), answer.toStdString(), opens };
    }
}

Result<TraceScript> traceScriptFrom(std::string_view json)
{
    const auto document = parsedJson<ordered_json>(json);
    if (!document)
        return Error::badFile("the script is not whole JSON");
    const ordered_json& parsed = *document;
    TRY_ASSIGN(const JsonFields fields, JsonFields::of(parsed, ""));
    TRY_ASSIGN(const int64_t version, fields.integer("trace_script", 1, 1 << 30));
    if (version > TraceScript::kVersion)
        return fields.wrong("trace_script", "is " + std::to_string(version) + "; this program knows version 1");
    TraceScript script;
    TRY_ASSIGN(const QString title, fields.text("title"));
    script.title = title.toStdString();
    TRY_ASSIGN(script.prompt, unitsIn(fields, "prompt"));
    TRY_ASSIGN(script.choices, unitsIn(fields, "choices"));
    TRY_ASSIGN(const int64_t cap, fields.integer("length_cap", 1, int64_t(kMostUnits)));
    script.lengthCap = int(cap);
    TRY_ASSIGN(script.stopString, optionalText(parsed, fields, "stop_string"));
    TRY_ASSIGN(script.endUnit, optionalText(parsed, fields, "end_unit"));
    if (!parsed.contains("questions"))
        return script;
    TRY_ASSIGN(const ordered_json* questions, fields.array("questions"));
    if (questions->size() > kMostQuestions)
        return fields.wrong("questions", "has more than 32 entries");
    for (size_t i = 0; i < questions->size(); ++i) {
        TRY_ASSIGN(TraceQuestion question,
            questionIn((*questions)[i], fields.pathOf("questions") + "[" + std::to_string(i) + "]"));
        script.questions.push_back(std::move(question));
    }
    std::ranges::stable_sort(script.questions, {}, &TraceQuestion::afterPass);
    return script;
}

} // namespace app
