#pragma once

#include "app/inspection/token_track.h"

#include <QString>

namespace ui {

/// Counted from 1 among the tokens of its own place: the answer's new tokens (those that runs
/// added, all runs together), what a person began, or the prompt.
int tokenNumber(const app::TokenTrack& track, int token);

/// What is read out for a token: "token 12, ‘ Paris’, probability 82 %, rank 1".
QString tokenName(const app::TokenTrack& track, int token);

} // namespace ui
