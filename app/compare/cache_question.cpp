#include "app/compare/cache_question.h"

#include <algorithm>

namespace app {

namespace {
    std::optional<bool> isSame(const std::string& a, const std::string& b)
    {
        if (a.empty() || b.empty())
            return std::nullopt;
        return a == b;
    }
}

CacheQuestion cacheQuestion(const CachedPrompt& held, const CachedPrompt& asked, int pageLength)
{
    CacheQuestion question;
    const auto [one, other] = std::ranges::mismatch(held.ids, asked.ids);
    question.commonCount = size_t(one - held.ids.begin());
    if (one != held.ids.end() || other != asked.ids.end())
        question.firstDifference = question.commonCount;
    question.endsAlike
        = !held.ids.empty() && !asked.ids.empty() && held.ids.back() == asked.ids.back();
    question.answers = {
        { CacheCondition::Ids, question.commonCount > 0 },
        { CacheCondition::Positions, held.firstPosition == asked.firstPosition },
        { CacheCondition::Model, isSame(held.model, asked.model) },
        { CacheCondition::TensorTypes, isSame(held.tensorTypes, asked.tensorTypes) },
        { CacheCondition::Rope, isSame(held.rope, asked.rope) },
        { CacheCondition::KvType, isSame(held.kvType, asked.kvType) },
    };
    for (const CacheAnswer& answer : question.answers)
        if (!question.obstacle && answer.condition != CacheCondition::Ids && answer.holds != true)
            question.obstacle = answer.condition;
    if (!question.obstacle) {
        // The engine computes the last token that is asked anew: the scores after it are needed.
        const size_t most = std::max<size_t>(asked.ids.size(), 1) - 1;
        question.shareableTokens = std::min(question.commonCount, most);
        question.shareablePages = question.shareableTokens / size_t(std::max(1, pageLength));
    }
    return question;
}

} // namespace app
