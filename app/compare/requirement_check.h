#pragma once

#include "app/compare/requirement_set.h"
#include "engine/session/stop_reason.h"

#include <map>
#include <optional>

namespace app {

/// Met and Failed are final; Open: the text that there is does not decide it.
enum class RequirementState { Met, Open, Failed };
/// "met", "open", "failed".
const char* requirementStateName(RequirementState state);

struct RequirementResult {
    std::string name;
    RequirementKind kind = RequirementKind::Field;
    RequirementState state = RequirementState::Open;
    std::string value; ///< what was found, or the case that was stated; "" = nothing
    std::optional<size_t> offset; ///< of it in the text, bytes
    std::string why; ///< in words: what is missing, or where it goes wrong; "" when met

    bool operator==(const RequirementResult&) const = default;
};

/// How an answer stands to a requirement set. It says nothing of why the answer stopped.
struct RequirementCheck {
    std::string setName;
    std::string setSha256;
    bool isTextFinal = false; ///< the answer is complete: nothing can be added
    std::vector<RequirementResult> results;

    int metCount() const;
    bool hasFailed() const;
    /// Complete, and every requirement is met: a person may accept it.
    bool isReady() const { return isTextFinal && metCount() == int(results.size()); }
    /// "present so far 2 of 3 · not ready", "3 of 3 · ready", "2 of 3 · checks failed".
    std::string words() const;
    bool operator==(const RequirementCheck&) const = default;
};

/// text: as shown, whole or partial; only a complete answer is final. sources: by name, as given to
/// the run. What touches the end of a text that may go on is not decided: "9" may become "9:30".
RequirementCheck checkRequirements(const RequirementSet& set, const std::string& text,
    engine::Verdict verdict, const std::map<std::string, std::string>& sources);

/// As a run record keeps it in "requirement_check", and back; none for what is no such object.
nlohmann::ordered_json toJson(const RequirementCheck& check);
std::optional<RequirementCheck> requirementCheckFrom(const nlohmann::ordered_json& json);

} // namespace app
