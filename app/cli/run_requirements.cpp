#include "app/cli/run_requirements.h"

#include "app/cli/command_table.h"

#include <QFile>
#include <QFileInfo>

using engine::Error;
using engine::Result;

namespace app {

namespace {
    constexpr qint64 kMostSourceBytes = 1 << 20;

    Result<void> readSource(const std::string& path, std::map<std::string, std::string>& sources)
    {
        const QString name = QFile::decodeName(QByteArray::fromStdString(path));
        QFile file(name);
        if (!file.open(QIODevice::ReadOnly))
            return Error::io("--source " + path + ": " + file.errorString().toStdString());
        if (file.size() > kMostSourceBytes)
            return Error::badRequest("--source " + path + ": larger than 1 MiB");
        sources[QFileInfo(name).fileName().toStdString()] = file.readAll().toStdString();
        return {};
    }
}

Result<std::optional<RunRequirements>> runRequirementsFrom(const Arguments& arguments)
{
    const auto path = arguments.text("require");
    if (!path) {
        if (arguments.has("source"))
            return Error::badRequest("--source is evidence for --require, which is not there");
        return std::optional<RunRequirements>();
    }
    RunRequirements wanted;
    TRY_ASSIGN(wanted.set, readRequirementSet(*path));
    for (const std::string& source : arguments.texts("source"))
        TRY(readSource(source, wanted.sources));
    for (const Requirement& requirement : wanted.set.requirements)
        if (requirement.kind == RequirementKind::Evidence && !wanted.sources.contains(requirement.source))
            return Error::badRequest("“" + requirement.name + "” of " + *path
                + " asks for evidence in “" + requirement.source
                + "”: give that file with --source");
    return std::optional(std::move(wanted));
}

int exitCodeAfter(int exitCode, const RequirementCheck& check)
{
    // Also where a stop string ended it: nothing more will come.
    const bool isWanting = check.metCount() < int(check.results.size());
    return exitCode == kExitOk && isWanting ? kExitChecksFailed : exitCode;
}

std::string checkLines(const RequirementCheck& check)
{
    std::string lines = check.setName + ": " + check.words();
    for (const RequirementResult& result : check.results)
        if (result.state != RequirementState::Met)
            lines += "\n  " + result.name + ": " + result.why;
    return lines;
}

} // namespace app
