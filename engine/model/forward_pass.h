#pragma once

#include "engine/kernels/embed.h"
#include "engine/kernels/kernel_context.h"
#include "engine/model/layer_kernels.h"
#include "engine/model/pass_buffers.h"
#include "engine/model/pass_trace.h"
#include "engine/model/submission_size.h"
#include "engine/vulkan/submission.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace engine {

/// The rows of one pass, from any number of sequences, and which of them are to be scored. Rows of
/// one sequence are in ascending order of position; their pages are set and have room.
struct Batch {
    std::vector<BatchRow> rows; ///< at least 1
    std::vector<uint32_t> scoredRows; ///< indices into rows; may be empty
};

struct ForwardPassOptions {
    const ModelConfig& config;
    const DeviceWeights& weights; ///< may be filled later
    PassBuffers& buffers;
    std::unique_ptr<Meeting> meeting; ///< null: each operation is a dispatch of its own
};

/// One forward pass over a batch of rows: prefill chunks, decode steps and several sequences side
/// by side are the same call, and the results of a row do not depend on the others. Inference thread.
/// Errors: DeviceLost, OutOfMemory; Cancelled when asked to between submissions.
class ForwardPass {
public:
    /// Submits nothing and looks at no contents: any thread, alone with the context.
    static Result<std::unique_ptr<ForwardPass>> create(KernelContext& context, ForwardPassOptions options);

    Result<void> run(const Batch& batch, const std::function<bool()>& cancelled);
    /// How long the device computed the last run, its submissions added up; none without time marks.
    std::optional<double> deviceMs() const { return m_deviceMs; }

    /// Submits every kernel with nothing to do, some at a time, so that a driver that compiles at first use does it
    /// now and not while a person waits for a first word. Needs no weights yet; never waits. True: all are done.
    Result<bool> continueCompiling();
    /// The rest of that, and a pass on a made-up token in a page that nobody holds yet, which compares layers in one
    /// dispatch with their operations.
    Result<void> warmUp(const std::function<bool()>& cancelled);
    /// As run, but only the first layers, in one submission each, with a look at what each leaves in
    /// the buffers; scores only after the last one of the model. For the self-test.
    Result<void> runLayerByLayer(const Batch& batch, uint32_t layerCount,
        const std::function<Result<void>(uint32_t layer)>& afterLayer);

    /// Records a pass of the first row that stands in the buffers, scores included, for one who
    /// submits it again and again. splitCount: of the largest position it is used for, or more.
    /// whole: layers in one dispatch each, which canStepWhole must allow.
    void recordStep(vk::Recorder& recorder, uint32_t splitCount, bool whole);
    /// Whether workgroups meet on this device, and every layer can then be one dispatch for a row with so
    /// many splits.
    bool canStepWhole(uint32_t splitCount) const;
    /// Whether the next pass is to rely on meetings; not for a while after a missed one, or where they
    /// took longer than single operations do: waiting workgroups lose most when a machine is busy.
    bool meetsNext();
    /// How long a pass over one row took.
    void noteStep(double ms, bool whole);
    /// Whether a workgroup waited in vain in what was submitted since the last noteMissedMeeting: what it
    /// wrote is worth nothing, and must be computed again once all that is in flight has ended.
    bool hasMissedMeeting() const { return m_meeting && m_meeting->hasFailed(); }
    void noteMissedMeeting();
    /// Forgets what was missed and measured: the next pass over one row meets.
    void trustMeeting();
    const Meeting* meeting() const { return m_meeting.get(); } ///< null where there is none

    /// Measures the passes from now on; null: no longer. The trace must outlive that.
    void setTrace(PassTrace* trace) { m_trace = trace; }
    bool isTraced() const { return m_trace != nullptr; }

    /// Passes that were run again because workgroups waited in vain for each other.
    uint32_t missedMeetings() const { return m_missedMeetings; }

    /// Scores of the i-th scored row of the last run, [vocabularySize] f32.
    std::span<const float> logits(uint32_t scoredIndex) const;

private:
    /// What a recording depends on besides the buffers' contents.
    struct Shape {
        uint32_t rowCount = 0;
        uint32_t scoredCount = 0;
        uint32_t splitCount = 0;
        uint32_t firstLayer = 0;
        uint32_t endLayer = 0;
        bool isMarked = false;
        bool whole = false; ///< layers in one dispatch each, where they can

        bool operator==(const Shape&) const = default;
    };
    struct Kept {
        Shape shape;
        std::unique_ptr<OperationMarks> marks; ///< null: not marked
        vk::Recording recording;
    };

    ForwardPass(KernelContext& context, const ModelConfig& config, PassBuffers& buffers, vk::Timestamps span)
        : m_device(context.device())
        , m_config(config)
        , m_buffers(buffers)
        , m_span(std::move(span))
    {
    }
    Result<void> createOutput(KernelContext& context, const DeviceWeights& weights);
    Result<Shape> begin(const Batch& batch);
    /// Whether the pass came to its end; false when workgroups waited in vain for each other.
    Result<bool> runLayers(const Batch& batch, Shape shape, const std::function<bool()>& cancelled);
    Result<void> checkWholeLayers(const std::function<bool()>& cancelled);
    Result<Kept> record(const Shape& shape);
    Result<void> recordNothing(Shape shape);
    void recordOperations(vk::Recorder& recorder, const Shape& shape, OperationMarks* marks);
    Result<void> submit(const Shape& shape);
    TraceLog* traceLog() { return m_trace ? &m_trace->log() : nullptr; }

    vk::Device& m_device;
    const ModelConfig& m_config;
    PassBuffers& m_buffers;
    std::optional<Embed> m_embed;
    std::optional<ResidualStream> m_stream; ///< where norms are spread
    std::optional<ResidualStart> m_residualStart;
    std::vector<LayerKernels> m_layers;
    std::optional<MatmulNormed> m_outputNormed; ///< where norms are spread, else the next two
    std::optional<RmsNorm> m_outputNorm;
    std::optional<Matmul> m_output;
    SubmissionSize m_size;
    std::unique_ptr<Meeting> m_meeting; ///< null: each operation is a dispatch of its own
    uint32_t m_missedMeetings = 0;
    uint32_t m_passesApart = 0; ///< to come before the next try to meet
    uint32_t m_nextApart = 1; ///< passes apart after the next miss
    uint32_t m_passesMet = 0; ///< since the last miss
    double m_wholeMs = 0; ///< of a pass over one row, lately; 0: not known
    double m_apartMs = 0;
    PassTrace* m_trace = nullptr;
    vk::Timestamps m_span; ///< start and end of the submission under way: there is one at a time
    std::optional<double> m_deviceMs;
    std::vector<vk::Recording> m_toCompile; ///< of all kernels, with nothing to do
    size_t m_compiledCount = 0;
    std::optional<vk::Submission> m_compiling; ///< of m_toCompile[m_compiledCount]
    std::vector<Kept> m_kept; ///< recordings of decode steps, used again while their shape fits
};

} // namespace engine
