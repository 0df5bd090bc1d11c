#include "app/compare/requirement_check.h"

#include "app/compare/json_in_text.h"
#include "app/compare/json_schema.h"
#include "app/compare/occurrence.h"
#include "app/compare/requirement_pattern.h"

#include <algorithm>

using nlohmann::ordered_json;

namespace app {

namespace {
    using State = RequirementState;

    constexpr size_t kMostJsonBytes = 64 * 1024;
    constexpr const char* kTooCostly = "the pattern is too costly for this text";

    /// An answer that is looked at.
    struct CheckedText {
        const std::string& text;
        bool isFinal = false;

        auto matches(const std::string& pattern) const { return matchesOf(pattern, text, !isFinal); }
    };

    void decide(RequirementResult& result, State state, std::string why)
    {
        result.state = state;
        result.why = std::move(why);
    }
    void leaveOpen(RequirementResult& result, std::string why)
    {
        decide(result, State::Open, std::move(why));
    }
    void tell(RequirementResult& result, const PatternMatch& match)
    {
        result.value = match.value;
        result.offset = match.start;
    }

    using Matches = std::optional<std::vector<PatternMatch>>;

    void decideField(const Matches& matches, const CheckedText& checked, RequirementResult& result)
    {
        if (!matches)
            return leaveOpen(result, kTooCostly);
        const auto settled = std::ranges::find_if(*matches, &PatternMatch::isSettled);
        if (settled != matches->end()) {
            tell(result, *settled);
            return decide(result, State::Met, {});
        }
        if (!matches->empty()) {
            tell(result, matches->front());
            return leaveOpen(result, "at the end of a text that may go on");
        }
        decide(result, checked.isFinal ? State::Failed : State::Open,
            checked.isFinal ? "missing" : "not there so far");
    }

    void checkField(const Requirement& wanted, const CheckedText& checked, RequirementResult& result)
    {
        decideField(checked.matches(wanted.pattern), checked, result);
    }

    void checkAbsence(const Requirement& wanted, const CheckedText& checked, RequirementResult& result)
    {
        const auto matches = checked.matches(wanted.pattern);
        if (!matches)
            return leaveOpen(result, kTooCostly);
        if (matches->empty())
            return decide(result, checked.isFinal ? State::Met : State::Open,
                checked.isFinal ? "" : "absent so far; known only at the end");
        tell(result, matches->front());
        const bool isSettled = matches->front().isSettled;
        decide(result, isSettled ? State::Failed : State::Open,
            isSettled ? "must not be there" : "at the end of a text that may go on");
    }

    void checkJson(const Requirement& wanted, const CheckedText& checked, RequirementResult& result)
    {
        if (checked.text.size() > kMostJsonBytes)
            return leaveOpen(result, "the answer is longer than the 64 KiB that are checked");
        const auto document = jsonInText(checked.text);
        if (!document)
            return decide(result, checked.isFinal ? State::Failed : State::Open,
                checked.isFinal ? "the answer is not whole JSON" : "not whole JSON so far");
        const SchemaFit fit = fitOf(*document, wanted.schema);
        if (!fit.isKnown)
            return leaveOpen(result, fit.why);
        if (fit.fits())
            return decide(result, checked.isFinal ? State::Met : State::Open,
                checked.isFinal ? "" : "fits so far; known only at the end");
        decide(result, checked.isFinal ? State::Failed : State::Open, fit.why);
    }

    void checkEvidence(const Requirement& wanted, const CheckedText& checked,
        const std::map<std::string, std::string>& sources, RequirementResult& result)
    {
        const auto source = sources.find(wanted.source);
        if (source == sources.end())
            return leaveOpen(result, "the source text “" + wanted.source + "” is not at hand");
        const Matches matches = checked.matches(wanted.pattern);
        decideField(matches, checked, result);
        if (result.state == State::Failed || (result.state == State::Open && !result.offset))
            return;
        const QString evidence = folded(source->second);
        const bool wasFound = result.state == State::Met;
        for (const PatternMatch& match : *matches) {
            if (!match.isSettled || occursAsWords(folded(match.value), evidence))
                continue;
            tell(result, match);
            return decide(result, State::Failed,
                "“" + match.value + "” does not occur in “" + wanted.source + "”");
        }
        if (matches->size() == kMostMatches)
            leaveOpen(result, "the answer has more values than the 1000 that are checked");
        else if (wasFound && !checked.isFinal)
            leaveOpen(result, "all so far occur in the source; known only at the end");
    }

    void checkException(
        const Requirement& wanted, const CheckedText& checked, RequirementResult& result)
    {
        checkField(wanted, checked, result);
        if (result.state == State::Met)
            return;
        RequirementResult none = result;
        Requirement denied = wanted;
        denied.pattern = wanted.nonePattern;
        checkField(denied, checked, none);
        if (none.state == State::Met || (none.offset && !result.offset))
            result = std::move(none);
        else if (result.state == State::Failed)
            result.why = "neither stated nor marked as none";
    }
}

const char* requirementStateName(State state)
{
    switch (state) {
    case State::Met:
        return "met";
    case State::Open:
        return "open";
    case State::Failed:
        return "failed";
    }
    return "";
}

int RequirementCheck::metCount() const
{
    return int(std::ranges::count(results, State::Met, &RequirementResult::state));
}

bool RequirementCheck::hasFailed() const
{
    return std::ranges::find(results, State::Failed, &RequirementResult::state) != results.end();
}

std::string RequirementCheck::words() const
{
    const std::string count = std::to_string(metCount()) + " of " + std::to_string(results.size());
    if (isReady())
        return count + " · ready";
    if (hasFailed())
        return count + (isTextFinal ? " · checks failed" : " · not ready, a check failed");
    return (isTextFinal ? count : "present so far " + count) + " · not ready";
}

RequirementCheck checkRequirements(const RequirementSet& set, const std::string& text,
    engine::Verdict verdict, const std::map<std::string, std::string>& sources)
{
    RequirementCheck check { .setName = set.name, .setSha256 = set.sha256 };
    check.isTextFinal = verdict == engine::Verdict::Complete;
    const CheckedText checked { text, check.isTextFinal };
    for (const Requirement& wanted : set.requirements) {
        RequirementResult& result = check.results.emplace_back();
        result.name = wanted.name;
        result.kind = wanted.kind;
        switch (wanted.kind) {
        case RequirementKind::Field:
            checkField(wanted, checked, result);
            break;
        case RequirementKind::Absence:
            checkAbsence(wanted, checked, result);
            break;
        case RequirementKind::Json:
            checkJson(wanted, checked, result);
            break;
        case RequirementKind::Evidence:
            checkEvidence(wanted, checked, sources, result);
            break;
        case RequirementKind::Exception:
            checkException(wanted, checked, result);
            break;
        }
    }
    return check;
}

ordered_json toJson(const RequirementCheck& check)
{
    ordered_json results = ordered_json::array();
    for (const RequirementResult& result : check.results)
        results.push_back({
            { "name", result.name },
            { "kind", requirementKindName(result.kind) },
            { "state", requirementStateName(result.state) },
            { "value", result.offset ? ordered_json(result.value) : ordered_json() },
            { "offset", result.offset ? ordered_json(*result.offset) : ordered_json() },
            { "why", result.why.empty() ? ordered_json() : ordered_json(result.why) },
        });
    return {
        { "set", check.setName },
        { "set_sha256", check.setSha256 },
        { "text_is_final", check.isTextFinal },
        { "met", check.metCount() },
        { "ready", check.isReady() },
        { "results", std::move(results) },
    };
}

std::optional<RequirementCheck> requirementCheckFrom(const ordered_json& json)
{
    if (!json.is_object())
        return std::nullopt;
    const auto textOf = [](const ordered_json& object, const char* key) {
        const ordered_json value = object.value(key, ordered_json());
        return value.is_string() ? value.get<std::string>() : std::string();
    };
    RequirementCheck check { .setName = textOf(json, "set"), .setSha256 = textOf(json, "set_sha256") };
    check.isTextFinal = json.value("text_is_final", ordered_json()) == true;
    const ordered_json results = json.value("results", ordered_json());
    if (!results.is_array() || results.empty())
        return std::nullopt;
    for (const ordered_json& entry : results) {
        if (!entry.is_object())
            return std::nullopt;
        RequirementResult& result = check.results.emplace_back();
        result.name = textOf(entry, "name");
        for (int kind = 0; kind <= int(RequirementKind::Exception); ++kind)
            if (textOf(entry, "kind") == requirementKindName(RequirementKind(kind)))
                result.kind = RequirementKind(kind);
        for (int state = 0; state <= int(State::Failed); ++state)
            if (textOf(entry, "state") == requirementStateName(State(state)))
                result.state = State(state);
        result.value = textOf(entry, "value");
        if (const ordered_json offset = entry.value("offset", ordered_json()); offset.is_number_unsigned())
            result.offset = offset.get<size_t>();
        result.why = textOf(entry, "why");
    }
    return check;
}

} // namespace app
