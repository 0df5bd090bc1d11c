#pragma once

namespace engine {

/// Why a text was found in the KV cache up to a position and no further.
enum class CacheMiss {
    OtherToken, ///< the cache goes on with one other token
    OtherTokens, ///< it goes on with several, and this is none of them
    EndOfCache, ///< it goes no further
    GaveWay, ///< what followed was taken out for newer tokens
    NothingHeld, ///< nothing was read yet with this model and these settings
    NoRoom, ///< more was found, and no page was left to copy it into
};
/// "other_token", ... : the JSON name.
constexpr const char* cacheMissName(CacheMiss miss)
{
    switch (miss) {
    case CacheMiss::OtherToken:
        return "other_token";
    case CacheMiss::OtherTokens:
        return "other_tokens";
    case CacheMiss::EndOfCache:
        return "end_of_cache";
    case CacheMiss::GaveWay:
        return "gave_way";
    case CacheMiss::NothingHeld:
        return "nothing_held";
    case CacheMiss::NoRoom:
        break;
    }
    return "no_room";
}

} // namespace engine
