#pragma once

#include "engine/base/result.h"
#include "engine/base/token.h"
#include "engine/vulkan/buffer.h"
#include "engine/vulkan/texel_view.h"

#include <cstdint>
#include <span>

namespace engine {

/// One row of a pass: a token at a position of a sequence.
struct BatchRow {
    TokenId token = 0;
    uint32_t position = 0;
    uint32_t table = 0; ///< of BatchTables: which sequence's pages

    bool operator==(const BatchRow&) const = default;
};

struct BatchRowsOptions {
    uint32_t rowCount = 0; ///< most rows of a pass
    uint32_t tableCount = 0; ///< most sequences
    uint32_t tablePages = 0; ///< most pages of a sequence
};

/// What a pass reads about its rows: token, position and block table of each, which rows' scores
/// are wanted, and the block tables. Written by the host while nothing that reads it is in flight.
class BatchRows {
public:
    static Result<BatchRows> create(vk::Device& device, const BatchRowsOptions& options);

    void setRows(std::span<const BatchRow> rows);
    void setScoredRows(std::span<const uint32_t> rows);
    /// The pages of a sequence, from firstPage on: those before it stay untouched, so that they may
    /// be in use.
    void setTable(uint32_t table, std::span<const uint32_t> pages, size_t firstPage = 0);

    /// Words of a row: what rows() shows. A kernel that chooses a token writes the next row itself.
    const vk::Buffer& rowBuffer() const { return m_rows; }
    const vk::TexelView& rows() const { return m_rowView; } ///< UInt4: token, position, start of table, 0
    const vk::TexelView& scoredRows() const { return m_scoredView; } ///< UInt1
    const vk::TexelView& tables() const { return m_tableView; } ///< UInt1
    const BatchRowsOptions& options() const { return m_options; }

private:
    BatchRows(vk::Buffer rows, vk::Buffer scored, vk::Buffer tables, vk::TexelView rowView, vk::TexelView scoredView,
        vk::TexelView tableView)
        : m_rows(std::move(rows))
        , m_scored(std::move(scored))
        , m_tables(std::move(tables))
        , m_rowView(std::move(rowView))
        , m_scoredView(std::move(scoredView))
        , m_tableView(std::move(tableView))
    {
    }

    BatchRowsOptions m_options;
    vk::Buffer m_rows;
    vk::Buffer m_scored;
    vk::Buffer m_tables;
    vk::TexelView m_rowView;
    vk::TexelView m_scoredView;
    vk::TexelView m_tableView;
};

} // namespace engine
