#include "app/models/device_finder.h"

#include "engine/vulkan/device_ranking.h"
#include "engine/vulkan/instance.h"

namespace app {

namespace {
    engine::Result<QList<engine::DeviceDescription>> usableDevices()
    {
        TRY_ASSIGN(const engine::vk::Instance instance, engine::vk::Instance::create());
        TRY_ASSIGN(const engine::vk::FoundDevices found, instance.devices());
        QList<engine::DeviceDescription> usable;
        for (const size_t index : engine::vk::rankDevices(found.descriptions))
            if (found.descriptions[index].problem.empty())
                usable.append(found.descriptions[index]);
        return usable;
    }

    FoundDevices findDevices()
    {
        FoundDevices found;
        if (auto usable = usableDevices())
            found.devices = *usable;
        else
            found.problem = QString::fromStdString(usable.error().message);
        return found;
    }
}

DeviceFinder::DeviceFinder(QObject* parent)
    : QObject(parent)
{
}

DeviceFinder::~DeviceFinder()
{
    if (m_thread)
        m_thread->wait();
}

void DeviceFinder::search()
{
    if (m_thread)
        return;
    m_thread.reset(QThread::create([this] {
        QMetaObject::invokeMethod(this, [this, found = findDevices()] {
            m_thread->wait();
            m_thread.reset();
            setFound(found);
        });
    }));
    m_thread->start();
}

void DeviceFinder::setFound(FoundDevices found)
{
    m_found = std::move(found);
    emit finished();
}

QString describeDeviceChoice(const FoundDevices& found, const QString& chosenUuid)
{
    if (found.devices.isEmpty())
        return found.problem.isEmpty()
            ? DeviceFinder::tr(
                "No Vulkan device was found: models cannot run until a driver is installed.")
            : DeviceFinder::tr("No Vulkan device can be used: %1").arg(found.problem);
    const engine::DeviceDescription* used = &found.devices.front();
    for (const engine::DeviceDescription& device : found.devices)
        if (QString::fromStdString(device.uuid) == chosenUuid)
            used = &device;
    const QString name = QString::fromStdString(used->name).section(QStringLiteral(" ("), 0, 0);
    if (used->kind == "software")
        return DeviceFinder::tr(
            "Answers are computed on the processor (%1); a graphics card would be faster.")
            .arg(name);
    return DeviceFinder::tr("Answers are computed on %1.").arg(name);
}

} // namespace app
