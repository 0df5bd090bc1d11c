#include "app/inspection/score_search.h"

namespace app {

ScoreSearch::ScoreSearch(Workspace& workspace, QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
{
    connect(&workspace, &Workspace::scoreEvent, this, &ScoreSearch::take);
}

ScoreSearch::~ScoreSearch()
{
    if (m_thread)
        m_thread->wait();
}

void ScoreSearch::setPlace(std::optional<ScorePlace> place)
{
    if (place == m_place)
        return;
    drop();
    m_place = std::move(place);
    emit changed();
}

void ScoreSearch::drop()
{
    if (m_reading)
        m_workspace.cancelScores(*std::exchange(m_reading, std::nullopt));
    m_state = ScoreState::NotAsked;
    m_progress.reset();
    m_trace.reset();
    m_waiting.reset();
    m_isOutdated = m_thread != nullptr;
}

void ScoreSearch::read()
{
    if (!m_place || !m_workspace.model() || m_state != ScoreState::NotAsked)
        return;
    m_state = ScoreState::Reading;
    m_reading = m_workspace.readScores(m_place->before);
    emit changed();
}

void ScoreSearch::take(const engine::ScoreEvent& event)
{
    if (m_reading != engine::scoreReadIdOf(event))
        return; // of a place that was left
    if (const auto* progress = std::get_if<engine::ScoresProgress>(&event)) {
        m_progress = *progress;
    } else if (const auto* failed = std::get_if<engine::ScoresFailed>(&event)) {
        m_reading.reset();
        m_state = ScoreState::Failed;
        m_problem = QString::fromStdString(failed->error.message);
    } else {
        const auto& row = std::get<engine::ScoresRead>(event);
        m_reading.reset();
        m_reused = row.reusedPositions;
        m_computed = row.computedPositions;
        compute(row.scores);
    }
    emit changed();
}

void ScoreSearch::compute(std::shared_ptr<const std::vector<float>> scores)
{
    if (m_thread) {
        m_waiting = std::move(scores);
        return;
    }
    m_isOutdated = false;
    const std::shared_ptr<const engine::ModelText> text
        = m_workspace.model() ? m_workspace.model()->text : nullptr;
    if (!text) { // unloaded in this very moment
        m_state = ScoreState::Failed;
        m_problem = tr("The model was closed before the scores were read.");
        return;
    }
    if (text != m_indexed)
        m_index.reset();
    m_indexed = text;
    m_thread.reset(QThread::create(
        [this, text, index = m_index, scores = std::move(scores), place = *m_place]() mutable {
            if (!index)
                index = std::make_shared<const VocabularyIndex>(*text->tokenizer);
            auto trace = std::make_shared<const RowTrace>(std::move(scores), place.settings, place.before);
            QMetaObject::invokeMethod(this, [this, index, trace] { computed(index, trace); });
        }));
    m_thread->start();
}

void ScoreSearch::computed(
    std::shared_ptr<const VocabularyIndex> index, std::shared_ptr<const RowTrace> trace)
{
    m_thread->wait();
    m_thread.reset();
    m_index = std::move(index);
    if (m_waiting)
        return compute(std::exchange(m_waiting, nullptr));
    if (std::exchange(m_isOutdated, false))
        return;
    m_trace = std::move(trace);
    m_state = ScoreState::Ready;
    emit changed();
}

ScoreSearch::Matches ScoreSearch::find(const QString& text, size_t most) const
{
    if (m_state != ScoreState::Ready)
        return {};
    const engine::TokenIds ids = m_index->find(text);
    return { m_trace->best(ids, most), int(ids.size()), m_trace->isGreedy() };
}

} // namespace app
