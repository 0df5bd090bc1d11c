#pragma once

#include "engine/chat/chat_template.h"
#include "engine/gguf/gguf_file.h"

#include <optional>
#include <span>
#include <string>

namespace engine {

/// Formats that are built in for files whose own template is missing or does not fit.
enum class TemplateFamily { ChatML, Llama3, Gemma };

struct TemplateFamilyInfo {
    TemplateFamily family;
    const char* name; ///< "ChatML"
    const char* source; ///< our own Jinja text for this format
};

std::span<const TemplateFamilyInfo> templateFamilyTable();

/// What the file offers for chatting, decided once at load.
struct TemplateOffer {
    /// The file's own template, when it has one that parses (it may still have a problem).
    std::optional<std::string> ownSource;
    /// Why the own template must not be used as it is, in words; empty when it is fine.
    /// ("The file has no chat template.", "The template writes <|im_start|>, which is no control
    /// token of this vocabulary.", "line 3: unknown filter 'x'")
    std::string problem;
    /// Text of the system message that the template adds by itself when none is given ("" if none).
    std::string defaultSystemText;

    bool usable() const { return ownSource && problem.empty(); }
};

/// Reads `tokenizer.chat_template` and tries it on a short chat.
TemplateOffer offeredTemplate(const Metadata& metadata, const Tokenizer& tokenizer);
TemplateOffer offeredTemplate(const GgufFile& file, const Tokenizer& tokenizer);

} // namespace engine
