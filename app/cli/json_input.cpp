#include "app/cli/json_input.h"

#include <algorithm>

namespace app {

namespace {
    constexpr int kMaxNesting = 100;

    int deepestNesting(std::string_view text)
    {
        int depth = 0;
        int deepest = 0;
        bool inString = false;
        for (size_t i = 0; i < text.size(); ++i) {
            const char c = text[i];
            if (inString && c == '\\')
                ++i;
            else if (c == '"')
                inString = !inString;
            else if (!inString && (c == '[' || c == '{'))
                deepest = std::max(deepest, ++depth);
            else if (!inString && (c == ']' || c == '}'))
                --depth;
        }
        return deepest;
    }
}

engine::Result<nlohmann::ordered_json> parseJsonInput(std::string_view text)
{
    if (deepestNesting(text) > kMaxNesting)
        return engine::Error::badRequest("JSON nested deeper than " + std::to_string(kMaxNesting));
    try {
        return nlohmann::ordered_json::parse(text);
    } catch (const nlohmann::json::exception& failure) {
        return engine::Error::badRequest("no JSON: " + std::string(failure.what()));
    }
}

} // namespace app
