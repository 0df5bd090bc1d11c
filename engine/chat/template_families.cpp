#include "engine/chat/template_choice.h"

namespace engine {

namespace {
    constexpr const char* kChatMl
        = "{% for message in messages %}"
          "<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
          "{% endfor %}"
          "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";

    constexpr const char* kLlama3
        = "{{ bos_token }}"
          "{% for message in messages %}"
          "<|start_header_id|>{{ message.role }}<|end_header_id|>\n\n{{ message.content | trim "
          "}}<|eot_id|>"
          "{% endfor %}"
          "{% if add_generation_prompt %}<|start_header_id|>assistant<|end_header_id|>\n\n{% endif "
          "%}";

    // The format knows no system turn: the system text opens the first user turn.
    constexpr const char* kGemma
        = "{{ bos_token }}"
          "{% set ns = namespace(system='') %}"
          "{% for message in messages %}"
          "{% if message.role == 'system' %}{% set ns.system = message.content | trim ~ '\\n\\n' %}"
          "{% else %}"
          "<start_of_turn>{{ 'model' if message.role == 'assistant' else message.role }}\n"
          "{{ ns.system }}{{ message.content | trim }}<end_of_turn>\n"
          "{% set ns.system = '' %}"
          "{% endif %}"
          "{% endfor %}"
          "{% if add_generation_prompt %}<start_of_turn>model\n{% endif %}";

    constexpr TemplateFamilyInfo kFamilies[] = {
        { TemplateFamily::ChatML, "ChatML", kChatMl },
        { TemplateFamily::Llama3, "Llama 3", kLlama3 },
        { TemplateFamily::Gemma, "Gemma", kGemma },
    };
}

std::span<const TemplateFamilyInfo> templateFamilyTable() { return kFamilies; }

} // namespace engine
