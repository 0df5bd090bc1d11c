#pragma once

#include "engine/sampling/token_record.h"

#include <array>
#include <span>

namespace app {

/// A token of a table. What its record does not tell stays empty.
struct TableToken {
    engine::TokenId id = 0;
    std::string bytes; ///< "" for control tokens
    std::string controlText; ///< "<|im_end|>"; "" for others
    const char* place = "prompt"; ///< "prompt", "opening" or "answer"
    engine::TokenSource source = engine::TokenSource::Supplied;
    int position = 0; ///< in the sequence, from 0
    engine::TokenRecord record; ///< all empty where nothing was observed
};

/// The columns of both formats, in their order. index counts from 0; text is the piece as UTF-8
/// (JSON-escaped in CSV too, U+FFFD for what is no character) and bytes are its true bytes in
/// hexadecimal; logprob and entropy are in nats; probability, logprob, rank, entropy and
/// end_probability are raw, before any sampler stage; draw, final_probability and dropped_by are
/// of the draw. What was not observed is empty in CSV and null in JSON.
inline constexpr std::array kTokenTableColumns { "index", "place", "id", "text", "bytes", "source",
    "position", "probability", "logprob", "rank", "entropy", "end_probability", "draw",
    "final_probability", "dropped_by" };

/// A header row and one row a token, fields quoted as in RFC 4180, lines ended by a line feed.
std::string tokenTableCsv(std::span<const TableToken> tokens);
/// {"schema": 1, "tokens": [{"index": 0, ...}, ...]}
std::string tokenTableJson(std::span<const TableToken> tokens);

} // namespace app
