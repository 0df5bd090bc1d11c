#pragma once

#include "engine/kernels/batch_rows.h"
#include "engine/kernels/kv_pages.h"
#include "tests/engine/kernels/kernel_fixture.h"

namespace tests {

/// Pages of one layer whose every slot is NaN at first, and block tables over them: what nobody has
/// written must not be seen in any result.
class KvFixture {
public:
    KvFixture(KernelFixture& kernels, const engine::KvShape& shape, uint32_t rowCount,
        uint32_t tableCount);

    const engine::KvPages& pages() const { return m_pages; }
    engine::BatchRows& rows() { return m_rows; }
    /// Each at its position, all of one sequence.
    void setPositions(const std::vector<uint32_t>& positions, uint32_t table = 0);
    void setTable(uint32_t table, std::vector<uint32_t> pageIndices);

    /// Writes one sequence's keys and values, [positions, kvHeadCount * headDim], as halves, and
    /// rounds them in place.
    void write(uint32_t table, engine::Matrix& keys, engine::Matrix& values);

    /// Everything of the pages, now.
    void readBack();
    float key(uint32_t table, uint32_t position, uint32_t column) const;
    float value(uint32_t table, uint32_t position, uint32_t column) const;
    /// Slots of either half that are no longer as they were made.
    size_t writtenNumberCount() const;

private:
    size_t indexOf(uint32_t table, uint32_t position, uint32_t column) const;
    std::vector<uint16_t> halvesOf(const engine::vk::Buffer& buffer);

    KernelFixture& m_kernels;
    engine::KvPages m_pages;
    engine::BatchRows m_rows;
    std::vector<std::vector<uint32_t>> m_tables;
    std::vector<uint16_t> m_keys; ///< as last written or read back
    std::vector<uint16_t> m_values;
};

} // namespace tests
