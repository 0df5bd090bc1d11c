#pragma once

#include "app/conversation/run_grid.h"
#include "engine/base/result.h"

#include <QStringList>

namespace app {

/// One of the runs that tell why an answer stopped: the same run, but for one thing that stops it.
struct WhyColumn {
    RunVariant variant;
    QString same; ///< why this would be the very same answer, in words; "" = only a run can tell
};
/// Cap doubled, stop strings off, end tokens ignored, of the answer's last run. Nothing is generated
/// where the run's own tokens tell (whatIfStops), for which they must be in memory.
/// Empty until it has ended.
std::vector<WhyColumn> whyHere(const Draft& draft);

/// What is varied in a grid; everything else stays as it is.
enum class VariedThing {
    LengthCap,
    Temperature,
    Seed,
    Preset,
    SystemText,
    StopStrings,
    EndTokens,
    Template,
    Model
};

/// base: what all runs have in common. values: caps, temperatures, seeds or system texts, one each;
/// of StopStrings and EndTokens there are two, on and off, and values are not looked at.
/// Error BadRequest, in words: a value that cannot be read, none, or more than kLargestGrid.
engine::Result<std::vector<RunVariant>> listedVariants(
    VariedThing thing, const ChatSettings& base, const QStringList& values = {});
/// One run for each set of stop strings; an empty set is none.
engine::Result<std::vector<RunVariant>> stopStringVariants(
    const ChatSettings& base, const std::vector<QStringList>& sets);
/// The file's own template, each built-in family, and none.
std::vector<PromptFormat> choosableFormats();
/// "own template", "Llama 3 template", "no template".
QString formatWords(const PromptFormat& format);
engine::Result<std::vector<RunVariant>> templateVariants(
    const ChatSettings& base, const std::vector<PromptFormat>& formats);
/// One run for each of these files, each by its model's own template.
engine::Result<std::vector<RunVariant>> modelVariants(
    const ChatSettings& base, const QStringList& paths);
/// The settings of presets, with base's seed where a preset has none.
engine::Result<std::vector<RunVariant>> presetVariants(
    const ChatSettings& base, const std::vector<ChatSettings>& presets);

} // namespace app
