#pragma once

#include <string>
#include <vector>

namespace app {

/// `tokenglass tokenize --model F [--special]`: reads a JSON array of texts from stdin, writes
/// a JSON array with one array of token ids each. Adds no BOS. Text is a person's, unless --special
/// has control tokens recognised in it. Works on vocabulary-only files of any architecture.
int runTokenizeCommand(const std::vector<std::string>& arguments);

} // namespace app
