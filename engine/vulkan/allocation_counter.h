#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace engine::vk {

/// What a buffer is for; decides where its memory lies and what may be done with it.
enum class BufferDomain : uint8_t {
    Weights, ///< read by shaders; written once at load
    Device, ///< read and written by shaders; usable as uniform buffer and texel buffer too
    Upload, ///< written by the host, copied or read by the device; always mapped
    Readback, ///< written by the device, read by the host; always mapped, cached where there is
              ///< such memory
    Uniform, ///< written by the host, small, read by shaders as a uniform buffer; always mapped
    Count, ///< not a domain
};

/// "weights"
const char* domainName(BufferDomain domain);

/// Bytes and numbers of live allocations of one device, now and at the highest. Any thread.
class AllocationCounter {
public:
    uint64_t bytes(BufferDomain domain) const { return m_rows[size_t(domain)].bytes; }
    uint64_t peakBytes(BufferDomain domain) const { return m_rows[size_t(domain)].peak; }
    uint64_t totalBytes() const { return m_total.bytes; }
    uint64_t totalPeakBytes() const { return m_total.peak; }
    uint64_t heapBytes(uint32_t heapIndex) const { return m_heaps[heapIndex]; }
    uint64_t count() const { return m_count; }

    void add(BufferDomain domain, uint32_t heapIndex, uint64_t bytes);
    void remove(BufferDomain domain, uint32_t heapIndex, uint64_t bytes);

private:
    static constexpr size_t kMaxHeapCount = 16; // VK_MAX_MEMORY_HEAPS
    struct Row {
        std::atomic<uint64_t> bytes = 0;
        std::atomic<uint64_t> peak = 0;
        void add(uint64_t more);
    };
    std::array<Row, size_t(BufferDomain::Count)> m_rows;
    std::array<std::atomic<uint64_t>, kMaxHeapCount> m_heaps {};
    Row m_total;
    std::atomic<uint64_t> m_count = 0;
};

/// One live allocation in a counter, taken out again when destroyed.
class CountedAllocation {
public:
    CountedAllocation() = default;
    CountedAllocation(
        AllocationCounter& counter, BufferDomain domain, uint32_t heapIndex, uint64_t bytes)
        : m_counter(&counter)
        , m_domain(domain)
        , m_heapIndex(heapIndex)
        , m_bytes(bytes)
    {
        counter.add(domain, heapIndex, bytes);
    }
    CountedAllocation(CountedAllocation&& other) noexcept { swap(other); }
    CountedAllocation& operator=(CountedAllocation&& other) noexcept
    {
        CountedAllocation(std::move(other)).swap(*this);
        return *this;
    }
    ~CountedAllocation()
    {
        if (m_counter)
            m_counter->remove(m_domain, m_heapIndex, m_bytes);
    }

private:
    void swap(CountedAllocation& other) noexcept
    {
        std::swap(m_counter, other.m_counter);
        std::swap(m_domain, other.m_domain);
        std::swap(m_heapIndex, other.m_heapIndex);
        std::swap(m_bytes, other.m_bytes);
    }

    AllocationCounter* m_counter = nullptr;
    BufferDomain m_domain = BufferDomain::Device;
    uint32_t m_heapIndex = 0;
    uint64_t m_bytes = 0;
};

} // namespace engine::vk
