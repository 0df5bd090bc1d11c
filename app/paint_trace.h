#pragma once

#include "app/conversation/workspace.h"

#include <QFile>
#include <QObject>

#include <map>

namespace app {

/// Writes down when each token was painted: a line "RUN INDEX MS" for each, the milliseconds of
/// the system clock, as soon as it is on the screen. For tests that end the program the hard way
/// and ask afterwards what a person had already seen. A pipe is opened once it has a reader.
/// GUI thread. TOKENGLASS_TRACE names the file; without it there is no such object.
class PaintTrace : public QObject {
public:
    PaintTrace(Workspace& workspace, const QString& path);

private:
    void watch(Conversation& conversation);
    void write(const Turn& turn, size_t textBytes);

    QFile m_file;
    std::map<engine::RunId, int> m_writtenCounts; ///< tokens of each run
};

} // namespace app
