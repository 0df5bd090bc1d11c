#include "engine/tokenizer/end_token_table.h"

namespace engine {

namespace {
    constexpr EndTokenName kTable[] = {
        { "</s>", "" }, // Llama 2, Mistral
        { "<eos>", "" }, // Gemma
        { "<end_of_turn>", "" }, // Gemma 2 and 3
        { "<|endoftext|>", "" }, // GPT-2, Qwen, Phi
        { "<|end_of_text|>", "" }, // Llama 3, Granite
        { "<|eot_id|>", "" }, // Llama 3
        { "<|eom_id|>", "" }, // Llama 3.1: before a tool's answer
        { "<|im_end|>", "" }, // ChatML
        { "<|end|>", "<|return|>" }, // Phi 3; in gpt-oss it only closes one message of an answer
        { "<|return|>", "" }, // gpt-oss
        { "<|call|>", "" }, // gpt-oss: before a tool's answer
        { "<|end_of_turn|>", "" }, // OpenChat
        { "<|END_OF_TURN_TOKEN|>", "" }, // Command R
        { "<end_of_utterance>", "" }, // SmolVLM
        { "<\xEF\xBD\x9C"
          "end\xE2\x96\x81of\xE2\x96\x81sentence\xEF\xBD\x9C>",
            "" }, // DeepSeek
    };
}

std::span<const EndTokenName> endTokenTable() { return kTable; }

} // namespace engine
