#pragma once

#include <QHash>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QThreadPool>

#include <atomic>
#include <optional>
#include <string>

namespace app {

/// SHA-256 of files of gigabytes: computed beside the window, one after the other, and remembered by
/// path, size and time of change in a file of the cache folder. GUI thread.
class FileHashes : public QObject {
    Q_OBJECT
public:
    /// cachePath: JSON; what cannot be read there is computed anew.
    explicit FileHashes(QString cachePath, QObject* parent = nullptr);
    /// Gives up what is computed.
    ~FileHashes() override;

    /// Hexadecimal; none: not computed yet, or the file is another one by now.
    std::optional<std::string> known(const QString& path) const;
    /// Unless it is known or under way. computed() tells; not for a file that cannot be read.
    void compute(const QString& path);

signals:
    void computed(const QString& path, const QString& digits);

private:
    struct Entry {
        qint64 bytes = 0;
        qint64 changedMs = 0; ///< since 1970
        QString digits;
    };
    static std::optional<Entry> statOf(const QString& path);
    void take(const QString& path, const Entry& entry);
    void read();
    void write() const;

    QString m_cachePath;
    QHash<QString, Entry> m_entries;
    QStringList m_underWay;
    std::atomic_bool m_isClosing = false;
    QThreadPool m_pool; // last: its jobs post to this
};

} // namespace app
