#pragma once

#include "engine/kv/block_table.h"
#include "engine/model/device_model.h"
#include "engine/session/recorded_step.h"
#include "engine/session/timeline.h"

namespace engine {

/// The Timeline of a model on a device: one sequence of tokens with its block table. What was
/// computed before is found again by exact token ids, also for other sessions of the same pool.
class Session : public Timeline {
public:
    /// table: which block table of the model's batch rows. step: null where tokens are chosen on the
    /// host. All of these must outlive it.
    Session(DeviceModel& model, PagePool& pool, const std::string& configuration, uint32_t table,
        RecordedStep* step = nullptr);

    Result<SyncReport> sync(std::span<const TokenId> ids, const SyncControl& control) override;
    Result<void> append(TokenId id) override;
    std::span<const float> logits() const override;
    void dropFrom(int position) override;
    int tokenCount() const override { return int(m_blocks.tokenCount()); }
    void setTrace(TraceLog* log) override { m_model.setTrace(log); }
    void setPassLog(PassLog* log) override { m_passLog = log; }
    std::optional<std::string> choosingObstacle(const SamplerSettings& settings) const override;
    Result<void> beginChoosing(const ChoosingOptions& options) override;
    Result<StepResult> nextToken() override;
    int endChoosing() override;
    std::optional<KvRoom> room() const override;
    int contextLength() const override { return int(m_model.contextLength()); }

    /// Scores of every position of ids, computed afresh: visit is called once for each, in order.
    /// chunkRows: rows of a pass, 1 to DeviceModel::kScoredRows.
    Result<void> scoreAll(std::span<const TokenId> ids, uint32_t chunkRows,
        const std::function<void(size_t position, std::span<const float> logits)>& visit);

    /// For a pass over several sessions (SessionGroup): makes room for a token more, tells its row,
    /// and takes over what was computed for it. Errors as of append.
    Result<void> reserveNext();
    Result<BatchRow> nextRow(TokenId id);
    void takeComputed(
        TokenId id, uint32_t scoredIndex, const RecordedStep::Span& span, std::span<const BatchRow> rows);
    /// Lets go of the sequence; it can still be found again by its tokens.
    void release() { m_blocks.clear(); }

private:
    Result<void> copyPages(const std::vector<PageCopy>& copies);
    /// Computes tokens that follow what the table holds.
    Result<void> compute(std::span<const TokenId> ids, std::span<const uint32_t> scoredRows,
        PassKind kind, const std::function<bool()>& cancelled);
    /// A pass and when it was; a discarded one has no end.
    struct PassTime {
        PassKind kind = PassKind::Prefill;
        RecordedStep::Span span;
        std::optional<double> deviceMs;
        int sequenceCount = 1;
    };
    /// Into the log, if there is one.
    void notePass(const PassTime& time, std::span<const BatchRow> rows, bool isScored = true);
    /// Passes on their way are in vain: counts and notes them. position: of the first one's row.
    void discardAhead(uint32_t position);
    Error tooLong(size_t tokenCount) const;
    Result<void> checkInVocabulary(std::span<const TokenId> ids) const;
    /// What was computed ahead and is not wanted ends before the host writes what it reads.
    Result<void> settle();
    /// Makes room for rows more and lets a pass over the last of them go.
    Result<void> submitPass(uint32_t rowCount);
    Result<void> repeatStep(StepResult& result);
    Result<void> settleDoubt(StepResult& result);

    DeviceModel& m_model;
    BlockTable m_blocks;
    uint32_t m_table;
    uint32_t m_scoredIndex = 0;
    PassLog* m_passLog = nullptr;

    /// While tokens are chosen on the device.
    struct Choosing {
        ChoosingOptions options;
        int tokenCount = 0; ///< chosen so far
        TokenId lastToken = 0;
        int discardedPassCount = 0;
    };
    RecordedStep* m_step;
    std::optional<Choosing> m_choosing;
};

} // namespace engine
