#include "app/cli/bench_prompt.h"

#include "app/cli/run_prompt.h"

#include <array>

using engine::Error;
using engine::Result;

namespace app {

Result<engine::TokenIds> benchPrompt(const engine::ModelText& model, int tokenCount, uint32_t seed)
{
    constexpr std::array kWords { " the", " time", " people", " water", " house", " world",
        " school", " year", " day", " way", " life", " hand", " part", " place", " case", " week",
        " company", " system", " question", " work", " number", " night", " point" };
    PromptSource source;
    uint32_t state = seed;
    for (int i = 0; i < tokenCount; ++i) {
        state = state * 1664525u + 1013904223u;
        source.plainText += kWords[(state >> 16) % kWords.size()];
    }
    TRY_ASSIGN(RunPrompt prompt, formatRunPrompt(model, source));
    // Words of several tokens make it longer, never shorter.
    if (int(prompt.ids.size()) < tokenCount)
        return Error::badRequest("the model's vocabulary joins words: no benchmark prompt");
    prompt.ids.resize(size_t(tokenCount));
    return prompt.ids;
}

} // namespace app
