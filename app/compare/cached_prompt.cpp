#include "app/compare/cached_prompt.h"

#include "engine/base/kv_page.h"

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

int cachePageLength() { return int(engine::kKvPageTokens); }

} // namespace app
