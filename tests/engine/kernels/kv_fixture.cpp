#include "tests/engine/kernels/kv_fixture.h"

#include "engine/base/half.h"
#include "engine/vulkan/transfer.h"

#include <algorithm>
#include <cstring>

using namespace engine;

namespace tests {

namespace {
    constexpr uint16_t kNeverWritten = 0x7E5A; // a NaN that no kernel makes
    constexpr uint32_t kTablePages = 16;
}

KvFixture::KvFixture(
    KernelFixture& kernels, const KvShape& shape, uint32_t rowCount, uint32_t tableCount)
    : m_kernels(kernels)
    , m_pages(need(KvPages::create(kernels.device(), shape, "test pages")))
    , m_rows(need(BatchRows::create(kernels.device(),
          { .rowCount = rowCount, .tableCount = tableCount, .tablePages = kTablePages })))
    , m_tables(tableCount)
    , m_keys(shape.bytes() / 2, kNeverWritten)
    , m_values(shape.bytes() / 2, kNeverWritten)
{
    need(vk::writeBuffer(kernels.device(), m_pages.keys(), 0, std::as_bytes(std::span(m_keys))));
    need(
        vk::writeBuffer(kernels.device(), m_pages.values(), 0, std::as_bytes(std::span(m_values))));
}

void KvFixture::setPositions(const std::vector<uint32_t>& positions, uint32_t table)
{
    std::vector<BatchRow> rows;
    for (const uint32_t position : positions)
        rows.push_back({ 0, position, table });
    m_rows.setRows(rows);
}

void KvFixture::setTable(uint32_t table, std::vector<uint32_t> pageIndices)
{
    m_tables[table] = std::move(pageIndices);
    m_rows.setTable(table, m_tables[table]);
}

size_t KvFixture::indexOf(uint32_t table, uint32_t position, uint32_t column) const
{
    const KvShape& shape = m_pages.shape();
    const size_t page = m_tables[table][position / kKvPageTokens];
    const size_t head = page * shape.kvHeadCount + column / shape.headDim;
    const size_t unit = head * (shape.headDim / 8) + column % shape.headDim / 8;
    return (unit * kKvPageTokens + position % kKvPageTokens) * 8 + column % 8;
}

void KvFixture::write(uint32_t table, Matrix& keys, Matrix& values)
{
    const auto put = [&](Matrix& matrix, std::vector<uint16_t>& halves, const vk::Buffer& buffer) {
        for (size_t position = 0; position < matrix.rows; ++position)
            for (size_t column = 0; column < matrix.columns; ++column) {
                float& number = matrix.row(position)[column];
                const uint16_t half = floatToHalf(number);
                halves[indexOf(table, uint32_t(position), uint32_t(column))] = half;
                number = halfToFloat(half);
            }
        need(vk::writeBuffer(m_kernels.device(), buffer, 0, std::as_bytes(std::span(halves))));
    };
    put(keys, m_keys, m_pages.keys());
    put(values, m_values, m_pages.values());
}

std::vector<uint16_t> KvFixture::halvesOf(const vk::Buffer& buffer)
{
    const auto bytes
        = need(vk::readBuffer(m_kernels.device(), buffer, 0, m_pages.shape().bytes()));
    std::vector<uint16_t> halves(bytes.size() / 2);
    std::memcpy(halves.data(), bytes.data(), bytes.size());
    return halves;
}

void KvFixture::readBack()
{
    m_keys = halvesOf(m_pages.keys());
    m_values = halvesOf(m_pages.values());
}

float KvFixture::key(uint32_t table, uint32_t position, uint32_t column) const
{
    return halfToFloat(m_keys[indexOf(table, position, column)]);
}

float KvFixture::value(uint32_t table, uint32_t position, uint32_t column) const
{
    return halfToFloat(m_values[indexOf(table, position, column)]);
}

size_t KvFixture::writtenNumberCount() const
{
    const auto written = [](const std::vector<uint16_t>& halves) {
        return halves.size() - size_t(std::ranges::count(halves, kNeverWritten));
    };
    return written(m_keys) + written(m_values);
}

} // namespace tests
