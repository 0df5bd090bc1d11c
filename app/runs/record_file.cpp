#include "app/runs/record_file.h"

#include "app/runs/run_json.h"

#include <QFile>
#include <QSaveFile>

namespace app {

engine::Result<RecordFile> RecordFile::open(const std::string& path, const RunOpening& opening)
{
    RecordFile file(path, opening.model.path, opening);
    TRY(file.write());
    return file;
}

RecordFile::RecordFile(std::string path, std::string modelPath, const RunOpening& opening)
    : m_path(std::move(path))
    , m_modelPath(std::move(modelPath))
    , m_record(opening)
{
}

engine::Result<void> RecordFile::close()
{
    TRY_ASSIGN(const std::string hash, fileSha256Hex(m_modelPath));
    m_record.setCheckpointSha256(hash);
    return write();
}

engine::Result<void> RecordFile::write() const
{
    QSaveFile file(QFile::decodeName(QByteArray::fromStdString(m_path)));
    const std::string text = dumped(m_record.json(), 1) + "\n";
    if (!file.open(QIODevice::WriteOnly) || file.write(text.data(), qint64(text.size())) < 0
        || !file.commit())
        return engine::Error::io(
            "the record cannot be written to " + m_path + ": " + file.errorString().toStdString());
    return {};
}

} // namespace app
