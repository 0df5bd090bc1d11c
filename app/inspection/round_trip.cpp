#include "app/inspection/round_trip.h"

#include <algorithm>

namespace app {

namespace {
    /// What stands before the answer and is tokenised together with it: everything since the last
    /// control token.
    std::string textBefore(const engine::Tokenizer& tokenizer, std::span<const engine::TokenId> ids)
    {
        size_t start = ids.size();
        while (start > 0 && !tokenizer.pieceBytes(ids[start - 1]).empty())
            --start;
        return tokenizer.decode(ids.subspan(start));
    }
}

std::optional<RoundTrip> roundTrip(const Answer& answer, const engine::ModelText* fallback)
{
    if (answer.isActive() || answer.isEdited() || !answer.hasDetails())
        return std::nullopt;
    const DraftOrigin& origin = answer.parts().front()->origin();
    const engine::ModelText* model = origin.modelText ? origin.modelText.get() : fallback;
    if (!model || !model->tokenizer)
        return std::nullopt;
    const engine::Tokenizer& tokenizer = *model->tokenizer;
    const engine::Vocabulary& vocabulary = tokenizer.vocabulary();

    engine::TokenIds written = answer.draftIds();
    while (!written.empty() && vocabulary.isEndToken(written.back()))
        written.pop_back();
    const engine::TokenIds& given = origin.request.promptIds;
    const size_t promptCount
        = given.size() - std::min(given.size(), size_t(origin.request.draftTokenCount));
    const std::span<const engine::TokenId> prompt(given.data(), promptCount);
    const auto isKnown = [&](engine::TokenId id) { return vocabulary.contains(id); };
    if (!std::ranges::all_of(prompt, isKnown))
        return std::nullopt;

    const std::string before = textBefore(tokenizer, prompt);
    engine::TokenIds expected = tokenizer.encodeText(before);
    const auto beforeCount = int(expected.size());
    expected.insert(expected.end(), written.begin(), written.end());
    const engine::TokenIds readBack = tokenizer.encodeText(before + answer.text());

    RoundTrip trip { .tokenCount = int(written.size()) };
    if (readBack == expected)
        return trip;
    const auto [differs, other] = std::ranges::mismatch(expected, readBack);
    const int offset = int(differs - expected.begin()) - beforeCount;
    trip.firstDifference = std::max(0, offset);
    trip.position = int(promptCount) + offset;
    return trip;
}

} // namespace app
