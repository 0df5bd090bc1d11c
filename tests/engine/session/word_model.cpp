#include "tests/engine/session/word_model.h"

#include "tests/engine/session/recorded_events.h"

using namespace engine;

namespace tests {

TokenIds WordModel::ids() const
{
    TokenIds ids;
    for (size_t i = 0; i < m_pieces.size(); ++i)
        ids.push_back(kFirstPiece + TokenId(i));
    return ids;
}

Script WordModel::script(TokenId end) const
{
    TokenIds answer = ids();
    answer.push_back(end);
    return Script::ofTokens(answer, vocabularySize());
}

GenerationModel WordModel::on(Timeline& timeline) const
{
    return {
        .timeline = timeline,
        .pieceBytes
        = [this](
              TokenId id) { return id < kFirstPiece ? "" : m_pieces.at(size_t(id - kFirstPiece)); },
        .endTokenIds = { kEnd, kOtherEnd },
        .vocabularySize = vocabularySize(),
    };
}

std::vector<GenerationEvent> eventsOf(const GenerationRequest& request,
    const GenerationModel& model, std::function<std::optional<CancelledBy>()> cancelled)
{
    if (!cancelled)
        cancelled = [] { return std::nullopt; };
    RecordedEvents events;
    Generation(request, model, { events, std::move(cancelled), std::chrono::steady_clock::now() })
        .run();
    return events.takeAll();
}

RunEnded endOf(const std::vector<GenerationEvent>& events)
{
    const auto* ended = events.empty() ? nullptr : std::get_if<RunEnded>(&events.back());
    return ended ? *ended : RunEnded {};
}

} // namespace tests
