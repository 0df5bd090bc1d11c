#pragma once

#include "engine/session/repetition_guard.h"
#include "engine/session/stop_ledger.h"
#include "engine/session/text_release.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace engine {

/// What a draft's tokens are watched for.
struct StopSettings {
    std::vector<std::string> stopStrings;
    int lengthCap = 0; ///< new tokens
    bool ignoreEndTokens = false;
    std::optional<RepetitionLimits> repetitionGuard; ///< checked ones; none = off
    TokenIds endTokenIds;
    int promptLength = 0; ///< tokens before the first new one
    int contextLength = 0;
};

/// The conditions that tokens bring about, watched token by token: which text may be shown, and
/// what ends the draft. A run and a question of what would have ended it ask the same rules.
class StopRules {
public:
    explicit StopRules(StopSettings settings);

    /// Bytes of a token of the draft that is being continued: shown by the run before.
    void continueFrom(std::string_view pieceBytes) { m_release.continueFrom(pieceBytes); }
    /// newTokens: all of them, the one just decided last. pieceBytes: of that one. Returns the text
    /// released by it. Nothing may follow a token at which reached() tells a reason.
    std::string take(std::span<const TokenId> newTokens, std::string_view pieceBytes);
    /// The held text: no more tokens will come.
    std::string finish() { return m_release.finish(); }

    /// The first condition of the table of stop reasons that holds at the last token.
    std::optional<StopReason> reached(bool isTimeUp) const;
    /// How all of them stand; what tokens do not bring about is left to the caller.
    StopConditions conditions() const;

    bool isEndToken(TokenId id) const;
    const TextRelease& release() const { return m_release; }

private:
    StopSettings m_settings;
    TextRelease m_release;
    std::optional<RepetitionGuard> m_guard;
    std::optional<StopStringMatch> m_stopMatch;
    std::optional<int> m_endTokenIndex; ///< of the last end token, ignored ones too
    int m_tokenCount = 0;
};

} // namespace engine
