#pragma once

#include "app/engine_backend.h"
#include "engine/session/text_release.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tests {

/// An engine whose events a test tells one by one: nothing happens until the test says so, and a
/// terminal event can be withheld. Its tokenizer makes one token of each byte.
/// Events may be pushed from any thread.
class FakeEngine {
public:
    static constexpr engine::TokenId kStart = 256; ///< "<|im_start|>"
    static constexpr engine::TokenId kEnd = 257; ///< "<|im_end|>"

    /// The backend it makes reports to this object, which must outlive it.
    app::EngineBackendFactory factory();

    // What the window asked for.
    std::vector<engine::ModelLoadRequest> loads;
    std::vector<engine::GenerationRequest> requests;
    std::vector<std::vector<engine::RunId>> together; ///< those of them that were asked for in one call
    std::vector<engine::RunId> cancelled;
    std::vector<engine::RunId> paused;
    std::vector<std::pair<engine::RunId, engine::Pace>> resumed;
    std::vector<engine::ScoreRequest> scoreRequests;
    std::vector<engine::ScoreReadId> cancelledScores;
    int cancelledLoads = 0;

    // What happens with the model.
    void loadProgress(const std::string& step, uint64_t done, uint64_t total);
    /// ModelLoaded for the newest load. offer: ChatML by default.
    void finishLoad();
    void failLoad(engine::Error error);
    engine::TemplateOffer offer = chatMl();
    engine::ModelDescription description = tinyModel();

    // What happens with the newest run, or with the one chosen by tellOf.
    void tellOf(engine::RunId run) { m_run = run; }
    void queued(int before);
    void prefill(int done, int total, int reused = 0);
    void token(const std::string& text, engine::TokenId id = 'x');
    /// A token as the real engine would tell it: what may be shown is released by the run's own
    /// stop strings. False once a stop string ended the run.
    bool piece(const std::string& bytes);
    /// Ends a run told in pieces: held text comes out first.
    void endPieces(
        engine::StopReason reason, const std::function<void(engine::RunEnded&)>& change = {});
    void pause(engine::PauseCause cause);
    void resume();
    /// A token whose text may still become a stop string.
    void heldToken(const std::string& held, const std::string& stopString);
    /// The terminal event, with everything that is known of the run filled in.
    void end(engine::StopReason reason, const std::function<void(engine::RunEnded&)>& change = {});
    void push(engine::GenerationEvent event);
    void push(engine::ScoreEvent event);

    static engine::TemplateOffer chatMl();
    static engine::ModelDescription tinyModel();
    /// The text side of the fake model.
    std::shared_ptr<const engine::ModelText> modelText() const;

private:
    class Backend;
    struct Told {
        engine::GenerationRequest request;
        std::optional<engine::TextRelease> release;
        std::string text;
        engine::TokenIds ids;
    };
    void begin(engine::GenerationRequest request);
    engine::RunId runId() const { return m_run; }
    Told& told() { return m_told.at(m_run); }

    engine::EventSink* m_sink = nullptr;
    engine::RunId m_run = 0;
    std::map<engine::RunId, Told> m_told;
};

} // namespace tests
