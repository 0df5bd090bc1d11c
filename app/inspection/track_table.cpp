#include "app/inspection/track_table.h"

namespace app {

namespace {
    const char* nameOf(TokenPlace place)
    {
        switch (place) {
        case TokenPlace::Prompt:
            return "prompt";
        case TokenPlace::Opening:
            return "opening";
        case TokenPlace::Answer:
            break;
        }
        return "answer";
    }
}

std::vector<TableToken> tableTokens(const TokenTrack& track)
{
    std::vector<TableToken> tokens;
    for (int i = 0; i < int(track.tokens().size()); ++i) {
        const TrackToken& token = track.tokens()[size_t(i)];
        const engine::TokenRecord* record = track.record(i);
        tokens.push_back({ token.id, token.bytes, token.controlText, nameOf(token.place),
            token.source, i, record ? *record : engine::TokenRecord {} });
    }
    return tokens;
}

} // namespace app
