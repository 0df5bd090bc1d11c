#pragma once

#include "engine/base/result.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace app {

enum class RequirementKind {
    Field, ///< the pattern must be found
    Absence, ///< the pattern must not be found
    Json, ///< the answer is, or holds in a fence, JSON that fits a schema
    Evidence, ///< every value that the pattern finds must occur in a source text
    Exception, ///< a case is stated, or it is said that there is none
};
/// "field", ... : the JSON name.
const char* requirementKindName(RequirementKind kind);

/// One thing that is asked of an answer.
struct Requirement {
    RequirementKind kind = RequirementKind::Field;
    std::string name; ///< for people: "opening time"
    /// Perl-compatible, case does not matter. Its first group is the value, else all of it.
    std::string pattern;
    std::string source; ///< Evidence: the name of a source text
    std::string nonePattern; ///< Exception: how it is said that there is none
    nlohmann::json schema; ///< Json

    bool operator==(const Requirement&) const = default;
};

/// What a person asks of an answer, as a file holds it (README.md, "Requirements").
struct RequirementSet {
    static constexpr int kVersion = 1;

    std::string name;
    std::vector<Requirement> requirements; ///< at least one
    std::string sha256; ///< of the file

    bool operator==(const RequirementSet&) const = default;
};

/// Errors: BadFile naming the field that is missing, unknown or no pattern.
engine::Result<RequirementSet> requirementSetFrom(std::string_view json);
/// Errors: Io; the same, with the file's name.
engine::Result<RequirementSet> readRequirementSet(const std::string& path);

} // namespace app
