#pragma once

#include "ui/chat/block_layout.h"

#include <QString>

#include <vector>

namespace ui {

/// Where wanted stands in text, in order and not overlapping. Case and accents do not matter. Pure.
std::vector<TextRange> textMatches(const QString& text, const QString& wanted);

} // namespace ui
