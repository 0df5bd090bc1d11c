#pragma once

#include "app/inspection/token_table.h"
#include "app/inspection/token_track.h"

namespace app {

/// The tokens of an answer for tokenTableCsv and tokenTableJson.
std::vector<TableToken> tableTokens(const TokenTrack& track);

} // namespace app
