#pragma once

#include "engine/base/mailbox.h"
#include "engine/session/inference_thread.h"

#include <functional>
#include <variant>

namespace app {

/// The engine as a command uses it: one call at a time, each waiting for its end. Signals and
/// other wishes to stop come from `interrupted`, asked at least every 50 ms.
class CommandEngine {
public:
    CommandEngine(engine::EngineFactory factory, std::function<bool()> interrupted);

    engine::Result<engine::ModelLoaded> open(const engine::ModelLoadRequest& request);
    /// Runs a request to its terminal event, which is also the last one that onEvent sees. trace:
    /// gets the spans of the run and of each event's way to here.
    engine::RunEnded run(const engine::GenerationRequest& request,
        const std::function<void(const engine::GenerationEvent&)>& onEvent,
        engine::TraceLog* trace = nullptr);

private:
    struct Message {
        std::variant<engine::GenerationEvent, engine::ModelEvent> event;
        engine::TraceLog::Clock::time_point pushed = engine::TraceLog::Clock::now();
    };
    class Inbox : public engine::EventSink {
    public:
        void push(engine::GenerationEvent event) override { mailbox.post({ std::move(event) }); }
        void push(engine::ScoreEvent) override { } // of a window only
        void push(engine::ModelEvent event) override { mailbox.post({ std::move(event) }); }

        engine::Mailbox<Message> mailbox;
    };

    std::function<bool()> m_interrupted;
    Inbox m_inbox;
    engine::InferenceThread m_thread; // last: it stops before the inbox goes
};

} // namespace app
