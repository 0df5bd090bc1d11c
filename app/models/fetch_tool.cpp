#include "app/models/fetch_tool.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QFileInfo>
#include <QStandardPaths>

#include <algorithm>

namespace app {

QString fetchTool()
{
    // build/<preset>/bin/tokenglass: the source tree is three folders up.
    QDir folder(QCoreApplication::applicationDirPath());
    for (int i = 0; i < 4; ++i) {
        const QFileInfo tool(folder.filePath(QStringLiteral("tools/fetch-model")));
        if (tool.isExecutable())
            return tool.filePath();
        if (!folder.cdUp())
            break;
    }
    return {};
}

qint64 fetchedBytes()
{
    // The folder that tools/fetch-model works in.
    const QString folder = QStandardPaths::writableLocation(QStandardPaths::GenericCacheLocation)
        + QStringLiteral("/tokenglass/fetch/smollm2");
    qint64 bytes = 0;
    QDirIterator files(folder, QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        files.next();
        bytes = std::max(bytes, files.fileInfo().size());
    }
    return std::min(bytes, kDefaultModelBytes);
}

} // namespace app
