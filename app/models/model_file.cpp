#include "app/models/model_file.h"

#include "engine/gguf/file_type.h"
#include "engine/model/model_config.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QLocale>

namespace app {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("ModelFile", text); }

    quint64 valueCount(const engine::TensorInfo& tensor)
    {
        quint64 count = 1;
        for (const uint64_t dimension : tensor.dimensions)
            count *= dimension;
        return count;
    }

    quint64 parameterCountOf(const engine::GgufFile& gguf)
    {
        quint64 count = 0;
        for (const engine::TensorInfo& tensor : gguf.tensors())
            count += valueCount(tensor);
        return count;
    }
}

ModelFile readModelFile(const ModelCandidate& candidate)
{
    ModelFile file;
    file.candidate = candidate;
    file.fileBytes = quint64(QFileInfo(candidate.path).size());
    const auto gguf = engine::GgufFile::open(candidate.path.toStdString());
    if (!gguf) {
        file.refusal = QString::fromStdString(gguf.error().message);
        return file;
    }
    const auto architecture = gguf->metadata().getString("general.architecture");
    if (!architecture) {
        file.refusal = QString::fromStdString(architecture.error().message);
        return file;
    }
    file.architecture = QString::fromStdString(*architecture);
    if (const auto length = gguf->metadata().getUint32Or(*architecture + ".context_length", 0))
        file.trainedContextLength = int(*length);
    file.parameterCount = parameterCountOf(*gguf);
    file.quantization = QString::fromStdString(engine::quantizationName(*gguf));
    if (gguf->tensors().empty())
        file.refusal = tr("The file holds a vocabulary only, no weights.");
    else if (const auto config = engine::ModelConfig::create(*gguf); !config)
        file.refusal = QString::fromStdString(config.error().message);
    return file;
}

QString describeBytes(quint64 bytes)
{
    return QLocale().formattedDataSize(
        qint64(bytes), bytes < 1'000'000'000 ? 0 : 1, QLocale::DataSizeSIFormat);
}

QString describeModelFile(const ModelFile& file)
{
    QStringList parts { describeBytes(file.fileBytes) };
    for (const QString& part : { file.architecture, file.quantization, file.candidate.owner })
        if (!part.isEmpty())
            parts.append(part);
    return parts.join(QStringLiteral(" · "));
}

} // namespace app
