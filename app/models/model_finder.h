#pragma once

#include "app/models/model_file.h"

#include <QObject>
#include <QThread>

#include <atomic>
#include <memory>

namespace app {

/// Looks for model files on this machine in a thread of its own and tells of each as its header
/// has been read. GUI thread.
class ModelFinder : public QObject {
    Q_OBJECT
public:
    explicit ModelFinder(QObject* parent = nullptr);
    ~ModelFinder() override;

    /// Starts anew in these folders; results of an earlier search are dropped.
    void search(QList<ModelFolder> folders);
    bool isSearching() const { return m_thread != nullptr; }
    const QList<ModelFile>& files() const { return m_files; }

signals:
    void fileFound(const app::ModelFile& file);
    void finished();

private:
    void stop();

    std::unique_ptr<QThread> m_thread;
    std::shared_ptr<std::atomic_bool>
        m_cancelled; ///< shared with the thread, which may outlast a search
    int m_searchNumber = 0;
    QList<ModelFile> m_files;
};

} // namespace app
