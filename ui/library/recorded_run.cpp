#include "ui/library/recorded_run.h"

#include "app/conversation/workspace.h"
#include "app/runs/opened_record.h"

#include <QFileInfo>

namespace ui {

AlignedRun alignedRun(const nlohmann::ordered_json& record, const QString& label, const app::Workspace& workspace)
{
    AlignedRun run { label, app::comparedRun(app::readRunRecord(record), app::tokensOf(record)), nullptr, false };
    const auto& loaded = workspace.model();
    const bool isOfLoaded = loaded && run.run.checkpointBytes == loaded->description.fileBytes
        && QFileInfo(QString::fromStdString(loaded->description.path)).fileName()
            == QString::fromStdString(run.run.checkpointFile);
    if (isOfLoaded)
        run.text = loaded->text;
    return run;
}

} // namespace ui
