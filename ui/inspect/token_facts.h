#pragma once

#include "app/inspection/token_track.h"

#include <QString>

#include <vector>

namespace ui {

/// One line of what is known of a token. A value that was not observed says so.
struct TokenFact {
    QString name;
    QString value;

    bool operator==(const TokenFact&) const = default;
};

/// Id, bytes, position, source, and the numbers of its record.
std::vector<TokenFact> tokenFacts(const app::TokenTrack& track, int token);

/// "Token 5 ‘ on’"; the prompt's tokens and those of an answer are counted apart.
QString tokenTitle(const app::TokenTrack& track, int token);

} // namespace ui
