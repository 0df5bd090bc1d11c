#include "app/guide/trace_script.h"

#include "app/runs/json_document.h"
#include "app/runs/json_fields.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <limits>

using engine::Error;
using engine::Result;
using nlohmann::ordered_json;

namespace app {

namespace {
    constexpr size_t kMostUnits = 64;
    constexpr size_t kMostUnitBytes = 64;
    constexpr size_t kMostQuestions = 32;
    constexpr size_t kMostTextBytes = 2000;
    constexpr qint64 kMostFileBytes = 1 << 20; // 32 questions of the longest texts are 130 KB

    /// A foreign value as an error can show it.
    std::string shown(const ordered_json& value)
    {
        constexpr size_t kMost = 60;
        const std::string text = value.dump(-1, ' ', true);
        return text.size() <= kMost ? text : text.substr(0, kMost) + "…";
    }

    Result<std::string> textIn(const JsonFields& fields, const char* key)
    {
        TRY_ASSIGN(const QString text, fields.text(key));
        std::string bytes = text.toStdString();
        if (bytes.empty() || bytes.size() > kMostTextBytes)
            return fields.wrong(
                key, "has " + std::to_string(bytes.size()) + " bytes; 1 to 2000 are possible");
        return bytes;
    }

    Result<std::vector<std::string>> unitsIn(const JsonFields& fields, const char* key)
    {
        TRY_ASSIGN(const ordered_json* list, fields.array(key));
        if (list->empty() || list->size() > kMostUnits)
            return fields.wrong(
                key, "has " + std::to_string(list->size()) + " units; 1 to 64 are possible");
        std::vector<std::string> units;
        for (const ordered_json& unit : *list) {
            if (!unit.is_string() || unit.get<std::string>().empty()
                || unit.get<std::string>().size() > kMostUnitBytes)
                return fields.wrong(
                    key, "holds " + shown(unit) + ", which is no unit of 1 to 64 bytes");
            units.push_back(unit.get<std::string>());
        }
        return units;
    }

    Result<std::string> optionalText(
        const ordered_json& object, const JsonFields& fields, const char* key)
    {
        if (!object.contains(key))
            return std::string();
        TRY_ASSIGN(const QString text, fields.text(key));
        if (size_t(text.toUtf8().size()) > kMostUnitBytes)
            return fields.wrong(key, "has more than 64 bytes");
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
        return fields.wrong(
            "opens", "is “" + name + "”; it can be cache_question or capped_answer");
    }

    Result<std::optional<engine::StopReason>> endIn(const JsonFields& fields)
    {
        TRY_ASSIGN(const QString name, fields.text("at_end"));
        if (name == QLatin1String("any"))
            return std::optional<engine::StopReason>();
        const auto reason = engine::findStopReason(name.toStdString());
        if (reason != engine::StopReason::EndToken && reason != engine::StopReason::StopString
            && reason != engine::StopReason::LengthCap)
            return fields.wrong("at_end",
                "is “" + name.left(60).toStdString()
                    + "”; it can be any, end_token, stop_string or length_cap");
        return reason;
    }

    /// passCount: of the whole script.
    Result<TraceQuestion> questionIn(
        const ordered_json& value, const std::string& path, int passCount)
    {
        TRY_ASSIGN(const JsonFields fields, JsonFields::of(value, path));
        TraceQuestion question;
        TRY_ASSIGN(question.ask, textIn(fields, "ask"));
        TRY_ASSIGN(question.answer, textIn(fields, "answer"));
        TRY_ASSIGN(question.opens, toolIn(value, fields));
        question.isAtEnd = value.contains("at_end");
        if (question.isAtEnd) {
            TRY_ASSIGN(question.endedBy, endIn(fields));
        }
        if (!question.isAtEnd || value.contains("after_pass")) {
            const int last = question.isAtEnd ? passCount : passCount - 1;
            TRY_ASSIGN(const int64_t pass, fields.integer("after_pass", 0, last));
            question.afterPass = int(pass);
        }
        return question;
    }

    /// How many passes a walk takes at most: what ends it is a rule, never that the choices run
    /// out.
    Result<int> passCountOf(const TraceScript& script, const JsonFields& fields)
    {
        std::string text;
        int passCount = 0;
        for (const std::string& unit : script.choices) {
            text += unit;
            ++passCount;
            const bool isStopped
                = !script.stopString.empty() && text.find(script.stopString) != std::string::npos;
            if (isStopped || passCount == script.lengthCap)
                return passCount;
        }
        if (!script.endUnit.empty())
            return passCount + 1;
        return fields.wrong("length_cap",
            "is " + std::to_string(script.lengthCap) + ", but there are only "
                + std::to_string(passCount) + " choices and nothing else ends the run");
    }
}

Result<TraceScript> traceScriptFrom(std::string_view json)
{
    const auto document = parsedJson<ordered_json>(json);
    if (!document)
        return Error::badFile("it is not whole JSON: damaged, cut off or something else");
    const ordered_json& parsed = *document;
    TRY_ASSIGN(const JsonFields fields, JsonFields::of(parsed, ""));
    TRY_ASSIGN(const int64_t version, fields.integer("trace_script", 1, 1 << 30));
    if (version > TraceScript::kVersion)
        return fields.wrong(
            "trace_script", "is " + std::to_string(version) + "; this program knows version 1");
    TraceScript script;
    TRY_ASSIGN(script.title, textIn(fields, "title"));
    TRY_ASSIGN(script.prompt, unitsIn(fields, "prompt"));
    TRY_ASSIGN(script.choices, unitsIn(fields, "choices"));
    TRY_ASSIGN(const int64_t cap, fields.integer("length_cap", 1, int64_t(kMostUnits)));
    script.lengthCap = int(cap);
    TRY_ASSIGN(script.stopString, optionalText(parsed, fields, "stop_string"));
    TRY_ASSIGN(script.endUnit, optionalText(parsed, fields, "end_unit"));
    TRY_ASSIGN(const int passCount, passCountOf(script, fields));
    if (!parsed.contains("questions"))
        return script;
    TRY_ASSIGN(const ordered_json* questions, fields.array("questions"));
    if (questions->size() > kMostQuestions)
        return fields.wrong("questions", "has more than 32 entries");
    for (size_t i = 0; i < questions->size(); ++i) {
        TRY_ASSIGN(TraceQuestion question,
            questionIn((*questions)[i], fields.pathOf("questions") + "[" + std::to_string(i) + "]",
                passCount));
        script.questions.push_back(std::move(question));
    }
    std::ranges::stable_sort(script.questions, {}, [](const TraceQuestion& question) {
        return question.isAtEnd ? std::numeric_limits<int>::max() : question.afterPass;
    });
    return script;
}

Result<TraceScript> readTraceScript(const std::string& path)
{
    const QString name = QFile::decodeName(QByteArray::fromStdString(path));
    const std::string shownName = QFileInfo(name).fileName().toStdString();
    QFile file(name);
    if (!QFileInfo(name).isFile()) // a pipe would never end
        return Error::io(shownName + " is no file");
    if (!file.open(QIODevice::ReadOnly))
        return Error::io(shownName + ": " + file.errorString().toStdString());
    const QByteArray json = file.read(kMostFileBytes + 1);
    if (json.size() > kMostFileBytes)
        return Error::badFile(shownName + ": larger than 1 MiB, which no script is");
    auto script = traceScriptFrom({ json.constData(), size_t(json.size()) });
    return script ? std::move(script) : Error::badFile(shownName + ": " + script.error().message);
}

} // namespace app
