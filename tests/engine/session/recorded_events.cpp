#include "tests/engine/session/recorded_events.h"

using namespace engine;

namespace tests {

namespace {
    constexpr std::chrono::seconds kPatience { 10 };
}

std::optional<GenerationEvent> RecordedEvents::nextOfRun()
{
    return m_generation.takeWithin(kPatience);
}

std::optional<ModelEvent> RecordedEvents::nextOfModel() { return m_model.takeWithin(kPatience); }

std::optional<ScoreEvent> RecordedEvents::nextOfScores() { return m_scores.takeWithin(kPatience); }

std::optional<ScoreEvent> RecordedEvents::waitForScores()
{
    while (std::optional<ScoreEvent> event = nextOfScores())
        if (!std::holds_alternative<ScoresProgress>(*event))
            return event;
    return std::nullopt;
}

std::optional<RunEnded> RecordedEvents::waitForEnd(RunId runId)
{
    while (const std::optional<GenerationEvent> event = nextOfRun())
        if (const auto* ended = std::get_if<RunEnded>(&*event); ended && ended->runId == runId)
            return *ended;
    return std::nullopt;
}

std::optional<ModelLoaded> RecordedEvents::waitForModel()
{
    while (const std::optional<ModelEvent> event = nextOfModel())
        if (const auto* loaded = std::get_if<ModelLoaded>(&*event))
            return *loaded;
    return std::nullopt;
}

std::vector<std::string> releasedTexts(const std::vector<GenerationEvent>& events)
{
    std::vector<std::string> texts;
    for (const GenerationEvent& event : events) {
        if (const auto* decoded = std::get_if<TokenDecoded>(&event))
            texts.push_back(decoded->text);
        if (const auto* released = std::get_if<TextReleased>(&event))
            texts.push_back(released->text);
    }
    return texts;
}

std::string joined(const std::vector<std::string>& texts)
{
    std::string all;
    for (const std::string& text : texts)
        all += text;
    return all;
}

std::vector<RunPass> passesOf(const std::vector<GenerationEvent>& events, PassKind kind)
{
    std::vector<RunPass> passes;
    const auto add = [&](const std::vector<RunPass>& told) {
        for (const RunPass& pass : told)
            if (pass.kind == kind)
                passes.push_back(pass);
    };
    for (const GenerationEvent& event : events) {
        if (const auto* progress = std::get_if<PrefillProgress>(&event))
            add(progress->passes);
        if (const auto* decoded = std::get_if<TokenDecoded>(&event))
            add(decoded->passes);
        if (const auto* ended = std::get_if<RunEnded>(&event))
            add(ended->passes);
    }
    return passes;
}

int endCount(const std::vector<GenerationEvent>& events, RunId runId)
{
    int count = 0;
    for (const GenerationEvent& event : events)
        count += std::holds_alternative<RunEnded>(event) && runIdOf(event) == runId;
    return count;
}

} // namespace tests
