#pragma once

#include "app/compare/compared_run.h"
#include "app/engine_client.h"
#include "app/inspection/stage_trace.h"
#include "engine/session/generation_event.h"

#include <QObject>

#include <optional>
#include <string>
#include <vector>

namespace app {

class Workspace;

/// A stretch of a run's text and what two runs make of it: one token where both cut the text alike,
/// else the fewest after which both stand at the same byte.
struct ScoredStretch {
    std::string bytes; ///< "" for a control token
    size_t firstToken = 0; ///< of the run whose text it is
    size_t tokenCount = 0;
    size_t otherTokenCount = 0; ///< of the run under which it was scored
    std::optional<double> ownLogprob; ///< nats, of all its tokens together; none: not observed
    std::optional<double> otherLogprob;
    /// Its probability in the draw, by the settings of each run; none where it is not one token in
    /// both, or nobody chose by settings there.
    std::optional<Bounds> ownFinal;
    std::optional<Bounds> otherFinal;

    /// What the other makes of it beside its own run; nats. Above 0: likelier.
    std::optional<double> difference() const;
    bool operator==(const ScoredStretch&) const = default;
};

/// own: the run whose text it is. scored: the other one with the same text as its new tokens, in
/// whichever vocabulary. Ends where one of them does.
std::vector<ScoredStretch> scoredStretches(const ComparedRun& own, const ComparedRun& scored);

/// Scores one run's text by another run's model and prompt: a pass for each token, none of them
/// chosen. The runs belong to no conversation and are kept nowhere. GUI thread.
class CrossScore : public QObject {
    Q_OBJECT
public:
    explicit CrossScore(Workspace& workspace, QObject* parent = nullptr);
    ~CrossScore() override { cancel(); } // the engine would read on for nobody

    /// "" or why it cannot be scored, in words. The other run's model must be the loaded one.
    QString start(const ComparedRun& text, const ComparedRun& under);
    void cancel();
    bool isUnderWay() const { return m_run.has_value(); }
    /// Tokens scored so far, and how many there will be.
    size_t doneCount() const { return m_scored.tokens.size(); }
    size_t wantedCount() const { return m_wantedCount; }
    /// Empty until it has ended, and when it failed.
    const std::vector<ScoredStretch>& stretches() const { return m_stretches; }
    /// Why it has failed, in words; "" when it has not.
    const QString& failure() const { return m_failure; }

signals:
    void changed();

private:
    void apply(const std::vector<engine::GenerationEvent>& events);
    void finish(const engine::RunEnded& ended);

    Workspace& m_workspace;
    std::optional<engine::RunId> m_run;
    ComparedRun m_own;
    ComparedRun m_scored; ///< the other run, with what was scored as its tokens
    size_t m_wantedCount = 0;
    std::vector<ScoredStretch> m_stretches;
    QString m_failure;
};

} // namespace app
