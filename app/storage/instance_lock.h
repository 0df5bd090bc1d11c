#pragma once

#include <QLocalServer>
#include <QLockFile>
#include <QObject>

#include <memory>

namespace app {

class InstanceLock;

/// What a start of the program found.
struct InstanceStart {
    std::unique_ptr<InstanceLock>
        lock; ///< none: another process has the folder, or may not lock it
    bool wasOtherRaised = false; ///< the other one answered and shows its window
    QString message; ///< in words, when there is no lock
};

/// One process for each data folder: a lock file in it, and a local socket by which a second start
/// asks the first to show its window. A lock left by a killed process does not block. GUI thread.
class InstanceLock : public QObject {
    Q_OBJECT
public:
    /// Takes the folder, or asks the process that has it to raise its window. Waits at most about
    /// two seconds for its answer.
    static InstanceStart take(const QString& dataFolder);
    ~InstanceLock() override;

signals:
    /// Another start wants this window to be seen.
    void raiseRequested();

private:
    explicit InstanceLock(std::unique_ptr<QLockFile> file);
    void listen(const QString& socketPath);
    void answerRequests();

    std::unique_ptr<QLockFile> m_file;
    QLocalServer m_server;
};

/// Where the socket of a folder is: of this user, and short enough for any folder's path.
QString instanceSocketPath(const QString& dataFolder);

} // namespace app
