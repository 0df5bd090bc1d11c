#include "app/conversation/turn_tree.h"

#include <QRandomGenerator>
#include <QTest>

#include <map>
#include <set>

using app::Turn;
using app::TurnRole;
using app::TurnTree;

namespace {

std::unique_ptr<Turn> said(app::MessageId id)
{
    auto turn = std::make_unique<Turn>();
    turn->id = id;
    turn->text = QString::number(id);
    return turn;
}

std::vector<app::MessageId> ids(const std::vector<Turn*>& turns)
{
    std::vector<app::MessageId> found;
    for (const Turn* turn : turns)
        found.push_back(turn->id);
    return found;
}

using Ids = std::vector<app::MessageId>;

/// Says the same in the plainest way: parents and choices by number.
struct NaiveTree {
    std::map<app::MessageId, app::MessageId> parents; // in the order of ids: oldest first
    std::map<app::MessageId, app::MessageId> chosen;
    std::set<app::MessageId> deleted;

    Ids children(app::MessageId parent) const
    {
        Ids found;
        for (const auto& [id, above] : parents)
            if (above == parent && !deleted.contains(id))
                found.push_back(id);
        return found;
    }
    void show(app::MessageId id)
    {
        for (; id; id = parents[id])
            chosen[parents[id]] = id;
    }
    void remove(app::MessageId id)
    {
        deleted.insert(id);
        const app::MessageId parent = parents[id];
        if (chosen[parent] != id)
            return;
        chosen[parent] = 0;
        for (const app::MessageId sibling : children(parent))
            if (!chosen[parent] || sibling < id)
                chosen[parent] = sibling;
    }
    Ids path()
    {
        Ids found;
        for (app::MessageId at = 0;;) {
            const Ids below = children(at);
            if (below.empty())
                return found;
            if (std::find(below.begin(), below.end(), chosen[at]) == below.end())
                chosen[at] = below.back();
            at = chosen[at];
            found.push_back(at);
        }
    }
};

}

class TestTurnTree : public QObject {
    Q_OBJECT
private slots:
    void turnsAddedAtTheEndFormThePath();
    void aSiblingIsShownAndTheOldBranchStays();
    void switchingBackShowsWhatWasShownThereLast();
    void deletingShowsANeighbourAndCanBeUndone();
    void purgeForgetsWhatIsBelowADeletedTurn();
    void randomChangesEqualAPlainTree();
};

void TestTurnTree::turnsAddedAtTheEndFormThePath()
{
    TurnTree tree;
    Turn& first = tree.add(said(1), nullptr);
    Turn& second = tree.add(said(2), &first);
    QCOMPARE(ids(tree.path()), Ids({ 1, 2 }));
    QCOMPARE(tree.indexOf(second), std::optional<size_t>(1));
}

void TestTurnTree::aSiblingIsShownAndTheOldBranchStays()
{
    TurnTree tree;
    Turn& first = tree.add(said(1), nullptr);
    Turn& second = tree.add(said(2), &first);
    tree.add(said(3), &second);
    Turn& edited = tree.add(said(4), &first);
    QCOMPARE(ids(tree.path()), Ids({ 1, 4 }));
    QCOMPARE(ids(tree.siblings(edited)), Ids({ 2, 4 }));
    QVERIFY(!tree.indexOf(second));
    QVERIFY(tree.isChosen(edited));
}

void TestTurnTree::switchingBackShowsWhatWasShownThereLast()
{
    TurnTree tree;
    Turn& first = tree.add(said(1), nullptr);
    Turn& second = tree.add(said(2), &first);
    Turn& older = tree.add(said(3), &second);
    tree.add(said(4), &second);
    tree.show(older);
    tree.add(said(5), &first);
    QCOMPARE(tree.show(second), size_t(1)); // the first turn that changed
    QCOMPARE(ids(tree.path()), Ids({ 1, 2, 3 }));
}

void TestTurnTree::deletingShowsANeighbourAndCanBeUndone()
{
    TurnTree tree;
    Turn& first = tree.add(said(1), nullptr);
    tree.add(said(2), &first);
    Turn& middle = tree.add(said(3), &first);
    tree.add(said(4), &middle);
    tree.add(said(5), &first);
    tree.show(middle);
    tree.setDeleted(middle, true);
    QCOMPARE(ids(tree.path()), Ids({ 1, 2 }));
    tree.setDeleted(middle, false);
    QCOMPARE(ids(tree.path()), Ids({ 1, 3, 4 }));
    tree.setDeleted(first, true);
    QVERIFY(tree.path().empty());
}

void TestTurnTree::purgeForgetsWhatIsBelowADeletedTurn()
{
    TurnTree tree;
    Turn& first = tree.add(said(1), nullptr);
    Turn& second = tree.add(said(2), &first);
    tree.add(said(3), &second);
    Turn& kept = tree.add(said(4), &first);
    tree.setDeleted(second, true);
    tree.purge();
    QCOMPARE(tree.turns().size(), size_t(2));
    QCOMPARE(ids(tree.path()), Ids({ 1, 4 }));
    tree.add(said(5), &kept);
    QCOMPARE(ids(tree.path()), Ids({ 1, 4, 5 }));
}

void TestTurnTree::randomChangesEqualAPlainTree()
{
    QRandomGenerator random(20261130);
    for (int round = 0; round < 200; ++round) {
        TurnTree tree;
        NaiveTree naive;
        std::map<app::MessageId, Turn*> known;
        for (app::MessageId next = 1; next <= 30; ++next) {
            const auto pick = known.empty()
                ? known.end()
                : std::next(known.begin(), random.bounded(int(known.size())));
            switch (known.empty() ? 0 : random.bounded(5)) {
            case 0:
            case 1: {
                // Below a turn that is in view, or at the start.
                Turn* parent = random.bounded(8) == 0 || tree.path().empty()
                    ? nullptr
                    : tree.path()[size_t(random.bounded(int(tree.path().size())))];
                known[next] = &tree.add(said(next), parent);
                naive.parents[next] = parent ? parent->id : 0;
                naive.chosen[naive.parents[next]] = next;
                naive.show(next);
                break;
            }
            case 2:
                if (!pick->second->isDeleted) {
                    tree.show(*pick->second);
                    naive.show(pick->first);
                }
                break;
            case 3:
                if (!pick->second->isDeleted) {
                    tree.setDeleted(*pick->second, true);
                    naive.remove(pick->first);
                }
                break;
            default:
                if (pick->second->isDeleted) {
                    tree.setDeleted(*pick->second, false);
                    naive.deleted.erase(pick->first);
                    naive.show(pick->first);
                }
            }
            QCOMPARE(ids(tree.path()), naive.path());
        }
    }
}

QTEST_GUILESS_MAIN(TestTurnTree)
#include "tst_turn_tree.moc"
