#include "engine/model/forward_pass.h"

#include "engine/kernels/tile_shape.h"

#include <algorithm>
#include <chrono>
#include <cstring>

namespace engine {

namespace {
    /// Recordings of one-row passes that are kept: a whole step, or its parts on a slow device.
    constexpr size_t kMostKept = 64;
    /// After a missed meeting the machine may be busy with something else: each operation is a dispatch of
    /// its own, for one pass, and for twice as many each time it happens again before so many passes went well.
    constexpr uint32_t kMostPassesApart = 64;
    constexpr uint32_t kPassesToTrust = 64;
    /// Whole layers that take longer than this share of single operations are tried again after so many passes.
    constexpr double kBusyShare = 1.2;
    constexpr uint32_t kPassesWhenBusy = 32;
    constexpr uint64_t kCompilingWaitMs = 20; // between two questions whether to stop
}

Result<std::unique_ptr<ForwardPass>> ForwardPass::create(
    KernelContext& context, ForwardPassOptions options)
{
    const ModelConfig& config = options.config;
    const DeviceWeights& weights = options.weights;
    PassBuffers& buffers = options.buffers;
    TRY_ASSIGN(vk::Timestamps span, vk::Timestamps::create(context.device(), 2));
    std::unique_ptr<ForwardPass> pass(new ForwardPass(context, config, buffers, std::move(span)));
    TRY_ASSIGN(Embed embed,
        Embed::create(context,
            { .weights = weights.tokenEmbedding,
                .rows = buffers.rows,
                .y = buffers.residual,
                .scale = config.embeddingScale }));
    pass->m_embed.emplace(std::move(embed));
    if (LayerKernels::canSpreadNorms(config, weights)) {
        pass->m_stream.emplace(ResidualStream { buffers.residual, buffers.scaled, buffers.squares,
            MatmulResidual::squaresCount(buffers.residual.stride(), context.lanes()), config.rmsNormEpsilon });
        TRY_ASSIGN(ResidualStart start,
            ResidualStart::create(
                context, { .stream = *pass->m_stream, .weight = weights.layers.front().attentionNorm }));
        pass->m_residualStart.emplace(std::move(start));
    }
    pass->m_meeting = std::move(options.meeting);
    for (uint32_t layer = 0; layer < config.layerCount; ++layer) {
        TRY_ASSIGN(LayerKernels kernels,
            LayerKernels::create(context,
                { config, layer, weights, buffers, pass->m_stream ? &*pass->m_stream : nullptr, pass->m_meeting.get() }));
        pass->m_layers.push_back(std::move(kernels));
    }
    TRY(pass->createOutput(context, weights));
    for (const uint32_t tile : kTokenTiles)
        TRY(pass->recordNothing({ .rowCount = std::min(tile, buffers.options.rowCount) }));
    if (pass->m_meeting)
        TRY(pass->recordNothing({ .rowCount = 1, .whole = true }));
    return pass;
}

Result<void> ForwardPass::createOutput(KernelContext& context, const DeviceWeights& weights)
{
    if (m_stream) {
        TRY_ASSIGN(MatmulNormed output,
            MatmulNormed::create(context,
                { .weights = weights.output(),
                    .stream = *m_stream,
                    .rows = m_buffers.rows,
                    .y = m_buffers.logits,
                    .scoredOnly = true }));
        m_outputNormed.emplace(std::move(output));
        return {};
    }
    TRY_ASSIGN(RmsNorm outputNorm,
        RmsNorm::create(context,
            { .x = m_buffers.residual,
                .weight = weights.outputNorm,
                .y = m_buffers.scoredNormed,
                .epsilon = m_config.rmsNormEpsilon,
                .rows = m_buffers.rows,
                .scoredOnly = true }));
    m_outputNorm.emplace(std::move(outputNorm));
    TRY_ASSIGN(Matmul output,
        Matmul::create(
            context, { .weights = weights.output(), .x = m_buffers.scoredNormed, .y = m_buffers.logits }));
    m_output.emplace(std::move(output));
    return {};
}

/// Puts the rows of a batch where the kernels read them.
Result<ForwardPass::Shape> ForwardPass::begin(const Batch& batch)
{
    const uint32_t rowCount = uint32_t(batch.rows.size());
    if (rowCount == 0 || rowCount > m_buffers.options.rowCount
        || batch.scoredRows.size() > m_buffers.options.scoredRowCount)
        return Error::badRequest("A pass takes 1 to " + std::to_string(m_buffers.options.rowCount) + " rows and scores up to "
            + std::to_string(m_buffers.options.scoredRowCount) + ", not " + std::to_string(rowCount) + " and "
            + std::to_string(batch.scoredRows.size()) + ".");
    uint32_t lastPosition = 0;
    for (const BatchRow& row : batch.rows)
        lastPosition = std::max(lastPosition, row.position);
    if (m_trace)
        m_trace->beginPass(batch.rows);
    m_buffers.rows.setRows(batch.rows);
    m_buffers.rows.setScoredRows(batch.scoredRows);

    Shape shape;
    shape.rowCount = rowCount;
    shape.isMarked = m_trace && m_trace->wantsMarks();
    shape.splitCount = lastPosition / kSplitPositions + 1;
    return shape;
}

Result<void> ForwardPass::run(const Batch& batch, const std::function<bool()>& cancelled)
{
    TRY_ASSIGN(Shape shape, begin(batch));
    const TracedScope traced(traceLog(), shape.rowCount == 1 ? "decode step" : "prefill chunk");
    shape.whole = meetsNext();
    m_deviceMs.reset();
    TRY_ASSIGN(const bool met, runLayers(batch, shape, cancelled));
    if (met)
        return {};
    // All that the pass wrote is written again from the rows on.
    shape.whole = false;
    TRY(runLayers(batch, shape, cancelled));
    return {};
}

Result<bool> ForwardPass::runLayers(const Batch& batch, Shape shape, const std::function<bool()>& cancelled)
{
    const uint32_t rowCount = shape.rowCount;
    for (uint32_t layer = 0; layer < m_config.layerCount; layer = shape.endLayer) {
        if (cancelled && cancelled())
            return Error::cancelled("The pass was stopped between submissions.");
        shape.firstLayer = layer;
        shape.endLayer = std::min(m_config.layerCount, layer + m_size.layersFor(rowCount));
        if (shape.endLayer == m_config.layerCount)
            shape.scoredCount = uint32_t(batch.scoredRows.size());
        TRY(submit(shape));
        if (hasMissedMeeting()) {
            noteMissedMeeting();
            return false;
        }
    }
    return true;
}

bool ForwardPass::meetsNext()
{
    if (m_passesApart > 0) {
        --m_passesApart;
        return false;
    }
    if (m_meeting && m_wholeMs > 0 && m_apartMs == 0)
        return false; // one pass, to compare with
    if (m_apartMs > 0 && m_wholeMs > kBusyShare * m_apartMs) {
        m_passesApart = kPassesWhenBusy - 1;
        m_wholeMs = 0;
        return false;
    }
    if (++m_passesMet >= kPassesToTrust)
        m_nextApart = 1;
    return m_meeting != nullptr;
}

void ForwardPass::noteStep(double ms, bool whole)
{
    double& known = whole ? m_wholeMs : m_apartMs;
    known = known > 0 ? known + 0.25 * (ms - known) : ms;
}

void ForwardPass::noteMissedMeeting()
{
    m_meeting->reset();
    m_passesApart = m_nextApart;
    m_nextApart = std::min(2 * m_nextApart, kMostPassesApart);
    m_passesMet = 0;
    ++m_missedMeetings;
}

void ForwardPass::trustMeeting()
{
    m_passesApart = 0;
    m_nextApart = 1;
    m_wholeMs = m_apartMs = 0;
}

bool ForwardPass::canStepWhole(uint32_t splitCount) const
{
    return m_meeting && std::ranges::all_of(m_layers, [splitCount](const LayerKernels& layer) {
        return layer.canRunWhole(1, splitCount);
    });
}

Result<bool> ForwardPass::continueCompiling()
{
    if (m_compiling) {
        TRY_ASSIGN(const bool isDone, m_compiling->isDone());
        if (!isDone)
            return false;
        m_compiling.reset();
        ++m_compiledCount;
    }
    if (m_compiledCount == m_toCompile.size())
        return true;
    TRY_ASSIGN(m_compiling, vk::Submission::create(m_device, m_toCompile[m_compiledCount]));
    return false;
}

Result<void> ForwardPass::warmUp(const std::function<bool()>& cancelled)
{
    for (bool isDone = false; !isDone;) {
        if (cancelled && cancelled())
            return Error::cancelled("Loading was stopped.");
        if (m_compiling)
            TRY(m_compiling->waitFor(kCompilingWaitMs));
        TRY_ASSIGN(isDone, continueCompiling());
    }
    m_toCompile.clear();
    m_compiledCount = 0;
    const uint32_t firstPage = 0;
    m_buffers.rows.setTable(0, std::span(&firstPage, 1));
    TRY(checkWholeLayers(cancelled));
    m_size = SubmissionSize(); // what was measured is the first time
    m_wholeMs = m_apartMs = 0;
    return {};
}

/// Layers in one dispatch are relied on only when they give, bit for bit, what their operations one after
/// the other give.
Result<void> ForwardPass::checkWholeLayers(const std::function<bool()>& cancelled)
{
    if (!m_meeting)
        return {};
    const Batch batch { .rows = { BatchRow {} }, .scoredRows = { 0 } };
    TRY(run(batch, cancelled));
    if (m_passesApart > 0)
        return {}; // none met: that was a pass without
    const std::span<const float> scores = logits(0);
    const std::vector<float> whole(scores.begin(), scores.end());
    m_passesApart = 1;
    TRY(run(batch, cancelled));
    if (std::memcmp(whole.data(), scores.data(), scores.size_bytes()) != 0) {
        m_kept.clear();
        m_meeting.reset();
    }
    return {};
}

/// What a pass of this shape dispatches, and attention as if its context had several splits.
Result<void> ForwardPass::recordNothing(Shape shape)
{
    shape.scoredCount = std::min(shape.rowCount, m_buffers.options.scoredRowCount);
    shape.splitCount = std::min(2u, m_buffers.splitCount);
    shape.endLayer = m_config.layerCount;
    TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(m_device, "kernels with nothing to do"));
    recorder.dispatchNothing();
    recordOperations(recorder, shape, nullptr);
    TRY_ASSIGN(vk::Recording recording, recorder.finish());
    m_toCompile.push_back(std::move(recording));
    return {};
}

Result<ForwardPass::Kept> ForwardPass::record(const Shape& shape)
{
    const TracedScope traced(traceLog(), "record");
    std::unique_ptr<OperationMarks> marks;
    if (shape.isMarked) {
        TRY_ASSIGN(marks, OperationMarks::create(m_device, shape.endLayer - shape.firstLayer));
    }
    TRY_ASSIGN(vk::Recorder recorder, vk::Recorder::create(m_device, shape.rowCount == 1 ? "decode step" : "prefill chunk"));
    recorder.startTimestamps(m_span);
    if (marks)
        marks->start(recorder);
    recordOperations(recorder, shape, marks.get());
    if (shape.scoredCount > 0) {
        const uint64_t bytes = uint64_t(shape.scoredCount) * m_buffers.logits.stride() * sizeof(float);
        recorder.copy(m_buffers.logits.buffer(), m_buffers.logitsReadback, { .bytes = bytes });
        recorder.hostReadBarrier();
        mark(marks.get(), recorder, "scores_copy");
    }
    recorder.mark(m_span, "pass");
    TRY_ASSIGN(vk::Recording recording, recorder.finish());
    return Kept { shape, std::move(marks), std::move(recording) };
}

void ForwardPass::recordStep(vk::Recorder& recorder, uint32_t splitCount, bool whole)
{
    recordOperations(recorder,
        { .rowCount = 1,
            .scoredCount = 1,
            .splitCount = splitCount,
            .firstLayer = 0,
            .endLayer = m_config.layerCount,
            .whole = whole },
        nullptr);
}

void ForwardPass::recordOperations(vk::Recorder& recorder, const Shape& shape, OperationMarks* marks)
{
    if (shape.firstLayer == 0) {
        m_embed->record(recorder, shape.rowCount);
        recorder.barrier();
        mark(marks, recorder, "embed");
        if (m_residualStart) {
            m_residualStart->record(recorder, shape.rowCount);
            recorder.barrier();
            mark(marks, recorder, "residual_start");
        }
    }
    for (uint32_t layer = shape.firstLayer; layer < shape.endLayer; ++layer) {
        if (marks)
            marks->beginLayer(layer);
        const bool whole = shape.whole && m_layers[layer].canRunWhole(shape.rowCount, shape.splitCount);
        m_layers[layer].record(recorder, shape.rowCount, shape.splitCount, whole, marks);
    }
    if (shape.scoredCount > 0) {
        if (m_outputNormed) {
            m_outputNormed->record(recorder, shape.scoredCount);
        } else {
            m_outputNorm->record(recorder, shape.scoredCount);
            recorder.barrier();
            mark(marks, recorder, "output_norm");
            m_output->record(recorder, shape.scoredCount);
        }
        recorder.barrier();
        mark(marks, recorder, "output");
    }
}

Result<void> ForwardPass::submit(const Shape& shape)
{
    using Clock = std::chrono::steady_clock;
    const auto kept = std::ranges::find(m_kept, shape, &Kept::shape);
    std::optional<Kept> fresh;
    if (kept == m_kept.end()) {
        TRY_ASSIGN(Kept made, record(shape));
        fresh.emplace(std::move(made));
    }
    Kept& pass = fresh ? *fresh : *kept;
    const Clock::time_point start = Clock::now();
    TRY(m_trace ? m_trace->run(pass.recording, pass.marks.get(), shape.scoredCount)
                : vk::runAndWait(m_device, pass.recording));
    const double ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    TRY_ASSIGN(const std::vector<vk::TimedSpan> spans, m_span.read());
    for (const vk::TimedSpan& span : spans)
        m_deviceMs = m_deviceMs.value_or(0) + span.ms;
    m_size.observe(shape.rowCount, shape.endLayer - shape.firstLayer, ms);
    if (shape.rowCount == 1 && shape.firstLayer == 0 && shape.endLayer == m_config.layerCount)
        noteStep(ms, shape.whole);
    if (fresh && shape.rowCount == 1) {
        if (m_kept.size() == kMostKept)
            m_kept.erase(m_kept.begin());
        m_kept.push_back(std::move(*fresh));
    }
    return {};
}

Result<void> ForwardPass::runLayerByLayer(const Batch& batch, uint32_t layerCount,
    const std::function<Result<void>(uint32_t layer)>& afterLayer)
{
    TRY_ASSIGN(Shape shape, begin(batch));
    for (; shape.firstLayer < layerCount; ++shape.firstLayer) {
        shape.endLayer = shape.firstLayer + 1;
        if (shape.endLayer == m_config.layerCount)
            shape.scoredCount = uint32_t(batch.scoredRows.size());
        TRY(submit(shape));
        TRY(afterLayer(shape.firstLayer));
    }
    m_kept.clear(); // nobody runs these again
    m_size = SubmissionSize(); // layers on their own say little of how long a pass takes
    return {};
}

std::span<const float> ForwardPass::logits(uint32_t scoredIndex) const
{
    return m_buffers.logitsReadback.mappedAs<const float>().subspan(
        size_t(scoredIndex) * m_buffers.logits.stride(), m_config.vocabularySize);
}

} // namespace engine
