#pragma once

#include "app/conversation/token_place.h"

namespace app {

enum class PromptKind { Text, Control, Begun }; ///< Begun: of the answer, given to the run
enum class PromptCache { Unknown, Reused, Computed };

/// A token that a run was given.
struct PromptToken {
    engine::TokenId id = 0;
    PromptKind kind = PromptKind::Text;
    PromptCache cache = PromptCache::Unknown;
    int source = -1; ///< of DraftOrigin::sources that its first byte belongs to; -1: none
    PromptOrigin origin = PromptOrigin::Unknown; ///< of its first byte
    int message = -1; ///< that its first byte belongs to; -1: none, or not known

    bool operator==(const PromptToken&) const = default;
};

/// A stretch of the prompt that is shown alike: whole characters.
struct PromptSpan {
    PromptKind kind = PromptKind::Text;
    PromptCache cache = PromptCache::Unknown;
    int source = -1; ///< as PromptToken's, but to the byte
    PromptOrigin origin = PromptOrigin::Unknown; ///< likewise
    int message = -1; ///< likewise
    TextBytes bytes; ///< of PromptView::text

    bool operator==(const PromptSpan&) const = default;
};

/// What a run was given, written out, and where its parts stand.
struct PromptView {
    std::string text; ///< control tokens written out
    std::vector<PromptToken> tokens;
    std::vector<PromptSpan> spans; ///< all of text, in order
    /// False: without the vocabulary the text is the formatted prompt as it was sent, not divided
    /// into tokens and without what was begun of the answer.
    bool isByTokens = false;
    /// False: besides a blank or a token put in front, the tokens are not the bytes of the
    /// formatted prompt (some tokenizers change them). From there on no source text can be found.
    bool isAsSent = true;
};

/// How the KV cache served a prompt, as far as it was observed.
struct PromptCacheUse {
    int tokenCount = 0;
    int reused = 0;
    int computed = 0; ///< so far, while it is read
    bool isUnderWay = false;
    std::optional<int> firstMissPosition; ///< 0 = first token
    std::string missCause; ///< in words; "" = none was told
    std::optional<engine::KvRoom> room; ///< what the sequence takes up, at the end of its run

    bool operator==(const PromptCacheUse&) const = default;
};

/// None: nothing was observed.
std::optional<PromptCacheUse> promptCacheUse(const Draft& draft);
/// fallback: for drafts without a vocabulary of their own; may be null.
PromptView promptView(const Draft& draft, const engine::ModelText* fallback);

} // namespace app
