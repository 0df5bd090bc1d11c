#include "app/models/file_hashes.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QThread>

namespace app {

namespace {
    constexpr qint64 kChunkBytes = 1 << 20;
    constexpr qint64 kMostCacheBytes = 1 << 20; // thousands of files
}

FileHashes::FileHashes(QString cachePath, QObject* parent)
    : QObject(parent)
    , m_cachePath(std::move(cachePath))
{
    m_pool.setMaxThreadCount(1);
    m_pool.setThreadPriority(QThread::LowestPriority);
    read();
}

FileHashes::~FileHashes()
{
    m_isClosing = true;
    m_pool.clear();
    m_pool.waitForDone();
}

std::optional<FileHashes::Entry> FileHashes::statOf(const QString& path)
{
    const QFileInfo file(path);
    if (!file.isFile())
        return std::nullopt;
    return Entry { file.size(), file.lastModified().toMSecsSinceEpoch(), {} };
}

std::optional<std::string> FileHashes::known(const QString& path) const
{
    const auto found = m_entries.find(path);
    const auto now = statOf(path);
    if (found == m_entries.end() || !now || found->bytes != now->bytes
        || found->changedMs != now->changedMs)
        return std::nullopt;
    return found->digits.toStdString();
}

void FileHashes::compute(const QString& path)
{
    const auto before = statOf(path);
    if (!before || m_underWay.contains(path) || known(path))
        return;
    m_underWay.append(path);
    m_pool.start([this, path, entry = *before]() mutable {
        QFile file(path);
        QCryptographicHash hash(QCryptographicHash::Sha256);
        QByteArray chunk;
        bool isWhole = file.open(QIODevice::ReadOnly);
        while (isWhole && !file.atEnd() && !m_isClosing) {
            chunk = file.read(kChunkBytes);
            isWhole = !chunk.isEmpty();
            hash.addData(chunk);
        }
        const auto after = statOf(path);
        isWhole = isWhole && file.atEnd() && after && after->bytes == entry.bytes
            && after->changedMs == entry.changedMs; // nobody wrote into it meanwhile
        if (isWhole)
            entry.digits = QString::fromLatin1(hash.result().toHex());
        QMetaObject::invokeMethod(
            this, [this, path, entry] { take(path, entry); }, Qt::QueuedConnection);
    });
}

void FileHashes::take(const QString& path, const Entry& entry)
{
    m_underWay.removeAll(path);
    if (entry.digits.isEmpty())
        return;
    m_entries.insert(path, entry);
    write();
    emit computed(path, entry.digits);
}

void FileHashes::read()
{
    QFile file(m_cachePath);
    if (!file.open(QIODevice::ReadOnly) || file.size() > kMostCacheBytes)
        return;
    const QJsonObject files = QJsonDocument::fromJson(file.readAll()).object();
    for (auto it = files.begin(); it != files.end(); ++it) {
        const QJsonObject told = it->toObject();
        const Entry entry { qint64(told["bytes"].toDouble(-1)), qint64(told["changed_ms"].toDouble(-1)),
            told["sha256"].toString() };
        constexpr qsizetype kDigits = 64;
        if (entry.digits.size() == kDigits)
            m_entries.insert(it.key(), entry);
    }
}

/// A cache that cannot be written is a cache less: everything works without it.
void FileHashes::write() const
{
    QJsonObject files;
    for (auto it = m_entries.begin(); it != m_entries.end(); ++it)
        files[it.key()] = QJsonObject { { "bytes", double(it->bytes) },
            { "changed_ms", double(it->changedMs) }, { "sha256", it->digits } };
    QDir().mkpath(QFileInfo(m_cachePath).path());
    QSaveFile file(m_cachePath);
    if (file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(files).toJson()) > 0)
        file.commit();
}

} // namespace app
