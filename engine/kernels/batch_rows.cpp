#include "engine/kernels/batch_rows.h"

#include <algorithm>

namespace engine {

Result<BatchRows> BatchRows::create(vk::Device& device, const BatchRowsOptions& options)
{
    const auto upload = [&](uint64_t bytes, const char* purpose) {
        return vk::Buffer::create(device, { .bytes = bytes, .domain = vk::BufferDomain::Upload, .purpose = purpose });
    };
    TRY_ASSIGN(vk::Buffer rows, upload(uint64_t(options.rowCount) * 16, "rows of a pass"));
    TRY_ASSIGN(vk::Buffer scored, upload(uint64_t(options.rowCount) * 4, "scored rows of a pass"));
    TRY_ASSIGN(
        vk::Buffer tables, upload(uint64_t(options.tableCount) * options.tablePages * 4, "block tables"));
    TRY_ASSIGN(vk::TexelView rowView, vk::TexelView::create(device, rows, { .format = vk::TexelFormat::UInt4 }));
    TRY_ASSIGN(vk::TexelView scoredView, vk::TexelView::create(device, scored, { .format = vk::TexelFormat::UInt1 }));
    TRY_ASSIGN(vk::TexelView tableView, vk::TexelView::create(device, tables, { .format = vk::TexelFormat::UInt1 }));
    BatchRows batch(std::move(rows), std::move(scored), std::move(tables), std::move(rowView), std::move(scoredView),
        std::move(tableView));
    batch.m_options = options;
    std::ranges::fill(batch.m_rows.mapped(), std::byte(0));
    std::ranges::fill(batch.m_scored.mapped(), std::byte(0));
    std::ranges::fill(batch.m_tables.mapped(), std::byte(0));
    return batch;
}

void BatchRows::setRows(std::span<const BatchRow> rows)
{
    const std::span<uint32_t> words = m_rows.mappedAs<uint32_t>();
    for (size_t i = 0; i < rows.size(); ++i) {
        words[4 * i] = uint32_t(rows[i].token);
        words[4 * i + 1] = rows[i].position;
        words[4 * i + 2] = rows[i].table * m_options.tablePages;
        words[4 * i + 3] = 0;
    }
}

void BatchRows::setScoredRows(std::span<const uint32_t> rows)
{
    std::ranges::copy(rows, m_scored.mappedAs<uint32_t>().begin());
}

void BatchRows::setTable(uint32_t table, std::span<const uint32_t> pages, size_t firstPage)
{
    const std::span<uint32_t> own = m_tables.mappedAs<uint32_t>().subspan(size_t(table) * m_options.tablePages);
    std::ranges::copy(pages.subspan(firstPage), own.subspan(firstPage).begin());
}

} // namespace engine
