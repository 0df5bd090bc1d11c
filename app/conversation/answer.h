#pragma once

#include "app/conversation/draft.h"

#include <memory>
#include <vector>

namespace app {

/// What a person put at the start of an answer, before any run.
struct AnswerOpening {
    std::string text; ///< UTF-8; "" = nothing
    engine::TokenSource source = engine::TokenSource::Typed; ///< Typed, Edited, or Sampled: kept by a fork
    engine::TokenIds ids; ///< as the first run was given them; empty until there is one

    bool operator==(const AnswerOpening&) const = default;
};

/// A model's message: what a person began of it, and one draft for each run that wrote on it.
/// Its state is that of its last draft: earlier ones were continued. GUI thread.
class Answer {
public:
    explicit Answer(AnswerOpening opening = {});

    const AnswerOpening& opening() const { return m_opening; }
    void setOpeningIds(engine::TokenIds ids) { m_opening.ids = std::move(ids); }
    const std::vector<std::unique_ptr<Draft>>& parts() const { return m_parts; }
    /// The last part; null when a person wrote all of it.
    const Draft* draft() const { return m_parts.empty() ? nullptr : m_parts.back().get(); }
    Draft* draft() { return m_parts.empty() ? nullptr : m_parts.back().get(); }
    const Draft* partOf(engine::RunId run) const;
    Draft* partOf(engine::RunId run);

    /// A run that writes on from what there is. What the run before held back for good (a stop
    /// string) is shown from now on, since the model goes on from it.
    void addPart(std::unique_ptr<Draft> draft);
    /// False when the event is of none of the parts.
    bool apply(const engine::GenerationEvent& event);

    /// Everything shown, UTF-8: the opening and all parts.
    const std::string& text() const { return m_text; }
    /// Where each part after the first, and the first after an opening, begins in text().
    const std::vector<size_t>& seams() const { return m_seams; }

    bool isActive() const { return draft() && !draft()->ending(); }
    /// A person wrote or changed all of it, and no model went on from there.
    bool isEdited() const { return m_parts.empty(); }
    engine::Verdict verdict() const;
    /// Not known to be complete: partial, capped, or stopped at a string.
    bool isUnfinished() const { return !isEdited() && verdict() != engine::Verdict::Complete; }
    /// Ended, and a run may write on from its ids.
    bool mayContinue() const { return !isActive() && (isEdited() || isUnfinished()); }

    /// Whether the ids of all parts are in memory; after a restart they are read when needed.
    bool hasDetails() const;
    /// The prompt of the first run, the opening included.
    const engine::TokenIds& promptIds() const;
    /// The opening's ids and every new id of every part: what Continue goes on from.
    engine::TokenIds draftIds() const;
    /// What is known of the first of them, as a fork keeps it.
    KeptTokens keptTokens(size_t count) const;
    /// New tokens of all parts.
    int tokenCount() const;
    /// Tokens that no model chose: typed, forced, supplied or edited.
    int notSampledCount() const;

private:
    void takeText();
    std::string heldForGood() const;

    AnswerOpening m_opening;
    std::vector<std::unique_ptr<Draft>> m_parts;
    std::string m_text;
    std::vector<size_t> m_seams;
    size_t m_textBeforeDraft = 0; ///< bytes of m_text that are not of the last part
};

} // namespace app
