#pragma once

#include "engine/base/mailbox.h"
#include "engine/session/event_sink.h"

#include <optional>
#include <string>
#include <vector>

namespace tests {

/// A sink that keeps every event, for the thread that asks.
class RecordedEvents : public engine::EventSink {
public:
    void push(engine::GenerationEvent event) override { m_generation.post(std::move(event)); }
    void push(engine::ModelEvent event) override { m_model.post(std::move(event)); }
    void push(engine::ScoreEvent event) override { m_scores.post(std::move(event)); }

    /// The next event within ten seconds; none afterwards.
    std::optional<engine::GenerationEvent> nextOfRun();
    std::optional<engine::ModelEvent> nextOfModel();
    std::optional<engine::ScoreEvent> nextOfScores();
    /// Skips the progress: what a reading ended in.
    std::optional<engine::ScoreEvent> waitForScores();
    /// What has come so far and was not taken.
    std::vector<engine::GenerationEvent> takeAll() { return m_generation.takeAll(); }

    /// Skips to the terminal event of this run; none when it does not come.
    std::optional<engine::RunEnded> waitForEnd(engine::RunId runId);
    /// Skips to the loaded model.
    std::optional<engine::ModelLoaded> waitForModel();

private:
    engine::Mailbox<engine::GenerationEvent> m_generation;
    engine::Mailbox<engine::ModelEvent> m_model;
    engine::Mailbox<engine::ScoreEvent> m_scores;
};

/// Texts of a run in the order they were released.
std::vector<std::string> releasedTexts(const std::vector<engine::GenerationEvent>& events);
std::string joined(const std::vector<std::string>& texts);
/// The passes of one kind that these events tell of, in their order.
std::vector<engine::RunPass> passesOf(
    const std::vector<engine::GenerationEvent>& events, engine::PassKind kind);
/// How many terminal events this run had.
int endCount(const std::vector<engine::GenerationEvent>& events, engine::RunId runId);

} // namespace tests
