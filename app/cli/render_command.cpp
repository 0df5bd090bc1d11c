#include "app/cli/render_command.h"

#include "app/cli/arguments.h"
#include "app/cli/command_table.h"
#include "app/cli/json_input.h"
#include "engine/chat/chat_template.h"

#include <cstdio>
#include <ctime>
#include <iostream>

namespace app {

namespace {
    using Json = nlohmann::ordered_json;

    constexpr const char* kUsage
        = "< requests.jsonl\n"
          "each line: {\"template\", \"messages\", \"add_generation_prompt\", \"continue_final_message\",\n"
          "            \"variables\", \"bos_token\", \"eos_token\", \"now\"}";

    /// One line of standard input.
    struct RenderLine {
        std::string source;
        engine::RenderRequest request;
    };

    engine::Result<std::chrono::sys_seconds> civilTime(const std::tm& time)
    {
        const auto date = std::chrono::year(time.tm_year + 1900)
            / std::chrono::month(unsigned(time.tm_mon + 1))
            / std::chrono::day(unsigned(time.tm_mday));
        if (!date.ok())
            return engine::Error::badRequest("'now' is no date");
        return std::chrono::sys_days(date) + std::chrono::hours(time.tm_hour)
            + std::chrono::minutes(time.tm_min) + std::chrono::seconds(time.tm_sec);
    }

    engine::Result<std::chrono::sys_seconds> localClock()
    {
        const std::time_t now = std::time(nullptr);
        std::tm local {};
#ifdef _WIN32
        localtime_s(&local, &now);
#else
        localtime_r(&now, &local);
#endif
        return civilTime(local);
    }

    engine::Result<std::chrono::sys_seconds> parseTime(const std::string& text)
    {
        std::tm time {};
        const int read = std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d", &time.tm_year,
            &time.tm_mon, &time.tm_mday, &time.tm_hour, &time.tm_min, &time.tm_sec);
        if (read < 3)
            return engine::Error::badRequest("'now' must look like 2026-11-29T12:00:00");
        time.tm_year -= 1900;
        time.tm_mon -= 1;
        return civilTime(time);
    }

    engine::Result<std::string> textField(const Json& json, const char* name, std::string fallback)
    {
        if (!json.contains(name) || json[name].is_null())
            return fallback;
        if (!json[name].is_string())
            return engine::Error::badRequest("'" + std::string(name) + "' must be a string");
        return json[name].get<std::string>();
    }

    engine::Result<bool> flagField(const Json& json, const char* name)
    {
        if (!json.contains(name) || json[name].is_null())
            return false;
        if (!json[name].is_boolean())
            return engine::Error::badRequest("'" + std::string(name) + "' must be true or false");
        return json[name].get<bool>();
    }

    engine::Result<RenderLine> parseLine(const std::string& text)
    {
        TRY_ASSIGN(const Json json, parseJsonInput(text));
        if (!json.is_object() || !json.contains("template") || !json["template"].is_string())
            return engine::Error::badRequest(
                "each line must be an object with a string 'template'");
        RenderLine line;
        line.source = json["template"].get<std::string>();
        line.request.messages = json.value("messages", Json::array());
        line.request.variables = json.value("variables", Json::object());
        if (line.request.variables.is_null())
            line.request.variables = Json::object();
        TRY_ASSIGN(line.request.addGenerationPrompt, flagField(json, "add_generation_prompt"));
        TRY_ASSIGN(line.request.continueFinalMessage, flagField(json, "continue_final_message"));
        TRY_ASSIGN(line.request.bosToken, textField(json, "bos_token", ""));
        TRY_ASSIGN(line.request.eosToken, textField(json, "eos_token", ""));
        TRY_ASSIGN(const std::string now, textField(json, "now", ""));
        TRY_ASSIGN(line.request.now, now.empty() ? localClock() : parseTime(now));
        return line;
    }

    Json errorLine(const char* kind, const engine::Error& error)
    {
        return { { "error", { { "kind", kind }, { "message", error.message } } } };
    }

    const char* renderErrorKind(const engine::Error& error, const engine::RenderRequest& request)
    {
        if (error.code == engine::ErrorCode::TemplateRefused)
            return "raise_exception";
        if (error.code == engine::ErrorCode::BadRequest)
            return request.continueFinalMessage ? "continue_refused" : "bad_request";
        return "template_runtime";
    }

    Json answerTo(const std::string& text)
    {
        const auto line = parseLine(text);
        if (!line)
            return errorLine("bad_request", line.error());
        const auto chatTemplate = engine::ChatTemplate::parse(line->source);
        if (!chatTemplate)
            return errorLine("template_syntax", chatTemplate.error());
        const auto prompt = chatTemplate->render(line->request);
        if (!prompt)
            return errorLine(renderErrorKind(prompt.error(), line->request), prompt.error());
        return { { "text", prompt->text() } };
    }
}

int runRenderCommand(const std::vector<std::string>& words)
{
    const auto arguments = Arguments::parse({}, words);
    if (!arguments)
        return reportUsageError(std::cerr, "render", arguments.error());
    if (arguments->has("help")) {
        std::cout << helpText("render", kUsage, {});
        return kExitOk;
    }
    if (!arguments->positionals().empty())
        return reportUsageError(std::cerr, "render",
            engine::Error::badRequest("\"" + arguments->positionals().front() + "\" belongs to no option"));
    for (std::string line; std::getline(std::cin, line);) {
        if (line.find_first_not_of(" \t\r") == std::string::npos)
            continue;
        // A template may cut a character in two: such bytes come out as U+FFFD.
        std::cout << answerTo(line).dump(-1, ' ', false, Json::error_handler_t::replace) << "\n"
                  << std::flush;
    }
    return std::cout ? kExitOk : kExitFailed;
}

} // namespace app
