#pragma once

#include "app/conversation/workspace.h"
#include "app/inspection/row_trace.h"
#include "app/inspection/vocabulary_index.h"

#include <QObject>
#include <QThread>

#include <memory>
#include <optional>

namespace app {

/// A place in an answer whose whole vocabulary may be searched: what the model had read there, and the settings by which
/// it chose.
struct ScorePlace {
    engine::TokenIds before;
    engine::SamplerSettings settings; ///< what is banned in this step only is banned here

    bool operator==(const ScorePlace&) const = default;
};

/// How far the scores of a place are.
enum class ScoreState { NotAsked, Reading, Ready, Failed };

/// The scores of every token of the vocabulary at one place, read anew by the loaded model when somebody asks, and the
/// pieces that match a text. What takes longer than a frame is done by the inference thread and by a thread of its own.
/// GUI thread.
class ScoreSearch : public QObject {
    Q_OBJECT
public:
    explicit ScoreSearch(Workspace& workspace, QObject* parent = nullptr);
    ~ScoreSearch() override;

    /// Another place; none: nowhere. What was read for the place before is let go, what is being read is cancelled.
    void setPlace(std::optional<ScorePlace> place);
    const std::optional<ScorePlace>& place() const { return m_place; }
    /// Reads the scores, unless that has been asked for. There must be a place and a model.
    void read();
    ScoreState state() const { return m_state; }
    /// While they are read; none before the first position.
    const std::optional<engine::ScoresProgress>& progress() const { return m_progress; }
    /// Once they are ready.
    int reusedPositions() const { return m_reused; }
    int computedPositions() const { return m_computed; }
    /// Why it failed, in words.
    const QString& problem() const { return m_problem; }

    struct Matches {
        std::vector<RowToken> best; ///< by raw probability
        int count = 0; ///< all of them
        bool isGreedy = false;
    };
    /// The tokens whose piece holds this text, or "#335"; none unless the scores are ready.
    Matches find(const QString& text, size_t most) const;

signals:
    void changed();

private:
    void take(const engine::ScoreEvent& event);
    void compute(std::shared_ptr<const std::vector<float>> scores);
    void computed(std::shared_ptr<const VocabularyIndex> index, std::shared_ptr<const RowTrace> trace);
    void drop();

    Workspace& m_workspace;
    std::optional<ScorePlace> m_place;
    ScoreState m_state = ScoreState::NotAsked;
    std::optional<engine::ScoreReadId> m_reading;
    std::optional<engine::ScoresProgress> m_progress;
    int m_reused = 0;
    int m_computed = 0;
    QString m_problem;
    std::shared_ptr<const engine::ModelText> m_indexed; ///< whose pieces m_index has
    std::shared_ptr<const VocabularyIndex> m_index; ///< shared with the thread that uses it again
    std::shared_ptr<const RowTrace> m_trace; ///< made on a thread of its own
    std::unique_ptr<QThread> m_thread;
    std::shared_ptr<const std::vector<float>> m_waiting; ///< scores that came while the thread was busy
    bool m_isOutdated = false; ///< what the thread makes is of another place
};

} // namespace app
