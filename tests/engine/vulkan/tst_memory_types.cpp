#include "engine/vulkan/memory_types.h"

#include <QtTest>

using namespace engine::vk;

namespace {
constexpr VkMemoryPropertyFlags kLocal = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
constexpr VkMemoryPropertyFlags kMapped
    = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
constexpr VkMemoryPropertyFlags kCached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
constexpr VkMemoryPropertyFlags kUncachedVendor
    = VK_MEMORY_PROPERTY_DEVICE_UNCACHED_BIT_AMD | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;

VkPhysicalDeviceMemoryProperties fake(std::initializer_list<VkMemoryPropertyFlags> types)
{
    VkPhysicalDeviceMemoryProperties memory {};
    for (VkMemoryPropertyFlags flags : types)
        memory.memoryTypes[memory.memoryTypeCount++].propertyFlags = flags;
    return memory;
}
}

class TestMemoryTypes : public QObject {
    Q_OBJECT
private slots:
    void aDiscreteCardKeepsWeightsInItsOwnMemoryAndReadsBackThroughTheCache()
    {
        const auto card = fake({ 0, kLocal, kMapped, kMapped | kCached, kLocal | kMapped });
        QCOMPARE(chooseMemoryType(card, ~0u, BufferDomain::Weights, false), std::optional(1u));
        QCOMPARE(chooseMemoryType(card, ~0u, BufferDomain::Device, false), std::optional(1u));
        QCOMPARE(chooseMemoryType(card, ~0u, BufferDomain::Upload, false), std::optional(2u));
        QCOMPARE(chooseMemoryType(card, ~0u, BufferDomain::Readback, false), std::optional(3u));
        QCOMPARE(chooseMemoryType(card, ~0u, BufferDomain::Uniform, false), std::optional(4u));
    }
    void unifiedMemoryIsMappedForWeightsToo()
    {
        const auto shared = fake({ kLocal, kLocal | kMapped, kLocal | kMapped | kCached });
        QCOMPARE(chooseMemoryType(shared, ~0u, BufferDomain::Weights, true), std::optional(1u));
        QCOMPARE(chooseMemoryType(shared, ~0u, BufferDomain::Readback, true), std::optional(2u));
    }
    void typesTheBufferMayNotUseAreLeftOut()
    {
        const auto card = fake({ kLocal, kLocal, kMapped });
        QCOMPARE(chooseMemoryType(card, 0b110, BufferDomain::Device, false), std::optional(1u));
        QCOMPARE(
            chooseMemoryType(card, 0b011, BufferDomain::Upload, false), std::optional<uint32_t>());
    }
    void specialMemoryIsNeverUsed()
    {
        const auto card = fake({ kLocal | VK_MEMORY_PROPERTY_PROTECTED_BIT,
            kLocal | kMapped | kUncachedVendor, kLocal, kMapped });
        QCOMPARE(chooseMemoryType(card, ~0u, BufferDomain::Device, false), std::optional(2u));
        QCOMPARE(chooseMemoryType(card, ~0u, BufferDomain::Uniform, false), std::optional(3u));
    }
};

QTEST_APPLESS_MAIN(TestMemoryTypes)
#include "tst_memory_types.moc"
