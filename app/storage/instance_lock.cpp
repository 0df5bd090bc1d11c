#include "app/storage/instance_lock.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QLocalSocket>

namespace app {

namespace {
    constexpr int kAnswerLimitMs = 2000;
    constexpr const char* kRequest = "raise\n";
    constexpr const char* kAnswer = "raised\n";

    // Whether the other process answered.
    bool askToRaise(const QString& socketPath)
    {
        QLocalSocket socket;
        socket.connectToServer(socketPath);
        if (!socket.waitForConnected(kAnswerLimitMs))
            return false;
        socket.write(kRequest);
        while (!socket.canReadLine())
            if (!socket.waitForReadyRead(kAnswerLimitMs))
                return false;
        return socket.readLine() == kAnswer;
    }

    QString whoHolds(const QLockFile& file)
    {
        qint64 process = 0;
        QString host;
        QString program;
        if (!file.getLockInfo(&process, &host, &program))
            return {};
        return InstanceLock::tr(" (process %1 on %2)").arg(process).arg(host);
    }
}

QString instanceSocketPath(const QString& dataFolder)
{
    const QString canonical = QFileInfo(dataFolder).canonicalFilePath();
    const QString path
        = canonical.isEmpty() ? QDir::cleanPath(QDir(dataFolder).absolutePath()) : canonical;
    const QByteArray hash
        = QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha256).toHex().left(20);
    const QString name = QStringLiteral("tokenglass-") + QString::fromLatin1(hash);
#ifdef Q_OS_WIN
    return name;
#else
    // The address of a local socket holds about 100 bytes.
    constexpr qsizetype kLongestFolder = 60;
    for (const QString& folder : { qEnvironmentVariable("XDG_RUNTIME_DIR"), QDir::tempPath() })
        if (!folder.isEmpty() && folder.toUtf8().size() <= kLongestFolder
            && QFileInfo(folder).isWritable())
            return QDir(folder).filePath(name);
    return QStringLiteral("/tmp/") + name;
#endif
}

InstanceLock::InstanceLock(std::unique_ptr<QLockFile> file)
    : m_file(std::move(file))
{
}

InstanceLock::~InstanceLock() = default;

InstanceStart InstanceLock::take(const QString& dataFolder)
{
    InstanceStart start;
    const QString shownFolder = QDir::toNativeSeparators(dataFolder);
    if (!QDir().mkpath(dataFolder)) {
        start.message = tr("The folder %1 could not be made. Check that there is no file of that "
                           "name and that you may write beside it.")
                            .arg(shownFolder);
        return start;
    }
    auto file
        = std::make_unique<QLockFile>(QDir(dataFolder).filePath(QStringLiteral("tokenglass.lock")));
    // However old: only the end of its process makes a lock void.
    file->setStaleLockTime(0);
    if (file->tryLock(0)) {
        start.lock.reset(new InstanceLock(std::move(file)));
        start.lock->listen(instanceSocketPath(dataFolder));
        return start;
    }
    if (file->error() != QLockFile::LockFailedError) {
        start.message = tr("The folder %1 may not be written. Give yourself permission to write "
                           "it, or choose another one with TOKENGLASS_DATA.")
                            .arg(shownFolder);
        return start;
    }
    start.wasOtherRaised = askToRaise(instanceSocketPath(dataFolder));
    start.message = start.wasOtherRaised
        ? tr("Tokenglass is running already with the folder %1; its window was raised.")
              .arg(shownFolder)
        : tr("Tokenglass is running already with the folder %1%2, but does not answer. Close it, "
             "or choose another folder with TOKENGLASS_DATA.")
              .arg(shownFolder, whoHolds(*file));
    return start;
}

void InstanceLock::listen(const QString& socketPath)
{
    connect(&m_server, &QLocalServer::newConnection, this, &InstanceLock::answerRequests);
    m_server.setSocketOptions(QLocalServer::UserAccessOption);
    // One left by a killed process; nobody else can listen there while the lock is held.
    QLocalServer::removeServer(socketPath);
    // Without a socket the folder is still ours: a second start is told that nobody answers.
    if (!m_server.listen(socketPath))
        qWarning("no second start can raise this window: %s", qPrintable(m_server.errorString()));
}

void InstanceLock::answerRequests()
{
    while (QLocalSocket* socket = m_server.nextPendingConnection()) {
        connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
        const auto answer = [this, socket] {
            if (!socket->canReadLine() || socket->readLine() != kRequest)
                return;
            emit raiseRequested();
            socket->write(kAnswer);
            socket->flush();
        };
        connect(socket, &QLocalSocket::readyRead, this, answer);
        answer(); // it may have come with the connection
    }
}

} // namespace app
