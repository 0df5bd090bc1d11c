#pragma once

#include "app/conversation/workspace.h"

namespace ui {

/// The next prompt in words: its size, and a warning when it will not fit or not whole.
QString promptWords(const app::PromptMeasure& measure);
/// The same with what is typed: the line under the message box.
QString measureWords(const app::PromptMeasure& measure);
/// Whether these words hold a warning.
bool measureWarns(const app::PromptMeasure& measure);

} // namespace ui
