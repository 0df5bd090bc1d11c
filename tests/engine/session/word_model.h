#pragma once

#include "engine/session/generation.h"
#include "engine/session/scripted_timeline.h"

#include <string>
#include <vector>

namespace tests {

/// A vocabulary of a few made-up pieces: id 0 is the prompt's, 1 and 2 end a generation.
class WordModel {
public:
    /// The pieces get the ids from kFirstPiece on.
    explicit WordModel(std::vector<std::string> pieces)
        : m_pieces(std::move(pieces))
    {
    }
    static constexpr engine::TokenId kPrompt = 0;
    static constexpr engine::TokenId kEnd = 1;
    static constexpr engine::TokenId kOtherEnd = 2;
    static constexpr engine::TokenId kFirstPiece = 3;

    int vocabularySize() const { return kFirstPiece + int(m_pieces.size()); }
    /// Ids of all pieces in the order given: an answer that says each once.
    engine::TokenIds ids() const;
    /// A script that says all pieces and then ends.
    engine::Script script(engine::TokenId end = kEnd) const;
    /// Borrows this object.
    engine::GenerationModel on(engine::Timeline& timeline) const;

private:
    std::vector<std::string> m_pieces;
};

/// Runs one request on the calling thread.
std::vector<engine::GenerationEvent> eventsOf(const engine::GenerationRequest& request,
    const engine::GenerationModel& model,
    std::function<std::optional<engine::CancelledBy>()> cancelled = {});
/// The last event of a run.
engine::RunEnded endOf(const std::vector<engine::GenerationEvent>& events);

} // namespace tests
