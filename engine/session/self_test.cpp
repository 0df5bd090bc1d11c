#include "engine/session/self_test.h"

#include "engine/model/rope_frequencies.h"
#include "engine/reference/dequantize.h"
#include "engine/reference/operations.h"
#include "engine/reference/reference_layer.h"
#include "engine/vulkan/transfer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <set>

namespace engine {

namespace {
    /// Of the root mean square of what a layer changes. Keys and values are halves on the device,
    /// which moved fixtures and real models by up to 7e-3; a wrong operation moves by 1 and more.
    constexpr double kTolerance = 0.03;
    constexpr uint32_t kRowCount = 7; // a step, a chunk of a tile of tokens and one more, a step
    constexpr uint32_t kSampledScores = 64;

    double rootMeanSquare(std::span<const float> values)
    {
        double squares = 0;
        for (const float value : values)
            squares += double(value) * value;
        return std::sqrt(squares / double(values.size()));
    }

    /// Share of the allowed difference that a is from b; infinite when a has what is not a number.
    double shareOf(std::span<const float> a, std::span<const float> b, double scale)
    {
        double largest = 0;
        for (size_t i = 0; i < a.size(); ++i) {
            const double difference = std::abs(double(a[i]) - b[i]);
            if (!(difference < std::numeric_limits<double>::infinity()))
                return std::numeric_limits<double>::infinity();
            largest = std::max(largest, difference);
        }
        return largest / (kTolerance * std::max(scale, 1e-9));
    }

    /// Layers, from the first on, that have a tensor type in a role, or a kind of attention, that no
    /// earlier one has.
    std::set<uint32_t> coveringLayers(const ModelConfig& config, const ModelTensors& tensors)
    {
        std::set<uint32_t> layers;
        std::set<std::pair<int, TensorType>> seen;
        std::set<bool> seenLocal;
        for (uint32_t index = 0; index < config.layerCount; ++index) {
            const LayerTensors& layer = tensors.layers[index];
            bool isNew = seenLocal.insert(config.isLocalLayer(index)).second;
            int role = 0;
            for (const TensorInfo* tensor : { layer.query, layer.key, layer.value,
                     layer.attentionOutput, layer.gate, layer.up, layer.down })
                isNew = seen.insert({ role++, tensor->type }).second || isNew;
            if (isNew)
                layers.insert(index);
        }
        return layers;
    }

    Result<std::vector<float>> readRow(const GgufFile& file, const TensorInfo& tensor, uint64_t row)
    {
        std::vector<std::byte> bytes(tensor.bytes / tensor.rows());
        TRY(file.read(tensor.fileOffset + row * bytes.size(), bytes));
        std::vector<float> values(tensor.columns());
        TRY(dequantize(tensor.type, bytes, values));
        return values;
    }

    class SelfTest {
    public:
        SelfTest(DeviceModel& model, const GgufFile& file, const ModelTensors& tensors,
            std::vector<float> ropeFactors)
            : m_model(model)
            , m_file(file)
            , m_tensors(tensors)
            , m_ropeFactors(std::move(ropeFactors))
            , m_covering(coveringLayers(model.config(), tensors))
        {
        }

        Result<SelfTestReport> run(const std::function<bool()>& cancelled)
        {
            const ModelConfig& config = m_model.config();
            const uint32_t rowCount = std::min(kRowCount, m_model.contextLength());
            for (uint32_t i = 0; i < rowCount; ++i)
                m_tokens.push_back(TokenId(uint64_t(i + 1) * config.vocabularySize / (rowCount + 1)));
            const std::array<uint32_t, 1> firstPage { 0 };
            m_model.buffers().rows.setTable(0, firstPage);
            // One whole decode step, for the scores; then no more layers than are compared.
            const uint32_t comparedLayers = *m_covering.rbegin() + 1;
            TRY(runRows(0, 1, config.layerCount, cancelled));
            const std::span<const float> scores = m_model.forward().logits(0);
            m_scores.assign(scores.begin(), scores.end());
            if (rowCount > 2)
                TRY(runRows(1, rowCount - 2, comparedLayers, cancelled));
            if (rowCount > 1)
                TRY(runRows(rowCount - 1, 1, comparedLayers, cancelled));
            TRY(compareLayers());
            TRY(compareScores());
            m_report.layerCount = uint32_t(m_covering.size());
            return m_report;
        }

    private:
        /// Runs these rows and keeps what the device makes of them at the covering layers.
        Result<void> runRows(uint32_t firstRow, uint32_t count, uint32_t layerCount,
            const std::function<bool()>& cancelled)
        {
            Batch batch;
            for (uint32_t i = 0; i < count; ++i)
                batch.rows.push_back({ m_tokens[firstRow + i], firstRow + i, 0 });
            batch.scoredRows = { count - 1 };
            const auto look = [&](uint32_t layer) -> Result<void> {
                if (cancelled && cancelled())
                    return Error::cancelled("Loading was stopped.");
                const bool isLast = layer + 1 == m_model.config().layerCount;
                if (!m_covering.contains(layer) && !m_covering.contains(layer + 1) && !isLast)
                    return {};
                TRY_ASSIGN(const Matrix stream, residual(count));
                keep(m_after[layer], stream, firstRow);
                return {};
            };
            return m_model.forward().runLayerByLayer(batch, layerCount, look);
        }

        void keep(Matrix& all, const Matrix& rows, uint32_t firstRow)
        {
            if (all.rows == 0)
                all = Matrix(m_tokens.size(), rows.columns);
            std::ranges::copy(
                rows.values, all.values.begin() + ptrdiff_t(firstRow * rows.columns));
        }

        Result<Matrix> residual(uint32_t count)
        {
            const Activations& stream = m_model.buffers().residual;
            const uint64_t rowBytes = uint64_t(stream.stride()) * sizeof(float);
            TRY_ASSIGN(const std::vector<std::byte> bytes,
                vk::readBuffer(m_model.device(), stream.buffer(), 0, count * rowBytes));
            Matrix rows(count, stream.columns());
            for (uint32_t row = 0; row < count; ++row)
                std::memcpy(rows.row(row).data(), bytes.data() + row * rowBytes,
                    rows.columns * sizeof(float));
            return rows;
        }

        Result<Matrix> embeddings() const
        {
            Matrix x(m_tokens.size(), m_model.config().embeddingLength);
            for (size_t row = 0; row < x.rows; ++row) {
                TRY_ASSIGN(const std::vector<float> values,
                    readRow(m_file, *m_tensors.tokenEmbedding, uint64_t(m_tokens[row])));
                for (size_t i = 0; i < x.columns; ++i)
                    x.row(row)[i] = values[i] * m_model.config().embeddingScale;
            }
            return x;
        }

        Result<void> compareLayers()
        {
            for (const uint32_t index : m_covering) {
                TRY_ASSIGN(const ReferenceLayer layer,
                    ReferenceLayer::create(m_file, m_tensors.layers[index]));
                Matrix before;
                if (index == 0) {
                    TRY_ASSIGN(before, embeddings());
                } else {
                    before = m_after[index - 1];
                }
                Matrix expected = before;
                layer.apply(expected, { m_model.config(), index, m_ropeFactors });
                Matrix change = expected;
                for (size_t i = 0; i < change.values.size(); ++i)
                    change.values[i] -= before.values[i];
                for (size_t row = 0; row < expected.rows; ++row)
                    TRY(judge(shareOf(m_after[index].row(row), expected.row(row),
                                  rootMeanSquare(change.row(row))),
                        "layer " + std::to_string(index) + " (" + typesOf(m_tensors.layers[index])
                            + ") in " + passOf(row)));
            }
            return {};
        }

        /// A sample of the first decode step's scores.
        Result<void> compareScores()
        {
            const ModelConfig& config = m_model.config();
            const std::span<const float> stream = m_after[config.layerCount - 1].row(0);
            std::vector<float> normed(stream.begin(), stream.end());
            TRY_ASSIGN(const std::vector<float> norm, readVector(m_file, *m_tensors.outputNorm));
            rmsNorm(normed, norm, config.rmsNormEpsilon);
            std::vector<float> expected;
            std::vector<float> scores;
            const uint32_t count = std::min(kSampledScores, config.vocabularySize);
            for (uint32_t i = 0; i < count; ++i) {
                const uint64_t row = uint64_t(i) * config.vocabularySize / count;
                TRY_ASSIGN(
                    const std::vector<float> weights, readRow(m_file, *m_tensors.output, row));
                double sum = 0;
                for (size_t k = 0; k < weights.size(); ++k)
                    sum += double(weights[k]) * normed[k];
                expected.push_back(float(sum));
                scores.push_back(m_scores[row]);
            }
            return judge(shareOf(scores, expected, rootMeanSquare(expected)),
                std::string("the scores (") + tensorTypeInfo(m_tensors.output->type).name + ") of "
                    + passOf(0));
        }

        std::string passOf(size_t row) const
        {
            return row == 0 || row + 1 == m_tokens.size() ? "a decode step" : "prefill";
        }

        /// "Q4_K, Q6_K"
        static std::string typesOf(const LayerTensors& layer)
        {
            std::set<TensorType> types;
            for (const TensorInfo* tensor : { layer.query, layer.key, layer.value,
                     layer.attentionOutput, layer.gate, layer.up, layer.down })
                types.insert(tensor->type);
            std::string words;
            for (const TensorType type : types)
                words += (words.empty() ? "" : ", ") + std::string(tensorTypeInfo(type).name);
            return words;
        }

        Result<void> judge(double share, const std::string& what)
        {
            m_report.largestShare = std::max(m_report.largestShare, share);
            if (share <= 1)
                return {};
            const std::string much = share < 1e6
                ? std::to_string(uint64_t(std::ceil(share))) + " times what rounding explains"
                : "beyond measure";
            return Error::unsupported("The self-test of " + m_file.path().string() + " failed: "
                + what + " on " + m_model.device().description().name + " ("
                + m_model.device().description().driver + ") differs from the right values, "
                + much
                + ". Answers would be garbage, so the model is not opened. Choose another device, "
                  "update its driver, or fetch the file again.");
        }

        DeviceModel& m_model;
        const GgufFile& m_file;
        const ModelTensors& m_tensors;
        std::vector<float> m_ropeFactors;
        std::set<uint32_t> m_covering;
        TokenIds m_tokens;
        std::vector<float> m_scores; ///< of the first row: later ones may be scored over them
        std::map<uint32_t, Matrix> m_after; ///< residual stream of all rows after these layers
        SelfTestReport m_report;
    };
}

Result<SelfTestReport> runSelfTest(
    DeviceModel& model, const GgufFile& file, const std::function<bool()>& cancelled)
{
    TRY_ASSIGN(const ModelTensors tensors, ModelTensors::create(file, model.config()));
    TRY_ASSIGN(std::vector<float> ropeFactors, readRopeFactors(file, model.config()));
    return SelfTest(model, file, tensors, std::move(ropeFactors)).run(cancelled);
}

} // namespace engine
