#include "app/storage/storage_thread.h"

#include <QCoreApplication>

namespace app {

namespace {
    QString tr(const char* text) { return QCoreApplication::translate("StorageThread", text); }

    // Lists that wait are joined up to this size, so that a backlog costs few transactions.
    constexpr size_t kJoinedListCount = 256;

    StorageTrouble troubleOf(const engine::Error& error)
    {
        // The words end where what SQLite says begins.
        const QString whole = QString::fromStdString(error.message);
        const qsizetype details = whole.lastIndexOf(QStringLiteral(" ("));
        const QString words = details > 0 && whole.endsWith(u')') ? whole.left(details) : whole;
        return { tr("Conversations are not being saved"),
            tr("%1 Nothing is lost while the program runs: what could not be saved is kept in "
               "memory and tried again every few seconds.")
                .arg(words),
            whole };
    }
}

StorageThread::StorageThread(QString path, Callbacks callbacks)
    : m_path(std::move(path))
    , m_callbacks(std::move(callbacks))
    , m_thread([this] { run(); })
{
}

StorageThread::~StorageThread()
{
    m_inbox.post(Stop {});
    m_thread.join();
}

void StorageThread::run()
{
    openStore();
    bool isRunning = true;
    while (isRunning) {
        if (m_waiting.empty()) {
            isRunning = take(m_inbox.take());
        } else if (auto request = m_inbox.takeWithin(kRetryInterval)) {
            isRunning = take(std::move(*request));
        } else {
            writeWaiting();
        }
    }
    m_store.reset(); // a connection is closed by the thread that opened it
}

void StorageThread::openStore()
{
    auto store = ChatStore::open(m_path);
    engine::Result<StoredIndex> index = StoredIndex {};
    StoreOpening opening;
    if (store) {
        m_store = std::move(*store);
        opening = m_store->opening();
        index = m_store->readIndex();
    }
    if (!store || !index) {
        m_store.reset();
        m_openError = store ? index.error() : store.error();
        tellTrouble(*m_openError);
        index = StoredIndex {};
    }
    m_largestId = index->largestId;
    if (opening.isReadOnly)
        tellTrouble(engine::Error::io(opening.readOnlyReason.toStdString()));
    m_callbacks.deliver(
        [opened = m_callbacks.opened, index = *index, opening] { opened(index, opening); });
}

bool StorageThread::mustReopen() const
{
    return !m_store || (m_store->opening().isReadOnly && !m_store->opening().isOfNewerVersion);
}

// The window gives out ids above the largest it was told of: a file that turns out to hold more
// than that must not be written over with these.
void StorageThread::reopenStore()
{
    m_store.reset(); // it holds the file exclusively
    auto store = ChatStore::open(m_path);
    if (!store) {
        m_openError = store.error();
        return;
    }
    const auto index = (*store)->readIndex();
    if (!index) {
        m_openError = index.error();
        return;
    }
    if (index->largestId != m_largestId) {
        m_openError = engine::Error::io(tr("%1 can be read again, but it holds conversations that "
                                           "this window does not know. Copy what you need, then "
                                           "start Tokenglass again.")
                                            .arg(m_path)
                                            .toStdString());
        return;
    }
    m_store = std::move(*store);
    m_openError.reset();
}

bool StorageThread::take(Request request)
{
    if (auto* write = std::get_if<Write>(&request)) {
        m_waiting.push_back(std::move(*write));
        for (Request& next : m_inbox.takeAll()) {
            if (auto* another = std::get_if<Write>(&next)) {
                m_waiting.push_back(std::move(*another));
                continue;
            }
            writeWaiting();
            if (!take(std::move(next)))
                return false;
        }
        writeWaiting();
        return true;
    }
    if (auto* read = std::get_if<Read>(&request)) {
        read->read(m_store.get(), m_openError.value_or(engine::Error()));
        return true;
    }
    writeWaiting();
    if (auto* flush = std::get_if<Flush>(&request)) {
        flush->answer->post(m_waiting.empty() && m_refused.empty());
        return true;
    }
    return false; // Stop
}

engine::Result<void> StorageThread::writeJoined(size_t listCount)
{
    if (listCount == 1)
        return m_store->write(m_waiting.front().changes);
    StoreChanges changes;
    for (size_t i = 0; i < listCount; ++i)
        changes.insert(changes.end(), m_waiting[i].changes.begin(), m_waiting[i].changes.end());
    return m_store->write(changes);
}

void StorageThread::noteWritten(size_t listCount)
{
    for (size_t i = 0; i < listCount; ++i) {
        const Write& write = m_waiting.front();
        m_callbacks.deliver([wrote = m_callbacks.wrote, changeCount = int(write.changes.size()),
                                written = write.written] {
            wrote(changeCount);
            if (written)
                written();
        });
        m_waiting.pop_front();
    }
}

void StorageThread::writeWaiting()
{
    if (!m_waiting.empty() && mustReopen())
        reopenStore();
    if (!m_store) {
        if (m_openError)
            tellTrouble(*m_openError);
        return;
    }
    while (!m_waiting.empty()) {
        size_t listCount = std::min(m_waiting.size(), kJoinedListCount);
        engine::Result<void> result = writeJoined(listCount);
        // One list may be refused for what it says; the others are not held up by it.
        if (!result && result.error().code == engine::ErrorCode::BadRequest && listCount > 1) {
            listCount = 1;
            result = writeJoined(listCount);
        }
        if (result) {
            noteWritten(listCount);
            continue;
        }
        tellTrouble(result.error());
        if (result.error().code != engine::ErrorCode::BadRequest)
            return;
        m_refused.push_back(std::move(m_waiting.front()));
        m_waiting.pop_front();
    }
    if (m_refused.empty() && !m_store->opening().isReadOnly)
        tellNoTrouble();
}

void StorageThread::tellTrouble(const engine::Error& error)
{
    const StorageTrouble trouble = troubleOf(error);
    if (m_trouble == trouble)
        return;
    m_trouble = trouble;
    m_callbacks.deliver([troubleIs = m_callbacks.troubleIs, trouble] { troubleIs(trouble); });
}

void StorageThread::tellNoTrouble()
{
    if (!m_trouble)
        return;
    m_trouble.reset();
    m_callbacks.deliver([troubleIs = m_callbacks.troubleIs] { troubleIs(std::nullopt); });
}

} // namespace app
