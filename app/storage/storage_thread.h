#pragma once

#include "app/storage/storage.h"
#include "engine/base/mailbox.h"

#include <chrono>
#include <deque>
#include <thread>

namespace app {

/// The thread that owns the ChatStore: takes requests in order, writes what waits, tries again what
/// could not be written. What it has to say goes to the GUI thread through deliver, in order.
class StorageThread {
public:
    /// A list of changes, and what is called once they are in the file.
    struct Write {
        StoreChanges changes;
        std::function<void()> written;
    };
    /// Any reading; store is none while the file could not be opened, and then error tells why.
    struct Read {
        std::function<void(ChatStore* store, const engine::Error& error)> read;
    };
    /// Answers whether nothing is left unwritten, after everything was tried once.
    struct Flush {
        std::shared_ptr<engine::Mailbox<bool>> answer; ///< shared with the waiting thread
    };
    struct Stop { };
    using Request = std::variant<Write, Read, Flush, Stop>;

    struct Callbacks {
        /// Runs this on the GUI thread, later.
        std::function<void(std::function<void()>)> deliver;
        std::function<void(const StoredIndex&, const StoreOpening&)> opened;
        /// None: everything could be written again.
        std::function<void(const std::optional<StorageTrouble>&)> troubleIs;
        /// This many changes went into the file.
        std::function<void(int changeCount)> wrote;
    };

    StorageThread(QString path, Callbacks callbacks);
    /// Writes what is left, and joins the thread.
    ~StorageThread();

    void post(Request request) { m_inbox.post(std::move(request)); }

    static constexpr std::chrono::milliseconds kRetryInterval { 2000 };

private:
    void run();
    void openStore();
    bool mustReopen() const;
    void reopenStore();
    /// False: that was the end.
    bool take(Request request);
    void writeWaiting();
    engine::Result<void> writeJoined(size_t listCount);
    void noteWritten(size_t listCount);
    void tellTrouble(const engine::Error& error);
    void tellNoTrouble();

    QString m_path;
    Callbacks m_callbacks;
    engine::Mailbox<Request> m_inbox;
    // The rest belongs to the thread.
    std::unique_ptr<ChatStore> m_store;
    int64_t m_largestId = 0; ///< of what the window was told
    std::optional<engine::Error> m_openError;
    std::deque<Write> m_waiting;
    std::vector<Write> m_refused; ///< contradict the file: trying again would not help
    std::optional<StorageTrouble> m_trouble;
    std::thread m_thread; // last: it uses all the others
};

} // namespace app
