#pragma once

#include "app/compare/compared_run.h"

namespace app {

/// Runs merged by their common beginnings: a stretch of tokens that the same runs share.
struct RunBranch {
    size_t firstToken = 0; ///< of the new tokens
    size_t endToken = 0; ///< one behind the last
    std::vector<size_t> runs; ///< indices of those that go through it, ascending
    std::vector<size_t> ending; ///< those of them whose last token is at its end
    std::vector<RunBranch> children; ///< by the first run in each

    bool operator==(const RunBranch&) const = default;
};

/// The root holds what all runs share, which may be no token. Runs given other prompts, or by other
/// files, share nothing: then the root's children are the groups that do.
RunBranch runTree(const std::vector<ComparedRun>& runs);

} // namespace app
