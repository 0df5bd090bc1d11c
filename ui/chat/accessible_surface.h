#pragma once

namespace ui {

/// Makes the text of messages readable by assistive software. Called once, before the window shows.
void installAccessibleSurface();

} // namespace ui
