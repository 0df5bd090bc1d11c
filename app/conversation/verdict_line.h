#pragma once

#include "app/conversation/answer.h"

#include <QString>

namespace app {

/// "complete", "stopped", "capped", "partial".
QString verdictWord(engine::Verdict verdict);
/// What is known of an answer, in one line: "Tokenglass: capped – length cap 256 reached; not known
/// to be complete".
QString verdictWords(const Answer& answer);
/// The same in brackets, for text that leaves the program.
QString verdictLine(const Answer& answer);

/// The answer's text with that line as its last; what is not ended is labelled as partial.
QString textWithVerdict(const Answer& answer);

} // namespace app
