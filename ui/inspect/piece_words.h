#pragma once

#include "app/inspection/token_track.h"

#include <QString>

namespace ui {

/// The bytes of any piece as a chip draws them (chip_text.h).
QString drawnPiece(const std::string& bytes);
/// The same in a sentence: spaces stay spaces.
QString spokenBytes(const std::string& bytes);
/// "20 6F 6E"
QString hexWords(const std::string& bytes);

/// What a candidate at tokens()[token] is called: "‘ London’", or "token 335" where no vocabulary
/// is at hand.
QString quotedPiece(const app::TokenTrack& track, int token, engine::TokenId id);

} // namespace ui
