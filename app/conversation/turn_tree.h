#pragma once

#include "app/conversation/answer.h"
#include "app/conversation/conversation_kind.h"
#include "app/storage/stored_chat.h"

#include <QDateTime>
#include <QString>

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace app {

/// One step of a conversation and a node of its tree: a person's text, or an answer. Other turns
/// with the same parent are its siblings: regenerated answers and edited texts.
struct Turn {
    MessageId id = 0;
    TurnRole role = TurnRole::Person;
    QString text; ///< of a person
    std::unique_ptr<Answer> answer; ///< of a model, never null there
    QDateTime createdAt;
    Turn* parent = nullptr; ///< null: a first turn
    bool isDeleted = false; ///< may still be brought back

    /// Of an answer that a run wrote, its last draft.
    const Draft* draft() const { return answer ? answer->draft() : nullptr; }
    /// What was said, by whomever.
    QString said() const { return answer ? QString::fromStdString(answer->text()) : text; }
};

/// All turns of a conversation and which of them are shown: a way from a first turn to a last one.
/// Nothing is overwritten: editing and regenerating add siblings. GUI thread.
class TurnTree {
public:
    /// The shown turns, in order.
    const std::vector<Turn*>& path() const { return m_path; }
    /// Every turn, oldest first, deleted ones included.
    const std::vector<std::unique_ptr<Turn>>& turns() const { return m_turns; }

    /// A new turn below parent (null: at the start), which is shown from now on.
    Turn& add(std::unique_ptr<Turn> turn, Turn* parent);
    /// The turns beside this one and itself, oldest first, without deleted ones.
    std::vector<Turn*> siblings(const Turn& turn) const;
    std::vector<Turn*> children(const Turn* parent) const;
    /// Whether it is the shown one of its siblings, be its parent shown or not.
    bool isChosen(const Turn& turn) const;
    /// Where on the path it is; none when another branch is shown.
    std::optional<size_t> indexOf(const Turn& turn) const;
    /// Shows the branch that this turn is on, and below it what was shown there last.
    /// Returns the index of the first turn of the path that changed.
    size_t show(Turn& turn);
    /// Each of them is the shown one of its siblings from now on, wherever its parent is.
    size_t choose(const std::vector<Turn*>& turns);
    /// Takes the turn and all below it out of view, or brings them back.
    size_t setDeleted(Turn& turn, bool isDeleted);
    /// Forgets deleted turns.
    void purge();

private:
    size_t rebuildPath();

    std::vector<std::unique_ptr<Turn>> m_turns;
    std::vector<Turn*> m_path;
    /// The child that was shown last below each turn; key null: the first turns.
    std::unordered_map<const Turn*, Turn*> m_chosen;
};

} // namespace app
