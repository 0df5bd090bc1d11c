#include "app/models/model_folder.h"

#include "app/settings/places.h"

#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStandardPaths>

#include <algorithm>

namespace app {

namespace {
    QString fromEnvironmentOr(const char* variable, const QString& fallback)
    {
        const QString value = qEnvironmentVariable(variable);
        return value.isEmpty() ? fallback : QDir::cleanPath(value);
    }

    QString cacheFolder()
    {
        return QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation);
    }

    QList<ModelFolder> knownFolders()
    {
        const QString home = QDir::homePath();
        const QString share = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation);
        // The hub's own rule: HF_HUB_CACHE, else HF_HOME/hub, else ~/.cache/huggingface/hub.
        const QString hub = fromEnvironmentOr("HF_HUB_CACHE",
            fromEnvironmentOr("HF_HOME", home + QStringLiteral("/.cache/huggingface"))
                + QStringLiteral("/hub"));
        return {
            { QStringLiteral("Tokenglass"), modelsFolder() },
            { QStringLiteral("LM Studio"), home + QStringLiteral("/.lmstudio/models") },
            { QStringLiteral("LM Studio"), home + QStringLiteral("/.cache/lm-studio/models") },
            { QStringLiteral("Hugging Face"), hub },
            { QStringLiteral("llama.cpp"),
                fromEnvironmentOr("LLAMA_CACHE", cacheFolder() + QStringLiteral("/llama.cpp")) },
            { QStringLiteral("GPT4All"), share + QStringLiteral("/nomic.ai/GPT4All") },
            { QStringLiteral("Ollama"),
                fromEnvironmentOr("OLLAMA_MODELS", home + QStringLiteral("/.ollama/models")),
                FolderLayout::OllamaStore },
            { QStringLiteral("Ollama"), QStringLiteral("/usr/share/ollama/.ollama/models"),
                FolderLayout::OllamaStore },
        };
    }

    QList<ModelCandidate> filesInTree(const ModelFolder& folder)
    {
        QList<ModelCandidate> found;
        // The name filter is what keeps partial downloads out: they end in .part, .incomplete, ...
        QDirIterator files(folder.path, { QStringLiteral("*.gguf") }, QDir::Files | QDir::Readable,
            QDirIterator::Subdirectories);
        while (files.hasNext()) {
            const QFileInfo file(files.next());
            found.append({ file.filePath(), file.completeBaseName(), folder.owner });
        }
        return found;
    }

    /// The digest of the model layer in an Ollama manifest, "" when there is none.
    QString modelDigest(const QString& manifestPath)
    {
        QFile file(manifestPath);
        if (file.size() > 1'000'000 || !file.open(QIODevice::ReadOnly))
            return {};
        const QJsonObject manifest = QJsonDocument::fromJson(file.readAll()).object();
        for (const QJsonValue& layer : manifest[QStringLiteral("layers")].toArray())
            if (layer[QStringLiteral("mediaType")].toString().endsWith(
                    QStringLiteral("image.model")))
                return layer[QStringLiteral("digest")].toString();
        return {};
    }

    QList<ModelCandidate> filesInOllamaStore(const ModelFolder& folder)
    {
        QList<ModelCandidate> found;
        const QDir store(folder.path);
        QDirIterator manifests(store.filePath(QStringLiteral("manifests")),
            QDir::Files | QDir::Readable, QDirIterator::Subdirectories);
        while (manifests.hasNext()) {
            const QFileInfo manifest(manifests.next());
            QString digest = modelDigest(manifest.filePath());
            digest.replace(QLatin1Char(':'), QLatin1Char('-'));
            const QString blob = store.filePath(QStringLiteral("blobs/") + digest);
            const bool plainName = digest.startsWith(QStringLiteral("sha256-"))
                && !digest.contains(QLatin1Char('/'));
            if (plainName && QFileInfo(blob).isReadable())
                found.append(
                    { blob, manifest.dir().dirName() + QLatin1Char(':') + manifest.fileName(),
                        folder.owner });
        }
        return found;
    }
}

QList<ModelFolder> modelFolders()
{
    QList<ModelFolder> folders;
    for (const ModelFolder& folder : knownFolders())
        if (QDir(folder.path).exists())
            folders.append(folder);
    return folders;
}

QList<ModelCandidate> modelCandidates(const ModelFolder& folder)
{
    QList<ModelCandidate> found = folder.layout == FolderLayout::OllamaStore
        ? filesInOllamaStore(folder)
        : filesInTree(folder);
    std::sort(found.begin(), found.end(), [](const ModelCandidate& a, const ModelCandidate& b) {
        return QString::localeAwareCompare(a.name, b.name) < 0;
    });
    return found;
}

} // namespace app
