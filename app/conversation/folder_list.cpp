#include "app/conversation/folder_list.h"

#include "app/storage/storage.h"

#include <algorithm>

namespace app {

FolderList::FolderList(IdSource& ids, QObject* parent)
    : QObject(parent)
    , m_ids(ids)
{
}

void FolderList::load(std::vector<StoredFolder> folders)
{
    // What was made before the store had been read stays.
    m_folders.insert(m_folders.end(), folders.begin(), folders.end());
    sort();
    emit changed();
}

QString FolderList::nameOf(FolderId id) const
{
    for (const StoredFolder& folder : m_folders)
        if (folder.id == id)
            return folder.name;
    return {};
}

FolderId FolderList::add(const QString& name)
{
    const QString wanted = name.simplified();
    if (wanted.isEmpty())
        return 0;
    for (const StoredFolder& folder : m_folders)
        if (folder.name.compare(wanted, Qt::CaseInsensitive) == 0)
            return folder.id;
    const StoredFolder added { m_ids.next(), wanted };
    m_folders.push_back(added);
    put(added);
    return added.id;
}

bool FolderList::rename(FolderId id, const QString& name)
{
    const QString wanted = name.simplified();
    const auto hasName = [&](const StoredFolder& folder) {
        return folder.id != id && folder.name.compare(wanted, Qt::CaseInsensitive) == 0;
    };
    const auto found = std::find_if(m_folders.begin(), m_folders.end(),
        [id](const StoredFolder& folder) { return folder.id == id; });
    if (wanted.isEmpty() || found == m_folders.end()
        || std::any_of(m_folders.begin(), m_folders.end(), hasName))
        return false;
    found->name = wanted;
    put(StoredFolder(*found));
    return true;
}

void FolderList::remove(FolderId id)
{
    const auto isIt = [id](const StoredFolder& folder) { return folder.id == id; };
    if (std::erase_if(m_folders, isIt) == 0)
        return;
    emit removed(id);
    if (m_storage)
        m_storage->write({ RemoveFolder { id } });
    emit changed();
}

void FolderList::put(const StoredFolder& folder)
{
    if (m_storage)
        m_storage->write({ PutFolder { folder } });
    sort();
    emit changed();
}

void FolderList::sort()
{
    std::stable_sort(
        m_folders.begin(), m_folders.end(), [](const StoredFolder& a, const StoredFolder& b) {
            return QString::localeAwareCompare(a.name, b.name) < 0;
        });
}

} // namespace app
