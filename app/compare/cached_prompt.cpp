#include "app/compare/cached_prompt.h"

#include "engine/base/kv_page.h"

#include <algorithm>

namespace app {

CachedPrompt cachedPrompt(const engine::ModelLoaded& model, const std::string& text)
{
    CachedPrompt prompt;
    if (model.text && model.text->tokenizer)
        prompt.ids = model.text->tokenizer->encodeText(text);
    prompt.model = model.description.fingerprint;
    prompt.modelName = model.description.name;
    prompt.tensorTypes = model.description.tensorTypes;
    prompt.rope = model.description.rope;
    prompt.kvType = model.description.kvType;
    return prompt;
}

CachedPrompt wordPrompt(const std::string& text, std::vector<std::string>& words)
{
    constexpr const char* kSpaces = " \t\r\n";
    CachedPrompt prompt;
    for (size_t start = 0; start < text.size();) {
        const size_t letters = std::min(text.find_first_not_of(kSpaces, start), text.size());
        const size_t end = std::min(text.find_first_of(kSpaces, letters), text.size());
        const std::string word = text.substr(start, end - start);
        const auto known = std::ranges::find(words, word);
        prompt.ids.push_back(engine::TokenId(known - words.begin()));
        if (known == words.end())
            words.push_back(word);
        start = end;
    }
    return prompt;
}

int cachePageLength() { return int(engine::kKvPageTokens); }

} // namespace app
