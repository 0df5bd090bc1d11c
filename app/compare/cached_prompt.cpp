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

engine::TokenId WordVocabulary::idOf(const std::string& word)
{
    const auto [known, isNew] = m_ids.try_emplace(word, engine::TokenId(m_words.size()));
    if (isNew)
        m_words.push_back(word);
    return known->second;
}

void WordVocabulary::clear()
{
    m_words.clear();
    m_ids.clear();
}

CachedPrompt wordPrompt(const std::string& text, WordVocabulary& words)
{
    constexpr const char* kSpaces = " \t\r\n";
    CachedPrompt prompt;
    for (size_t start = 0; start < text.size();) {
        const size_t letters = std::min(text.find_first_not_of(kSpaces, start), text.size());
        const size_t end = std::min(text.find_first_of(kSpaces, letters), text.size());
        prompt.ids.push_back(words.idOf(text.substr(start, end - start)));
        start = end;
    }
    return prompt;
}

int cachePageLength() { return int(engine::kKvPageTokens); }

} // namespace app
