#pragma once

#include "app/conversation/conversation.h"
#include "ui/theme/icon.h"
#include "ui/theme/theme.h"

#include <QString>

namespace ui {

/// The line left of an answer.
enum class EdgeStyle { Dotted, Dashed, Solid, Torn };

/// How one state of a draft looks and reads, in all three places: edge bar, footer, list badge.
struct DraftWords {
    QString state; ///< starts with "Partial" while nothing more is known
    QString chip; ///< the stop reason; empty before the terminal event
    QString note; ///< what is held back, or what the reason does and does not prove
    QString figures; ///< tokens, rates and times
    QString checks; ///< how the answer stands to what is asked of it; "" = nothing is
    QString checkList; ///< the same, a line for each requirement
    QString spoken; ///< for assistive software: changes with the state, not with every token
    IconName icon = IconName::Partial;
    EdgeStyle edge = EdgeStyle::Dotted;
    Tone tone = Tone::Neutral;

    /// State, reason and note as one sentence.
    QString sentence() const;
    bool operator==(const DraftWords&) const = default;
};

/// The only source of words about a draft's state.
DraftWords draftWords(const app::Draft& draft);
/// Of all parts of an answer: the state of the last, the figures of the whole.
DraftWords answerWords(const app::Answer& answer);
/// What the list shows of a conversation; none when there is no answer to tell of.
std::optional<DraftWords> badgeWords(const app::Conversation& conversation);

} // namespace ui
