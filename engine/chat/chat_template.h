#pragma once

#include "engine/base/result.h"
#include "engine/tokenizer/tokenizer.h"

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace engine {

/// What a template is asked to render.
struct RenderRequest {
    /// Array of messages: {"role", "content", ...}; keys keep their order.
    nlohmann::ordered_json messages = nlohmann::ordered_json::array();
    bool addGenerationPrompt = true;
    /// End inside the last (assistant) message, so that it can be continued.
    bool continueFinalMessage = false;
    /// Further variables; null means defined as none ("tools", "documents", "enable_thinking").
    nlohmann::ordered_json variables = nlohmann::ordered_json::object();
    std::string bosToken;
    std::string eosToken;
    /// The clock that strftime_now sees (local civil time).
    std::chrono::sys_seconds now {};
};

/// Text of a formatted prompt in spans: written by the template, or data of a person or model.
struct RenderedPrompt {
    std::vector<TextSpan> spans;

    std::string text() const;
};

/// A chat template, parsed once. Immutable: any thread.
/// parse errors: BadTemplate with line and construct. render errors: TemplateRefused with the
/// template's own words (raise_exception), BadTemplate for run-time failures and limits,
/// BadRequest when continueFinalMessage cannot be honoured. Limits: engine/chat/README.md.
/// Source: Jinja 3.1 as the transformers library configures it.
class ChatTemplate {
public:
    static Result<ChatTemplate> parse(std::string source);

    ChatTemplate(ChatTemplate&&) noexcept;
    ChatTemplate& operator=(ChatTemplate&&) noexcept;
    ~ChatTemplate();

    const std::string& source() const;
    Result<RenderedPrompt> render(const RenderRequest& request) const;

private:
    struct Program;
    explicit ChatTemplate(std::unique_ptr<Program> program);
    std::unique_ptr<Program> m_program;
};

} // namespace engine
