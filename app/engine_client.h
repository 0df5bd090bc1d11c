#pragma once

#include "app/engine_backend.h"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>

#include <mutex>
#include <vector>

namespace app {

/// The engine as the GUI thread sees it: commands go in, events come out as signals on the GUI
/// thread, in order. The inference thread may push at any rate; the client posts one queued call
/// per batch, at most 60 a second. The first token of a run, its end and model events never wait.
class EngineClient : public QObject {
    Q_OBJECT
public:
    explicit EngineClient(const EngineBackendFactory& createBackend, QObject* parent = nullptr);
    ~EngineClient() override;

    void load(engine::ModelLoadRequest request);
    void cancelLoad();
    void unload();
    void generate(engine::GenerationRequest request);
    void generateTogether(std::vector<engine::GenerationRequest> requests);
    void cancel(engine::RunId runId, engine::CancelledBy by = engine::CancelledBy::User);
    /// As InferenceThread does.
    void pause(engine::RunId runId);
    void resume(engine::RunId runId, engine::Pace pace);
    void readScores(engine::ScoreRequest request);
    void cancelScores(engine::ScoreReadId id);

    static constexpr int kBatchIntervalMs = 16; // 60 deliveries a second

signals:
    /// Events of any runs, in the order they happened; tokens carry the number of their batch.
    void runEvents(const std::vector<engine::GenerationEvent>& events);
    void modelEvent(const engine::ModelEvent& event);
    void scoreEvent(const engine::ScoreEvent& event);

private:
    class Inbox;
    void deliver();
    void deliverWhenDue();

    std::unique_ptr<Inbox> m_inbox;
    QTimer m_batchTimer;
    QElapsedTimer m_sinceDelivery;
    int m_chunk = 0;
    std::unique_ptr<EngineBackend> m_backend; // last: it stops before the inbox goes
};

} // namespace app
