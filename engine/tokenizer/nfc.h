#pragma once

#include <string>
#include <string_view>

namespace engine {

/// Valid UTF-8 text in Unicode normalisation form C. The time grows about linearly, whatever
/// marks the text piles up. Source: Unicode Standard Annex 15.
std::string normalizeNfc(std::string_view text);

} // namespace engine
