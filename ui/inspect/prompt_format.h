#pragma once

#include "app/inspection/prompt_view.h"

#include <QPalette>
#include <QTextCharFormat>

class QPlainTextEdit;

namespace ui {

/// How a part of a prompt is told apart, never by colour alone: control tokens are bold, source
/// texts italic; what the cache had is underlined with dashes, what was computed with a line.
QTextCharFormat promptFormat(
    app::PromptKind kind, app::PromptCache cache, bool isSource, const QPalette& palette);

/// Writes the prompt into an editor, as text or as "1, 2, 3".
void writePromptText(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache);
void writePromptIds(QPlainTextEdit& edit, const app::PromptView& view, bool showsCache);

} // namespace ui
