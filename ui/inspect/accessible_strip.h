#pragma once

namespace ui {

class TokenStrip;

/// Tells assistive software of token strips: a list with each chip as an item. Call it once.
void installAccessibleStrip();

/// The strip's chips are others from now on.
void forgetChips(TokenStrip& strip);

} // namespace ui
