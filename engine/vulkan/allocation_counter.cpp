#include "engine/vulkan/allocation_counter.h"

namespace engine::vk {

const char* domainName(BufferDomain domain)
{
    constexpr const char* kNames[] = { "weights", "device", "upload", "readback", "uniform" };
    static_assert(std::size(kNames) == size_t(BufferDomain::Count));
    return kNames[size_t(domain)];
}

void AllocationCounter::Row::add(uint64_t more)
{
    const uint64_t now = bytes += more;
    uint64_t highest = peak;
    while (now > highest && !peak.compare_exchange_weak(highest, now)) { }
}

void AllocationCounter::add(BufferDomain domain, uint32_t heapIndex, uint64_t bytes)
{
    m_rows[size_t(domain)].add(bytes);
    m_heaps[heapIndex] += bytes;
    m_total.add(bytes);
    ++m_count;
}

void AllocationCounter::remove(BufferDomain domain, uint32_t heapIndex, uint64_t bytes)
{
    m_rows[size_t(domain)].bytes -= bytes;
    m_heaps[heapIndex] -= bytes;
    m_total.bytes -= bytes;
    --m_count;
}

} // namespace engine::vk
