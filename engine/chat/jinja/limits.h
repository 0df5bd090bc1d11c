#pragma once

#include <cstddef>

/// Every bound on what a template may cost. A template comes with a model file from anywhere: past
/// a bound it ends with BadTemplate naming the bound, never with less text.
namespace engine::jinja {

constexpr size_t kMaxSourceBytes = 256 * 1024;
constexpr int kMaxParseDepth = 64; ///< nesting of tags, and of expressions
constexpr int kMaxCallDepth = 64; ///< macros and recursive loops inside each other
constexpr int kMaxEvaluationDepth = 800; ///< tags, expressions and calls together: bounds the stack
constexpr int kMaxValueDepth = 100; ///< lists in lists
constexpr long long kMaxRangeLength = 100'000;
constexpr size_t kMaxSteps = 2'000'000;
constexpr size_t kMaxOutputBytes = 4 * 1024 * 1024;
constexpr size_t kMaxOutputSpans = 100'000;
constexpr size_t kMaxStringBytes = 4 * 1024 * 1024;
constexpr size_t kMaxLiveBytes = 24 * 1024 * 1024; ///< all values alive at one moment
constexpr int kMaxMilliseconds = 500;

} // namespace engine::jinja
