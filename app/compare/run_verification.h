#pragma once

#include "app/compare/run_replay.h"
#include "engine/session/generation_event.h"

#include <QObject>
#include <QString>

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace app {

class Workspace;

/// A recorded run, run again on the loaded model: equal, or the first token that is another one. It
/// is computed anew, whatever the KV cache holds. Records are read on another thread. GUI thread.
class RunVerification : public QObject {
    Q_OBJECT
public:
    /// A token that could have come, by the scores before any setting.
    struct NamedCandidate {
        engine::TokenId id = 0;
        std::string bytes;
        double probability = 0;
    };
    struct Difference {
        size_t token = 0; ///< among the new ones
        NamedCandidate recorded;
        std::optional<NamedCandidate> replayed; ///< none: the replay ended before it
        std::vector<NamedCandidate> recordedTop; ///< likeliest first; none: not recorded
        std::vector<NamedCandidate> replayedTop;
    };
    struct Outcome {
        size_t tokenCount = 0; ///< that were compared
        std::optional<Difference> difference; ///< none: every token is the same
        std::string device;
        std::string contradiction; ///< contradictionOf the record
    };

    explicit RunVerification(Workspace& workspace, QObject* parent = nullptr);
    ~RunVerification() override;

    void start(nlohmann::ordered_json record);
    void cancel();
    bool isUnderWay() const { return m_isUnderWay; }
    size_t comparedCount() const { return m_replayed.size(); }
    size_t tokenCount() const { return m_run ? m_run->tokens.size() : 0; } ///< 0: not read yet
    /// None while it is under way, or where there is a failure.
    const std::optional<Outcome>& outcome() const { return m_outcome; }
    /// Why it could not be verified, in words; "": nothing is known to be in the way.
    const QString& failure() const { return m_failure; }

signals:
    void changed();

private:
    struct Facts;

    void takeFacts(Facts facts);
    QString obstacle(const Facts& facts) const;
    void startNext();
    void apply(const std::vector<engine::GenerationEvent>& events);
    void applyEnd(const engine::RunEnded& ended);
    void finish();
    void fail(const QString& why);
    Difference namedDifference(const ReplayDifference& difference) const;

    Workspace& m_workspace;
    bool m_isUnderWay = false;
    int m_asked = 0; ///< records that were started: only the last counts
    std::optional<ComparedRun> m_run;
    RunReplay m_replay;
    std::string m_contradiction;
    size_t m_nextRequest = 0;
    engine::RunId m_runId = 0; ///< 0: none is under way
    std::vector<engine::TokenRecord> m_replayed;
    std::optional<Outcome> m_outcome;
    QString m_failure;
};

} // namespace app
