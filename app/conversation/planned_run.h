#pragma once

#include "app/conversation/workspace.h"

#include <QPointer>

namespace app {

/// The next run of a chat as a plan: what is known of it before its start, and once a person has
/// started it from here, what was observed of it. A run that was started elsewhere never fills it,
/// be it the same one. GUI thread.
class PlannedRun : public QObject {
    Q_OBJECT
public:
    enum class State { Planned, UnderWay, Ended };

    /// The run that sending this text would begin. Error BadRequest: why there is none, in words.
    static engine::Result<std::unique_ptr<PlannedRun>> create(
        Workspace& workspace, Conversation& conversation, Sending sending);

    State state() const { return m_state; }
    const QString& text() const { return m_sending.text; }
    Conversation* conversation() const { return m_conversation; }
    /// Its run record, with nulls where only the run can observe something, until it has ended.
    const nlohmann::ordered_json& record() const { return m_record; }

    /// Begins this very run in its chat. None: it has begun; else why it did not, in words.
    std::optional<QString> start();
    void cancel();

signals:
    void changed();

private:
    PlannedRun(Workspace& workspace, Conversation& conversation, Sending sending);
    /// What is observed after the end of a run.
    struct Afterwards {
        std::optional<double> lastPaintMs;
        std::optional<RequirementCheck> check;
        std::optional<Acceptance> acceptance;

        bool operator==(const Afterwards&) const = default;
    };

    std::optional<QString> obstacle();
    void follow();

    Workspace& m_workspace;
    QPointer<Conversation> m_conversation;
    Sending m_sending; ///< with a seed
    MessageId m_after = 0; ///< the last turn of the chat; 0: it was empty
    State m_state = State::Planned;
    nlohmann::ordered_json m_record;
    std::optional<RunRecord> m_opened; ///< once it was started
    engine::RunId m_run = 0;
    std::optional<Afterwards> m_afterwards; ///< that m_record has; none: it has not ended
};

} // namespace app
