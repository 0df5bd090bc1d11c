#pragma once

#include <QList>
#include <QString>

namespace app {

/// How the files of a folder are found.
enum class FolderLayout { Tree, OllamaStore };

/// A folder in which model files may lie. Folders of other programs are only ever read.
struct ModelFolder {
    QString owner; ///< "Tokenglass", "LM Studio", ...
    QString path;
    FolderLayout layout = FolderLayout::Tree;

    bool operator==(const ModelFolder&) const = default;
};

/// Our own folder first, then those of other programs on this machine that exist.
/// Sources: each program's documentation of its model directory and its environment variables.
QList<ModelFolder> modelFolders();

/// One file to look at, before its header was read.
struct ModelCandidate {
    QString path;
    QString name; ///< what its owner calls it
    QString owner;

    bool operator==(const ModelCandidate&) const = default;
};

/// Whole GGUF files below the folder, sorted by name. Partial downloads (.part, .incomplete and
/// their kin) are never among them. Any thread.
QList<ModelCandidate> modelCandidates(const ModelFolder& folder);

} // namespace app
