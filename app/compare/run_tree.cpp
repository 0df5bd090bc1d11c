#include "app/compare/run_tree.h"

#include "app/compare/run_difference.h"

#include <algorithm>

namespace app {

namespace {
    using Runs = std::vector<ComparedRun>;

    bool isSamePrompt(const ComparedRun& a, const ComparedRun& b)
    {
        if (!a.request || !b.request)
            return a.promptText == b.promptText;
        return a.request->promptIds == b.request->promptIds;
    }
    /// Indices in groups that are alike, in the order of their first.
    template <typename IsAlike>
    std::vector<std::vector<size_t>> grouped(const std::vector<size_t>& runs, IsAlike isAlike)
    {
        std::vector<std::vector<size_t>> groups;
        for (size_t run : runs) {
            const auto group = std::ranges::find_if(
                groups, [&](const auto& members) { return isAlike(members.front(), run); });
            if (group == groups.end())
                groups.push_back({ run });
            else
                group->push_back(run);
        }
        return groups;
    }

    RunBranch branchOf(const Runs& all, const std::vector<size_t>& runs, size_t first)
    {
        RunBranch branch { .firstToken = first, .endToken = first, .runs = runs };
        const ComparedRun& leader = all[runs.front()];
        const auto goesOnAlike = [&](size_t run) {
            return branch.endToken < all[run].tokens.size()
                && branch.endToken < leader.tokens.size()
                && isSameToken(leader, all[run], branch.endToken);
        };
        while (std::ranges::all_of(runs, goesOnAlike))
            ++branch.endToken;
        std::vector<size_t> rest;
        for (size_t run : runs)
            (all[run].tokens.size() == branch.endToken ? branch.ending : rest).push_back(run);
        for (const auto& group : grouped(rest, [&](size_t a, size_t b) {
                 return isSameToken(all[a], all[b], branch.endToken);
             }))
            branch.children.push_back(branchOf(all, group, branch.endToken));
        return branch;
    }
}

RunBranch runTree(const Runs& runs)
{
    std::vector<size_t> all(runs.size());
    for (size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    const auto groups = grouped(all, [&](size_t a, size_t b) {
        return isSamePrompt(runs[a], runs[b]) && isSameFile(runs[a], runs[b]);
    });
    if (groups.size() == 1)
        return branchOf(runs, groups.front(), 0);
    RunBranch root { .runs = all };
    for (const auto& group : groups)
        root.children.push_back(branchOf(runs, group, 0));
    return root;
}

} // namespace app
