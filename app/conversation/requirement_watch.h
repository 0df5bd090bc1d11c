#pragma once

#include "app/compare/requirement_check.h"
#include "app/conversation/workspace.h"

#include <QThreadPool>
#include <QTimer>

#include <map>
#include <memory>
#include <unordered_map>

namespace app {

/// Holds the answers of every chat against what the chat asks of them, those of other branches too,
/// while they are written at most a few times a second. Texts are looked at on a thread of its own, as values,
/// so that the window never waits. What an answer came to at its end goes into its run record, and
/// so does that a person accepted it. GUI thread.
class RequirementWatch : public QObject {
    Q_OBJECT
public:
    static constexpr int kIntervalMs = 300;

    /// storage: null where nothing is kept; both must outlive this.
    RequirementWatch(Workspace& workspace, Storage* storage, QObject* parent = nullptr);
    /// Waits for the check that is made at that moment.
    ~RequirementWatch() override;

    /// Complete, checked as it is, and everything is met: a person may accept it.
    static bool mayAccept(const Conversation& conversation, const Turn& turn);
    /// Accepted, and nothing was said or edited in the conversation since.
    static bool mayTakeBack(const Conversation& conversation, const Turn& turn);
    /// Do nothing where it may not be.
    void accept(Conversation& conversation, MessageId turn);
    void takeBack(Conversation& conversation, MessageId turn);
    /// What happens every kIntervalMs while there are runs under way.
    void lookAtLive();

private:
    using Sources = std::map<std::string, std::string>;

    /// What the answers of one chat are held against.
    struct Asked {
        ChosenRequirements chosen;
        std::shared_ptr<const RequirementSet> set; ///< shared with checks that are made
        std::shared_ptr<const Sources> sources; ///< likewise
        int version = 0; ///< grows when set or sources change
    };
    /// What a run's answer was like when it was looked at last.
    struct Looked {
        size_t textBytes = 0;
        engine::Verdict verdict = engine::Verdict::Partial;
        int version = 0;
        bool isUnderWay = false; ///< it is being looked at

        bool operator==(const Looked&) const = default;
    };

    void watch(Conversation& conversation);
    void takeAsked(Conversation& conversation);
    void look(Conversation& conversation);
    void lookAt(Conversation& conversation, Turn& turn, const Asked& asked);
    void lookUnlessGrowing(Conversation& conversation, Turn& turn, const Asked& asked);
    void take(Conversation& conversation, MessageId turn, engine::RunId run, RequirementCheck check);
    void put(const Conversation& conversation, const Draft& draft, bool isAct);

    Workspace& m_workspace;
    Storage* m_storage;
    std::unordered_map<const Conversation*, Asked> m_asked; ///< chats that ask for something
    std::unordered_map<engine::RunId, Looked> m_looked;
    /// Runs that were seen under way and whose end is not recorded yet, with their turns.
    std::map<engine::RunId, std::pair<Conversation*, MessageId>> m_live;
    int m_lastVersion = 0;
    QTimer m_timer;
    QThreadPool m_pool; // last: its jobs post to this
};

} // namespace app
