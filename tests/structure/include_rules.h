#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tests {

/// One permitted direction of #include between two rooms of the tree. Edges are transitive,
/// except where only some headers are permitted.
struct IncludeEdge {
    std::string_view from;
    std::string_view to;
    std::vector<std::string_view> onlyHeaders {}; ///< empty: all of them
};

/// The one table of permitted edges. Every room of engine may include engine/base as well.
const std::vector<IncludeEdge>& includeEdges();

/// The room of a file: "engine/gguf" for engine/gguf/x.h, "app", "ui", "app/main.cpp", "shaders"; empty for
/// other files.
std::string roomOf(std::string_view path);

/// What is wrong with the #include lines of one file, in sentences; empty when nothing is.
/// path: relative to the root of the tree, with forward slashes.
std::vector<std::string> includeFaults(std::string_view path, std::string_view text);

} // namespace tests
