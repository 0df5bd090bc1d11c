#include "engine/session/inference_thread.h"

#include "engine/session/inference_loop.h"

namespace engine {

InferenceThread::InferenceThread(EventSink& sink, EngineFactory factory)
    : m_thread([this, &sink, factory = std::move(factory)]() mutable {
        InferenceLoop(sink, std::move(factory), m_mailbox).serve();
    })
{
}

InferenceThread::~InferenceThread()
{
    m_mailbox.post(CloseThread {});
    m_thread.join();
}

void InferenceThread::load(ModelLoadRequest request)
{
    m_mailbox.post(LoadModel { std::move(request) });
}

void InferenceThread::cancelLoad() { m_mailbox.post(CancelModelLoad {}); }

void InferenceThread::unload() { m_mailbox.post(UnloadModel {}); }

void InferenceThread::generate(GenerationRequest request, TraceLog* trace)
{
    m_mailbox.post(StartRun { std::move(request), std::chrono::steady_clock::now(), trace });
}

void InferenceThread::generateTogether(std::vector<GenerationRequest> requests)
{
    StartRuns together;
    for (GenerationRequest& request : requests)
        together.runs.push_back({ std::move(request), std::chrono::steady_clock::now() });
    m_mailbox.post(std::move(together));
}

void InferenceThread::cancel(RunId runId, CancelledBy by)
{
    m_mailbox.post(CancelRun { runId, by });
}

void InferenceThread::pause(RunId runId) { m_mailbox.post(PauseRun { runId }); }

void InferenceThread::resume(RunId runId, Pace pace)
{
    m_mailbox.post(ResumeRun { runId, std::move(pace) });
}

void InferenceThread::readScores(ScoreRequest request)
{
    m_mailbox.post(ReadScores { std::move(request) });
}

void InferenceThread::cancelScores(ScoreReadId id) { m_mailbox.post(CancelScores { id }); }

} // namespace engine
