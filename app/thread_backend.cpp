#include "app/engine_backend.h"

#include "engine/session/inference_thread.h"

namespace app {

namespace {
    class ThreadBackend : public EngineBackend {
    public:
        ThreadBackend(engine::EventSink& sink, engine::EngineFactory openModel)
            : m_thread(sink, std::move(openModel))
        {
        }
        void load(engine::ModelLoadRequest request) override { m_thread.load(std::move(request)); }
        void cancelLoad() override { m_thread.cancelLoad(); }
        void unload() override { m_thread.unload(); }
        void generate(engine::GenerationRequest request) override
        {
            m_thread.generate(std::move(request));
        }
        void generateTogether(std::vector<engine::GenerationRequest> requests) override
        {
            m_thread.generateTogether(std::move(requests));
        }
        void cancel(engine::RunId runId, engine::CancelledBy by) override
        {
            m_thread.cancel(runId, by);
        }
        void pause(engine::RunId runId) override { m_thread.pause(runId); }
        void resume(engine::RunId runId, engine::Pace pace) override
        {
            m_thread.resume(runId, std::move(pace));
        }
        void readScores(engine::ScoreRequest request) override
        {
            m_thread.readScores(std::move(request));
        }
        void cancelScores(engine::ScoreReadId id) override { m_thread.cancelScores(id); }

    private:
        engine::InferenceThread m_thread;
    };
}

EngineBackendFactory threadBackend(engine::EngineFactory openModel)
{
    return [openModel = std::move(openModel)](engine::EventSink& sink) {
        return std::make_unique<ThreadBackend>(sink, openModel);
    };
}

} // namespace app
