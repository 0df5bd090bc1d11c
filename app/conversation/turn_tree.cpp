#include "app/conversation/turn_tree.h"

#include <algorithm>

namespace app {

Turn& TurnTree::add(std::unique_ptr<Turn> turn, Turn* parent)
{
    turn->parent = parent;
    m_turns.push_back(std::move(turn));
    Turn& added = *m_turns.back();
    m_chosen[parent] = &added;
    // A long chat grows at its end all the time: no need to walk it.
    if (m_path.empty() ? !parent : parent == m_path.back())
        m_path.push_back(&added);
    else
        show(added);
    return added;
}

std::vector<Turn*> TurnTree::children(const Turn* parent) const
{
    std::vector<Turn*> found;
    for (const auto& turn : m_turns)
        if (turn->parent == parent && !turn->isDeleted)
            found.push_back(turn.get());
    return found;
}

std::vector<Turn*> TurnTree::siblings(const Turn& turn) const { return children(turn.parent); }

bool TurnTree::isChosen(const Turn& turn) const
{
    const auto found = m_chosen.find(turn.parent);
    return found != m_chosen.end() && found->second == &turn;
}

std::optional<size_t> TurnTree::indexOf(const Turn& turn) const
{
    const auto found = std::find(m_path.begin(), m_path.end(), &turn);
    if (found == m_path.end())
        return std::nullopt;
    return size_t(found - m_path.begin());
}

size_t TurnTree::show(Turn& turn)
{
    for (Turn* step = &turn; step; step = step->parent)
        m_chosen[step->parent] = step;
    return rebuildPath();
}

size_t TurnTree::choose(const std::vector<Turn*>& turns)
{
    for (Turn* turn : turns)
        m_chosen[turn->parent] = turn;
    return rebuildPath();
}

size_t TurnTree::setDeleted(Turn& turn, bool isDeleted)
{
    turn.isDeleted = isDeleted;
    if (!isDeleted)
        return show(turn);
    if (isChosen(turn)) {
        // The neighbour that is shown instead: the one before it, else the one after it.
        Turn* instead = nullptr;
        for (Turn* sibling : siblings(turn))
            if (!instead || sibling->id < turn.id)
                instead = sibling;
        m_chosen[turn.parent] = instead;
    }
    return rebuildPath();
}

size_t TurnTree::rebuildPath()
{
    std::vector<Turn*> path;
    for (const Turn* step = nullptr;;) {
        Turn*& chosen = m_chosen[step];
        if (!chosen || chosen->isDeleted) {
            const std::vector<Turn*> left = children(step);
            chosen = left.empty() ? nullptr : left.back();
        }
        if (!chosen)
            break;
        path.push_back(chosen);
        step = chosen;
    }
    const auto parting
        = std::mismatch(path.begin(), path.end(), m_path.begin(), m_path.end()).first;
    const auto firstChanged = size_t(parting - path.begin());
    m_path = std::move(path);
    return firstChanged;
}

void TurnTree::purge()
{
    const auto isGone = [](const Turn* turn) {
        for (; turn; turn = turn->parent)
            if (turn->isDeleted)
                return true;
        return false;
    };
    std::vector<const Turn*> gone;
    for (const auto& turn : m_turns)
        if (isGone(turn.get()))
            gone.push_back(turn.get());
    const auto isListed = [&](const Turn* turn) {
        return turn && std::find(gone.begin(), gone.end(), turn) != gone.end();
    };
    std::erase_if(m_chosen,
        [&](const auto& entry) { return isListed(entry.first) || isListed(entry.second); });
    std::erase_if(m_turns, [&](const auto& turn) { return isListed(turn.get()); });
}

} // namespace app
