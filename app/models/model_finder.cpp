#include "app/models/model_finder.h"

#include <QFileInfo>
#include <QSet>

namespace app {

ModelFinder::ModelFinder(QObject* parent)
    : QObject(parent)
{
}

ModelFinder::~ModelFinder() { stop(); }

void ModelFinder::stop()
{
    if (!m_thread)
        return;
    *m_cancelled = true;
    m_thread->wait();
    m_thread.reset();
}

void ModelFinder::search(QList<ModelFolder> folders)
{
    stop();
    m_files.clear();
    const int number = ++m_searchNumber;
    m_cancelled = std::make_shared<std::atomic_bool>(false);
    m_thread.reset(QThread::create([this, number, folders, cancelled = m_cancelled] {
        QSet<QString> seen; // a model may be linked from several folders
        for (const ModelFolder& folder : folders)
            for (const ModelCandidate& candidate : modelCandidates(folder)) {
                if (*cancelled)
                    return;
                const QString target = QFileInfo(candidate.path).canonicalFilePath();
                if (target.isEmpty() || seen.contains(target))
                    continue;
                seen.insert(target);
                QMetaObject::invokeMethod(this, [this, number, file = readModelFile(candidate)] {
                    if (number != m_searchNumber)
                        return;
                    m_files.append(file);
                    emit fileFound(file);
                });
            }
        QMetaObject::invokeMethod(this, [this, number] {
            if (number != m_searchNumber)
                return;
            m_thread->wait();
            m_thread.reset();
            emit finished();
        });
    }));
    m_thread->start();
}

} // namespace app
