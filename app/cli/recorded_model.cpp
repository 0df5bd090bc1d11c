#include "app/cli/recorded_model.h"

#include "app/compare/run_replay.h"
#include "app/settings/places.h"

#include <QFileInfo>

using engine::Error;
using engine::Result;

namespace app {

Result<std::string> recordedModelPath(const std::string& given, const RunReading& reading)
{
    if (!given.empty())
        return given;
    if (reading.checkpointFile.empty())
        return Error::badRequest("the record names no model file: no model ran, or the program that wrote the answer "
                                 "did not tell which");
    const QString path
        = modelsFolder() + QLatin1Char('/') + QString::fromStdString(reading.checkpointFile);
    if (!QFileInfo::exists(path))
        return Error::badRequest("the model file “" + reading.checkpointFile
            + "” is not in the models folder: name it with --model FILE");
    return path.toStdString();
}

Result<void> checkVocabulary(
    const nlohmann::ordered_json& record, const engine::ModelLoaded& model)
{
    const std::string recorded = vocabularyHashOf(record);
    if (recorded.empty() || !model.text || !model.text->tokenizer
        || recorded == vocabularySha256(model.text->tokenizer->vocabulary()))
        return {};
    return Error::badRequest("the model's vocabulary is not that of the record: its token ids "
                             "mean other words");
}

} // namespace app
