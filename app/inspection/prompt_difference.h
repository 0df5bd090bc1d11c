#pragma once

#include "app/inspection/cache_lens.h"

namespace app {

/// Which part of a prompt made it differ from what another run of the chat had read and written, at
/// the first token that differs. Told from the words of both and from whose words they are; NotKnown
/// where that was not recorded. Both runs' details must be in memory.
MissReason differenceOf(const Draft& run, const Draft& before, size_t position);

} // namespace app
