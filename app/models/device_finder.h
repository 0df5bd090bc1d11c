#pragma once

#include "engine/session/model_event.h"

#include <QList>
#include <QObject>
#include <QString>
#include <QThread>

#include <memory>
#include <optional>

namespace app {

/// What a search for Vulkan devices found.
struct FoundDevices {
    QList<engine::DeviceDescription> devices; ///< best first; usable ones only
    QString problem; ///< why there are none, in words
};

/// Asks the Vulkan loader which devices there are, in a thread of its own: drivers may take long
/// to answer. GUI thread.
class DeviceFinder : public QObject {
    Q_OBJECT
public:
    explicit DeviceFinder(QObject* parent = nullptr);
    ~DeviceFinder() override;

    void search();
    /// None until the first search has ended.
    const std::optional<FoundDevices>& found() const { return m_found; }
    /// For tests and for showing a list without asking the system.
    void setFound(FoundDevices found);

signals:
    void finished();

private:
    std::unique_ptr<QThread> m_thread;
    std::optional<FoundDevices> m_found;
};

/// One sentence: the device that will be used, and whether a GPU would be faster.
QString describeDeviceChoice(const FoundDevices& found, const QString& chosenUuid);

} // namespace app
