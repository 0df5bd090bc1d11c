#include "engine/chat/chat_template.h"

#include "engine/chat/jinja/interpreter.h"
#include "engine/chat/jinja/json_value.h"
#include "engine/chat/jinja/parser.h"
#include "engine/chat/jinja/resume_mark.h"

namespace engine {

namespace {
    RenderedPrompt promptOf(const jinja::Text& text)
    {
        RenderedPrompt prompt;
        size_t begin = 0;
        for (const jinja::TextRun& run : text.runs()) {
            const std::string bytes = text.bytes().substr(begin, run.end - begin);
            begin = run.end;
            const bool fromTemplate = run.origin == jinja::Origin::Template;
            if (!bytes.empty())
                prompt.spans.push_back(
                    { bytes, fromTemplate ? TextOrigin::Template : TextOrigin::Person,
                        jinja::messageOf(run.origin) });
        }
        return prompt;
    }

    bool isReserved(std::string_view name)
    {
        return name == "messages" || name == "add_generation_prompt";
    }

    /// Defines what every template may ask for, then the request's own variables.
    Result<void> defineVariables(
        jinja::Interpreter& interpreter, jinja::Meter& meter, const RenderRequest& request)
    {
        interpreter.define("add_generation_prompt", jinja::Value(request.addGenerationPrompt));
        interpreter.define(
            "bos_token", jinja::makeText(meter, request.bosToken, jinja::Origin::Template));
        interpreter.define(
            "eos_token", jinja::makeText(meter, request.eosToken, jinja::Origin::Template));
        interpreter.define("tools", jinja::Value());
        interpreter.define("documents", jinja::Value());
        for (const auto& [name, json] : request.variables.items()) {
            if (isReserved(name))
                return Error::badRequest(
                    "the template variable '" + name + "' is set by the chat itself");
            TRY_ASSIGN(jinja::Value value, jinja::valueFromJson(meter, json));
            interpreter.define(name, std::move(value));
        }
        return {};
    }
}

struct ChatTemplate::Program {
    std::string source;
    jinja::Statements statements;
};

std::string RenderedPrompt::text() const
{
    std::string joined;
    for (const TextSpan& span : spans)
        joined += span.text;
    return joined;
}

ChatTemplate::ChatTemplate(std::unique_ptr<Program> program)
    : m_program(std::move(program))
{
}

ChatTemplate::ChatTemplate(ChatTemplate&&) noexcept = default;
ChatTemplate& ChatTemplate::operator=(ChatTemplate&&) noexcept = default;
ChatTemplate::~ChatTemplate() = default;

Result<ChatTemplate> ChatTemplate::parse(std::string source)
{
    TRY_ASSIGN(jinja::Statements statements, jinja::parseTemplate(source));
    return ChatTemplate(
        std::make_unique<Program>(Program { std::move(source), std::move(statements) }));
}

const std::string& ChatTemplate::source() const { return m_program->source; }

Result<RenderedPrompt> ChatTemplate::render(const RenderRequest& request) const
{
    if (!request.messages.is_array() || !request.variables.is_object())
        return Error::badRequest("messages must be a list and variables an object");
    if (request.continueFinalMessage && request.addGenerationPrompt)
        return Error::badRequest(
            "a prompt either continues the last message or opens a new answer, not both");
    if (request.continueFinalMessage && source().find("content") == std::string::npos)
        return Error::badRequest(
            "the last message cannot be continued: the chat template reads no 'content'");

    jinja::Meter meter;
    jinja::Interpreter interpreter(meter, request.now);
    TRY_ASSIGN(jinja::Value messages, jinja::messagesFromJson(meter, request.messages));
    jinja::Text finalText;
    if (request.continueFinalMessage) {
        TRY_ASSIGN(jinja::MarkedMessages marked, jinja::withResumeMark(meter, messages));
        messages = std::move(marked.messages);
        finalText = std::move(marked.finalText);
    }
    TRY(defineVariables(interpreter, meter, request));
    interpreter.define("messages", std::move(messages));
    TRY_ASSIGN(jinja::Text text, interpreter.run(m_program->statements));
    if (request.continueFinalMessage) {
        TRY_ASSIGN(text, jinja::cutAtResumeMark(text, finalText));
    }
    return promptOf(text);
}

} // namespace engine
