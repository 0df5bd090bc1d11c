#pragma once

#include "engine/kv/block_table.h"
#include "engine/model/device_model.h"
#include "engine/session/timeline.h"

namespace engine {

/// The Timeline of a model on a device: one sequence of tokens with its block table. What was
/// computed before is found again by exact token ids, also for other sessions of the same pool.
class Session : public Timeline {
public:
    /// table: which block table of the model's batch rows. model and pool must outlive it.
    Session(DeviceModel& model, PagePool& pool, const std::string& configuration, uint32_t table);

    Result<SyncReport> sync(std::span<const TokenId> ids, const SyncControl& control) override;
    Result<void> append(TokenId id) override;
    std::span<const float> logits() const override;
    void dropFrom(int position) override;
    int tokenCount() const override { return int(m_blocks.tokenCount()); }
    void setTrace(TraceLog* log) override { m_model.setTrace(log); }
    int contextLength() const override { return int(m_model.contextLength()); }

    /// Scores of every position of ids, computed afresh: visit is called once for each, in order.
    /// chunkRows: rows of a pass, 1 to DeviceModel::kScoredRows.
    Result<void> scoreAll(std::span<const TokenId> ids, uint32_t chunkRows,
        const std::function<void(size_t position, std::span<const float> logits)>& visit);

private:
    Result<void> copyPages(const std::vector<PageCopy>& copies);
    /// Computes tokens that follow what the table holds.
    Result<void> compute(std::span<const TokenId> ids, std::span<const uint32_t> scoredRows,
        const std::function<bool()>& cancelled);
    Error tooLong(size_t tokenCount) const;

    DeviceModel& m_model;
    BlockTable m_blocks;
    uint32_t m_table;
    uint32_t m_scoredIndex = 0;
};

} // namespace engine
