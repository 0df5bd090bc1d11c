#pragma once

#include "app/compare/cache_question.h"
#include "engine/session/model_event.h"

#include <unordered_map>

namespace app {

/// A text as a prompt of this model: what its KV cache would be computed by.
CachedPrompt cachedPrompt(const engine::ModelLoaded& model, const std::string& text);

/// Words that stand for tokens; the id of a word is its place.
class WordVocabulary {
public:
    /// Adds what is new.
    engine::TokenId idOf(const std::string& word);
    const std::vector<std::string>& words() const { return m_words; }
    void clear();

private:
    std::vector<std::string> m_words;
    std::unordered_map<std::string, engine::TokenId> m_ids;
};

/// A text as a prompt of words, for where no model says which tokens it is: a word with the spaces
/// before it stands for a token. By what it would be computed is not known.
CachedPrompt wordPrompt(const std::string& text, WordVocabulary& words);

/// Positions of a page of the cache.
int cachePageLength();

} // namespace app
