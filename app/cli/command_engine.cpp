#include "app/cli/command_engine.h"

namespace app {

namespace {
    constexpr std::chrono::milliseconds kLookInterval { 50 };

    engine::TraceSpan deliveryOf(
        const engine::GenerationEvent& event, double pushedMs, double takenMs)
    {
        return { .track = engine::TraceTrack::Delivery,
            .name = std::holds_alternative<engine::TokenDecoded>(event) ? "token to its reader"
                                                                        : "event to its reader",
            .startMs = pushedMs,
            .durationMs = takenMs - pushedMs };
    }
}

CommandEngine::CommandEngine(engine::EngineFactory factory, std::function<bool()> interrupted)
    : m_interrupted(std::move(interrupted))
    , m_thread(m_inbox, std::move(factory))
{
}

engine::Result<engine::ModelLoaded> CommandEngine::open(const engine::ModelLoadRequest& request)
{
    m_thread.load(request);
    bool isCancelled = false;
    for (;;) {
        const auto message = m_inbox.mailbox.takeWithin(kLookInterval);
        if (!isCancelled && m_interrupted()) {
            m_thread.cancelLoad();
            isCancelled = true;
        }
        const auto* event = message ? std::get_if<engine::ModelEvent>(&message->event) : nullptr;
        if (!event)
            continue;
        if (const auto* failed = std::get_if<engine::ModelLoadFailed>(event))
            return failed->error;
        if (const auto* loaded = std::get_if<engine::ModelLoaded>(event))
            return *loaded;
    }
}

engine::RunEnded CommandEngine::run(const engine::GenerationRequest& request,
    const std::function<void(const engine::GenerationEvent&)>& onEvent, engine::TraceLog* trace)
{
    engine::TraceLog deliveries(trace ? trace->origin() : engine::TraceLog::Clock::now());
    m_thread.generate(request, trace);
    bool isCancelled = false;
    for (;;) {
        const auto message = m_inbox.mailbox.takeWithin(kLookInterval);
        if (!isCancelled && m_interrupted()) {
            m_thread.cancel(request.runId);
            isCancelled = true;
        }
        const auto* event
            = message ? std::get_if<engine::GenerationEvent>(&message->event) : nullptr;
        if (!event)
            continue;
        if (trace)
            deliveries.add(
                deliveryOf(*event, deliveries.msAt(message->pushed), deliveries.nowMs()));
        onEvent(*event);
        const auto* ended = std::get_if<engine::RunEnded>(event);
        if (ended && trace)
            trace->append(deliveries); // the run is over: the log is ours again
        if (ended)
            return *ended;
    }
}

} // namespace app
