#pragma once

#include "app/inspection/prompt_view.h"

#include <QPalette>
#include <QTextCharFormat>

class QPlainTextEdit;

namespace ui {

constexpr int kSpanWords = QTextFormat::UserProperty + 1; ///< whose words a stretch is: for a tooltip
/// How a part of a prompt is told apart, never by colour alone: whose words it is by a tint and a
/// tooltip, control tokens are bold, source texts italic; what the cache had is underlined with
/// dashes, what was computed with a line.
QTextCharFormat promptFormat(const app::PromptSpan& span, bool showsCache, const QPalette& palette);

/// Writes the prompt into an editor, as text or as "1, 2, 3".
void writePromptText(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache);
void writePromptIds(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache);
/// The messages one below the other, each under a line that says whose it is, without what the
/// template wrote around them.
void writePromptMessages(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache);

} // namespace ui
