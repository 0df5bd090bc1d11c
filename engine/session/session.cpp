#include "engine/session/session.h"

#include "engine/model/pass_bytes.h"
#include "engine/vulkan/submission.h"

#include <algorithm>
#include <chrono>
#include <numeric>

namespace engine {

Session::Session(DeviceModel& model, PagePool& pool, const std::string& configuration, uint32_t table,
    RecordedStep* step)
    : m_model(model)
    , m_blocks(pool, configuration)
    , m_table(table)
    , m_step(step)
{
}

Error Session::tooLong(size_t tokenCount) const
{
    return Error::contextFull("The text needs " + std::to_string(tokenCount) + " positions, and the context has "
        + std::to_string(m_model.contextLength()) + ".");
}

Result<SyncReport> Session::sync(std::span<const TokenId> ids, const SyncControl& control)
{
    if (ids.empty())
        return Error::badRequest("There is nothing to read: the prompt has no tokens.");
    if (ids.size() > m_model.contextLength())
        return tooLong(ids.size());
    TRY(settle());
    if (!control.reusesCache)
        m_blocks.clear();
    const SyncPlan plan = control.reusesCache ? m_blocks.sync(ids) : SyncPlan { .firstMissPosition = 0u, .missCause = "the cache was not to be used" };
    TRY(copyPages(plan.copies));

    SyncReport report;
    report.reusedTokens = int(plan.reusedTokens);
    report.computedTokens = int(ids.size() - plan.reusedTokens);
    if (plan.firstMissPosition)
        report.firstMissPosition = int(*plan.firstMissPosition);
    report.miss = plan.miss;
    report.heldToken = plan.heldToken;
    report.missCause = plan.missCause;
    const auto tell = [&] {
        if (control.progress)
            control.progress(int(m_blocks.tokenCount()), int(ids.size()), report.reusedTokens);
    };
    tell();
    while (m_blocks.tokenCount() < ids.size()) {
        const std::span<const TokenId> rest = ids.subspan(m_blocks.tokenCount());
        const size_t count = std::min<size_t>(rest.size(), DeviceModel::kChunkRows);
        const uint32_t last = uint32_t(count - 1);
        const bool isLast = count == rest.size();
        TRY(compute(rest.first(count), std::span(&last, isLast ? 1 : 0), PassKind::Prefill, control.cancelled));
        ++report.chunkCount;
        tell();
    }
    return report;
}

Result<void> Session::append(TokenId id)
{
    if (m_blocks.tokenCount() + 1 > m_model.contextLength())
        return tooLong(m_blocks.tokenCount() + 1);
    TRY(settle());
    const uint32_t first = 0;
    const auto start = std::chrono::steady_clock::now();
    TRY(compute(std::span(&id, 1), std::span(&first, 1), PassKind::Decode, {}));
    if (m_step) // what is too slow for it now may be fast enough again
        m_step->observe(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    return {};
}

Result<void> Session::checkInVocabulary(std::span<const TokenId> ids) const
{
    for (const TokenId id : ids)
        if (id < 0 || uint32_t(id) >= m_model.config().vocabularySize)
            return Error::badRequest("Token id " + std::to_string(id) + " is not in the vocabulary of "
                + std::to_string(m_model.config().vocabularySize) + ".");
    return {};
}

Result<void> Session::compute(std::span<const TokenId> ids, std::span<const uint32_t> scoredRows, PassKind kind,
    const std::function<bool()>& cancelled)
{
    const auto start = RecordedStep::Clock::now();
    TRY(checkInVocabulary(ids));
    TRY(m_blocks.reserve(uint32_t(ids.size())));
    m_model.buffers().rows.setTable(m_table, m_blocks.pages());
    Batch batch;
    for (size_t i = 0; i < ids.size(); ++i)
        batch.rows.push_back({ ids[i], m_blocks.tokenCount() + uint32_t(i), m_table });
    batch.scoredRows.assign(scoredRows.begin(), scoredRows.end());
    TRY(m_model.forward().run(batch, cancelled));
    m_blocks.commit(ids);
    m_scoredIndex = scoredRows.empty() ? 0 : uint32_t(scoredRows.size() - 1);
    notePass({ kind, { start, RecordedStep::Clock::now() }, m_model.forward().deviceMs() }, batch.rows,
        !scoredRows.empty());
    return {};
}

void Session::notePass(const PassTime& time, std::span<const BatchRow> rows, bool isScored)
{
    if (!m_passLog)
        return;
    const PassBytes bytes = passBytes(m_model.config(), m_model.weights(), rows, isScored ? 1 : 0);
    RunPass pass;
    pass.kind = time.kind;
    pass.startMs = m_passLog->msAt(time.span.start);
    if (time.kind != PassKind::Discarded)
        pass.hostMs = PassLog::msBetween(time.span.start, time.span.end);
    pass.deviceMs = time.deviceMs;
    pass.sequenceCount = time.sequenceCount;
    pass.firstPosition = int(rows.front().position);
    pass.positionCount = int(rows.size());
    pass.weightBytes = bytes.weights;
    pass.cacheBytes = bytes.cache;
    m_passLog->add(pass);
}

Result<void> Session::reserveNext()
{
    if (m_blocks.tokenCount() + 1 > m_model.contextLength())
        return tooLong(m_blocks.tokenCount() + 1);
    return m_blocks.reserve(1);
}

Result<BatchRow> Session::nextRow(TokenId id)
{
    TRY(checkInVocabulary(std::span(&id, 1)));
    m_model.buffers().rows.setTable(m_table, m_blocks.pages());
    return BatchRow { id, m_blocks.tokenCount(), m_table };
}

void Session::takeComputed(
    TokenId id, uint32_t scoredIndex, const RecordedStep::Span& span, std::span<const BatchRow> rows)
{
    m_blocks.commit(std::span(&id, 1));
    m_scoredIndex = scoredIndex;
    notePass({ PassKind::Decode, span, m_model.forward().deviceMs(), int(rows.size()) },
        rows.subspan(scoredIndex, 1));
}

Result<void> Session::copyPages(const std::vector<PageCopy>& copies)
{
    if (copies.empty())
        return {};
    TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(m_model.device(), "page copy"));
    for (const PageCopy& copy : copies)
        for (const KvPages& pages : m_model.buffers().pages) {
            // The whole page: slots past the common ones are overwritten or never read.
            const vk::CopyRange range { copy.from * pages.pageBytes(), copy.to * pages.pageBytes(), pages.pageBytes() };
            recorder.copy(pages.keys(), pages.keys(), range);
            recorder.copy(pages.values(), pages.values(), range);
        }
    recorder.barrier();
    TRY_ASSIGN(vk::Recording recording, recorder.finish());
    return vk::runAndWait(m_model.device(), recording);
}

std::optional<KvRoom> Session::room() const
{
    KvRoom room { .pageCount = int(m_blocks.pages().size()),
        .pageTokens = int(kKvPageTokens),
        .tokenCount = int(m_blocks.tokenCount()) };
    for (const KvPages& pages : m_model.buffers().pages)
        room.pageBytes += 2 * pages.pageBytes();
    return room;
}

std::span<const float> Session::logits() const { return m_model.forward().logits(m_scoredIndex); }

void Session::dropFrom(int position) { m_blocks.dropFrom(uint32_t(std::max(0, position))); }

Result<void> Session::scoreAll(std::span<const TokenId> ids, uint32_t chunkRows,
    const std::function<void(size_t position, std::span<const float> logits)>& visit)
{
    if (ids.empty())
        return Error::badRequest("There is nothing to score: no token ids were given.");
    if (ids.size() > m_model.contextLength())
        return tooLong(ids.size());
    TRY(settle());
    m_blocks.dropFrom(0);
    std::vector<uint32_t> all(std::clamp(chunkRows, 1u, DeviceModel::kScoredRows));
    std::iota(all.begin(), all.end(), 0u);
    for (size_t start = 0; start < ids.size(); start += all.size()) {
        const size_t count = std::min(all.size(), ids.size() - start);
        TRY(compute(ids.subspan(start, count), std::span(all).first(count), PassKind::Prefill, {}));
        for (size_t i = 0; i < count; ++i)
            visit(start + i, m_model.forward().logits(uint32_t(i)));
    }
    return {};
}

} // namespace engine
