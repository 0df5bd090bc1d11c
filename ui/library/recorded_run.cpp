#include "ui/library/recorded_run.h"

#include "app/conversation/workspace.h"
#include "app/runs/opened_record.h"

namespace ui {

AlignedRun alignedRun(const nlohmann::ordered_json& record, const QString& label, const app::Workspace& workspace)
{
    AlignedRun run { label, app::comparedRun(app::readRunRecord(record), app::tokensOf(record)), nullptr, false };
    if (workspace.isLoadedFrom(run.run.checkpointFile, run.run.checkpointBytes))
        run.text = workspace.model()->text;
    app::beginAtAnswer(run.run, run.text ? run.text->tokenizer.get() : nullptr);
    return run;
}

} // namespace ui
