#include "app/engine_client.h"

namespace app {

namespace {
    bool isUrgent(const engine::GenerationEvent& event)
    {
        if (const auto* token = std::get_if<engine::TokenDecoded>(&event))
            return token->index == 0;
        return std::holds_alternative<engine::RunEnded>(event) || std::holds_alternative<engine::RunPaused>(event)
            || std::holds_alternative<engine::RunResumed>(event);
    }
}

/// Collects what the inference thread pushes and wakes the GUI thread once per batch.
class EngineClient::Inbox : public engine::EventSink {
public:
    using Event = std::variant<engine::GenerationEvent, engine::ModelEvent, engine::ScoreEvent>;

    explicit Inbox(EngineClient& client)
        : m_client(client)
    {
    }

    void push(engine::GenerationEvent event) override
    {
        const bool urgent = isUrgent(event);
        add(std::move(event), urgent);
    }
    void push(engine::ModelEvent event) override { add(std::move(event), true); }
    void push(engine::ScoreEvent event) override
    {
        const bool urgent = !std::holds_alternative<engine::ScoresProgress>(event);
        add(std::move(event), urgent);
    }

    std::vector<Event> take()
    {
        const std::lock_guard lock(m_mutex);
        m_posted = m_urgentPosted = false;
        return std::exchange(m_events, {});
    }

private:
    void add(Event event, bool urgent)
    {
        const std::lock_guard lock(m_mutex);
        m_events.push_back(std::move(event));
        if (urgent && !m_urgentPosted) {
            m_posted = m_urgentPosted = true;
            QMetaObject::invokeMethod(
                &m_client, [this] { m_client.deliver(); }, Qt::QueuedConnection);
        } else if (!m_posted) {
            m_posted = true;
            QMetaObject::invokeMethod(
                &m_client, [this] { m_client.deliverWhenDue(); }, Qt::QueuedConnection);
        }
    }

    EngineClient& m_client;
    std::mutex m_mutex;
    std::vector<Event> m_events;
    bool m_posted = false;
    bool m_urgentPosted = false;
};

EngineClient::EngineClient(const EngineBackendFactory& createBackend, QObject* parent)
    : QObject(parent)
    , m_inbox(std::make_unique<Inbox>(*this))
{
    m_batchTimer.setSingleShot(true);
    m_batchTimer.setTimerType(Qt::PreciseTimer);
    connect(&m_batchTimer, &QTimer::timeout, this, &EngineClient::deliver);
    m_backend = createBackend(*m_inbox);
}

EngineClient::~EngineClient() = default;

void EngineClient::load(engine::ModelLoadRequest request) { m_backend->load(std::move(request)); }
void EngineClient::cancelLoad() { m_backend->cancelLoad(); }
void EngineClient::unload() { m_backend->unload(); }

void EngineClient::generate(engine::GenerationRequest request)
{
    m_backend->generate(std::move(request));
}

void EngineClient::generateTogether(std::vector<engine::GenerationRequest> requests)
{
    m_backend->generateTogether(std::move(requests));
}

void EngineClient::cancel(engine::RunId runId, engine::CancelledBy by)
{
    m_backend->cancel(runId, by);
}

void EngineClient::pause(engine::RunId runId) { m_backend->pause(runId); }

void EngineClient::resume(engine::RunId runId, engine::Pace pace)
{
    m_backend->resume(runId, std::move(pace));
}

void EngineClient::readScores(engine::ScoreRequest request)
{
    m_backend->readScores(std::move(request));
}

void EngineClient::cancelScores(engine::ScoreReadId id) { m_backend->cancelScores(id); }

void EngineClient::deliverWhenDue()
{
    const qint64 elapsedMs
        = m_sinceDelivery.isValid() ? m_sinceDelivery.elapsed() : kBatchIntervalMs;
    if (elapsedMs >= kBatchIntervalMs)
        deliver();
    else if (!m_batchTimer.isActive())
        m_batchTimer.start(int(kBatchIntervalMs - elapsedMs));
}

void EngineClient::deliver()
{
    m_batchTimer.stop();
    std::vector<Inbox::Event> events = m_inbox->take();
    if (events.empty())
        return;
    m_sinceDelivery.start();
    ++m_chunk;

    std::vector<engine::GenerationEvent> batch;
    const auto flush = [&] {
        if (!batch.empty())
            emit runEvents(std::exchange(batch, {}));
    };
    for (Inbox::Event& event : events) {
        if (auto* model = std::get_if<engine::ModelEvent>(&event)) {
            flush(); // order matters: a run may start because a model came
            emit modelEvent(*model);
            continue;
        }
        if (auto* scores = std::get_if<engine::ScoreEvent>(&event)) {
            flush(); // likewise
            emit scoreEvent(*scores);
            continue;
        }
        auto& run = std::get<engine::GenerationEvent>(event);
        if (auto* token = std::get_if<engine::TokenDecoded>(&run))
            token->record.chunk = m_chunk;
        batch.push_back(std::move(run));
    }
    flush();
}

} // namespace app
