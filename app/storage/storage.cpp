#include "app/storage/storage.h"

#include "app/storage/storage_thread.h"

#include <QCoreApplication>

namespace app {

Storage::Storage(const QString& path, QObject* parent)
    : QObject(parent)
{
    StorageThread::Callbacks callbacks;
    // A queued call to an object that is gone is dropped by Qt.
    callbacks.deliver = [this](std::function<void()> call) {
        QMetaObject::invokeMethod(this, std::move(call), Qt::QueuedConnection);
    };
    callbacks.opened = [this](const StoredIndex& index, const StoreOpening& opening) {
        emit opened(index, opening);
    };
    callbacks.troubleIs = [this](const std::optional<StorageTrouble>& trouble) {
        m_trouble = trouble;
        emit troubleChanged();
    };
    callbacks.wrote = [this](int changeCount) { m_unwrittenCount -= changeCount; };
    m_thread = std::make_unique<StorageThread>(path, std::move(callbacks));
}

Storage::~Storage() = default;

void Storage::write(StoreChanges changes, std::function<void()> written)
{
    m_unwrittenCount += int(changes.size());
    m_thread->post(StorageThread::Write { std::move(changes), std::move(written) });
}

template <typename T>
void Storage::read(std::function<engine::Result<T>(ChatStore&)> work,
    std::function<void(engine::Result<T>)> answer)
{
    m_thread->post(StorageThread::Read { [this, work = std::move(work), answer = std::move(answer)](
                                             ChatStore* store, const engine::Error& error) {
        engine::Result<T> result = store ? work(*store) : engine::Result<T>(error);
        QMetaObject::invokeMethod(
            this, [answer, result = std::move(result)]() mutable { answer(std::move(result)); },
            Qt::QueuedConnection);
    } });
}

void Storage::readChat(ConversationId id, std::function<void(engine::Result<StoredChat>)> answer)
{
    read<StoredChat>([id](ChatStore& store) { return store.readChat(id); }, std::move(answer));
}

void Storage::readRun(StoredRunId id, std::function<void(engine::Result<StoredRunDetails>)> answer)
{
    read<StoredRunDetails>([id](ChatStore& store) { return store.readRun(id); }, std::move(answer));
}

void Storage::listRuns(RunFilter filter, std::function<void(engine::Result<RunList>)> answer)
{
    read<RunList>(
        [filter = std::move(filter)](ChatStore& store) { return store.listRuns(filter); },
        std::move(answer));
}

void Storage::readRecord(
    StoredRunId id, std::function<void(engine::Result<nlohmann::ordered_json>)> answer)
{
    read<nlohmann::ordered_json>(
        [id](ChatStore& store) { return store.readRecord(id); }, std::move(answer));
}

void Storage::search(SearchQuery query, int limit,
    std::function<void(engine::Result<std::vector<SearchHit>>)> answer)
{
    read<std::vector<SearchHit>>(
        [query = std::move(query), limit](ChatStore& store) { return store.search(query, limit); },
        std::move(answer));
}

bool Storage::flush(int timeoutMs)
{
    const auto answer = std::make_shared<engine::Mailbox<bool>>();
    m_thread->post(StorageThread::Flush { answer });
    const std::optional<bool> isWritten = answer->takeWithin(std::chrono::milliseconds(timeoutMs));
    // So that trouble() and unwrittenCount() tell of now.
    QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
    return isWritten.value_or(false);
}

} // namespace app
