#pragma once

#include "app/conversation/id_source.h"
#include "app/storage/stored_chat.h"

#include <QObject>

namespace app {

class Storage;

/// The folders that conversations are sorted into, by name; kept in the store, if there is one.
/// GUI thread.
class FolderList : public QObject {
    Q_OBJECT
public:
    /// ids: gives the numbers of new folders; outlives the list.
    explicit FolderList(IdSource& ids, QObject* parent = nullptr);

    void keepIn(Storage& storage) { m_storage = &storage; }
    /// As they were read.
    void load(std::vector<StoredFolder> folders);

    const std::vector<StoredFolder>& all() const { return m_folders; }
    /// "" when there is none of this number.
    QString nameOf(FolderId id) const;
    /// The folder of this name, new if there is none yet; 0 for an empty name.
    FolderId add(const QString& name);
    /// False when the name is empty or another folder has it.
    bool rename(FolderId id, const QString& name);
    /// Its conversations stay, outside of any folder.
    void remove(FolderId id);

signals:
    void changed();
    void removed(app::FolderId id);

private:
    void put(const StoredFolder& folder);
    void sort();

    IdSource& m_ids;
    Storage* m_storage = nullptr;
    std::vector<StoredFolder> m_folders;
};

} // namespace app
