#pragma once

#include "app/conversation/run_grid.h"
#include "engine/base/result.h"

#include <QStringList>

namespace app {

/// Runs that tell why an answer stopped: the same run, but for one thing that stops it.
struct WhyHere {
    std::vector<RunVariant> variants; ///< may be none
    QStringList leftOut; ///< those that would change nothing, with why, in words

    bool isEmpty() const { return variants.empty(); }
};
/// Of the answer's last run, which has ended.
WhyHere whyHere(const Draft& draft);

/// What is varied in a grid; everything else stays as it is.
enum class VariedThing { LengthCap, Temperature, Seed, Preset, SystemText, StopStrings, EndTokens };

/// base: what all runs have in common. values: caps, temperatures, seeds or system texts, one each;
/// of StopStrings and EndTokens there are two, on and off, and values are not looked at.
/// Error BadRequest, in words: a value that cannot be read, none, or more than kLargestGrid.
engine::Result<std::vector<RunVariant>> listedVariants(
    VariedThing thing, const ChatSettings& base, const QStringList& values = {});
/// The settings of presets, with base's seed where a preset has none.
engine::Result<std::vector<RunVariant>> presetVariants(
    const ChatSettings& base, const std::vector<ChatSettings>& presets);

} // namespace app
