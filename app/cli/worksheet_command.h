#pragma once

#include <iosfwd>
#include <string>
#include <vector>

namespace app {

/// `tokenglass worksheet RUN...`: one run record or several, or responses of other programs, as a
/// page on standard output.
int runWorksheetCommand(const std::vector<std::string>& words);
int runWorksheetCommand(const std::vector<std::string>& words, std::ostream& out, std::ostream& err);

} // namespace app
