#pragma once

#include <QString>

#include <string>

namespace app {

/// Words are the same whatever white space parts them, whatever their case, and however their accents
/// are written.
QString folded(const std::string& utf8);

/// Whether a value stands in a text as words of its own: "9" occurs neither in "1959" nor in "9:30" or
/// "9,5", but in "8,9,10". Both folded. Where a script writes no spaces, every place will do.
bool occursAsWords(const QString& value, const QString& text);

} // namespace app
