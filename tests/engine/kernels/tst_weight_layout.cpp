#include "engine/kernels/weight_layout.h"

#include "engine/base/half.h"
#include "engine/reference/dequantize.h"
#include "tests/engine/kernels/kernel_fixture.h"

#include <QtTest>

using namespace engine;

namespace {
/// One packed tile, and weights read out of it as the table of weight_layout.h says: written from
/// that description, not from the packer.
class PackedTile {
public:
    PackedTile(const tests::HostTensor& tensor)
        : m_shape(tensor.type, tensor.rows, tensor.columns)
    {
        std::array<std::span<std::byte>, kWeightPlaneCount> spans;
        for (size_t plane = 0; plane < kWeightPlaneCount; ++plane) {
            m_planes[plane].assign(m_shape.tileBytes(WeightPlane(plane)), std::byte(0xAB));
            spans[plane] = m_planes[plane];
        }
        const size_t rowBytes = tensor.bytes.size() / tensor.rows;
        std::vector<std::span<const std::byte>> rows;
        for (size_t row = 0; row < tensor.rows; ++row)
            rows.push_back(std::span(tensor.bytes).subspan(row * rowBytes, rowBytes));
        packTile(m_shape, rows, spans);
    }

    uint32_t paddedColumns() const { return m_shape.groups() * kGroupColumns; }

    float weight(uint32_t row, uint32_t column) const
    {
        const uint32_t chunk = column / 32;
        const uint32_t i = column % 32;
        const auto scale = [&](uint32_t unit, uint32_t word) {
            return words(WeightPlane::Scales, unit, row)[word];
        };
        const auto halfOf = [&](uint32_t word, uint32_t which) {
            return halfToFloat(uint16_t(word >> (16 * which)));
        };
        switch (m_shape.layout->type) {
        case TensorType::F32:
            return std::bit_cast<float>(words(WeightPlane::Quants, column / 4, row)[column % 4]);
        case TensorType::F16:
            return halfOf(
                words(WeightPlane::Quants, column / 8, row)[column % 8 / 2], column % 2);
        case TensorType::BF16:
            return bfloat16ToFloat(uint16_t(
                words(WeightPlane::Quants, column / 8, row)[column % 8 / 2] >> (16 * (column % 2))));
        case TensorType::Q8_0: {
            const uint32_t word
                = words(WeightPlane::Quants, chunk * 2 + i / 16, row)[i % 16 / 4];
            return halfOf(scale(chunk / 2, 0), chunk % 2) * float(int8_t(word >> (8 * (i % 4))));
        }
        case TensorType::Q4_0:
            return halfOf(scale(chunk / 2, 0), chunk % 2) * float(int(nibble(chunk, i, row)) - 8);
        case TensorType::Q4_1: {
            const uint32_t word = scale(chunk / 2, chunk % 2);
            return halfOf(word, 0) * float(nibble(chunk, i, row)) + halfOf(word, 1);
        }
        case TensorType::Q5_0: {
            const uint32_t five = nibble(chunk, i, row) | fifthBit(chunk, i, row) << 4;
            return halfOf(scale(chunk / 2, 0), chunk % 2) * float(int(five) - 16);
        }
        case TensorType::Q4_K:
        case TensorType::Q5_K: {
            const uint32_t j = chunk % 8;
            const uint32_t high = scale(chunk / 8, 3);
            const uint32_t six = (scale(chunk / 8, 1) >> (4 * j) & 15u)
                | (high >> (2 * j) & 3u) << 4;
            const uint32_t least = (scale(chunk / 8, 2) >> (4 * j) & 15u)
                | (high >> (16 + 2 * j) & 3u) << 4;
            const uint32_t both = scale(chunk / 8, 0);
            uint32_t quant = nibble(chunk, i, row);
            if (m_shape.layout->type == TensorType::Q5_K)
                quant |= fifthBit(chunk, i, row) << 4;
            return halfOf(both, 0) * float(six) * float(quant) - halfOf(both, 1) * float(least);
        }
        default: { // Q6_K
            const uint32_t part = chunk % 8 * 2 + i / 16;
            const int8_t six = int8_t(scale(chunk / 8, part / 4) >> (8 * (part % 4)));
            const float d = std::bit_cast<float>(words(WeightPlane::SuperScales, chunk / 8, row)[0]);
            const uint32_t pair
                = words(WeightPlane::HighBits, chunk / 2, row)[chunk % 2 * 2 + i / 16]
                    >> (2 * (i % 16))
                & 3u;
            return d * float(six) * float(int(nibble(chunk, i, row) | pair << 4) - 32);
        }
        }
    }

private:
    std::array<uint32_t, 4> words(WeightPlane plane, uint32_t unit, uint32_t row) const
    {
        const size_t size = vk::texelBytes(m_shape.layout->planes[size_t(plane)].format);
        std::array<uint32_t, 4> result {};
        std::memcpy(
            result.data(), m_planes[size_t(plane)].data() + (unit * kTileRows + row) * size, size);
        return result;
    }
    uint32_t nibble(uint32_t chunk, uint32_t i, uint32_t row) const
    {
        return words(WeightPlane::Quants, chunk, row)[i / 8] >> (4 * (i % 8)) & 15u;
    }
    uint32_t fifthBit(uint32_t chunk, uint32_t i, uint32_t row) const
    {
        return words(WeightPlane::HighBits, chunk / 2, row)[chunk % 2] >> i & 1u;
    }

    PackedShape m_shape;
    std::array<std::vector<std::byte>, kWeightPlaneCount> m_planes;
};
}

class TestWeightLayout : public QObject {
    Q_OBJECT
private slots:
    void everyRunnableTypeHasALayoutAndNoOther()
    {
        for (const TensorTypeInfo& info : tensorTypeTable()) {
            const WeightLayout* layout = findWeightLayout(info.type);
            QVERIFY2((layout != nullptr) == info.runnable, info.name);
            if (layout)
                QCOMPARE(QString(layout->suffix), QString(info.name).toLower());
        }
    }

    void packedWeightsAreThoseOfTheFileBitForBit_data() { tests::addWeightTypeRows(); }
    void packedWeightsAreThoseOfTheFileBitForBit()
    {
        QFETCH(int, type);
        const uint32_t quantBlock = tensorTypeInfo(TensorType(type)).valuesPerQuantBlock;
        std::mt19937 random { uint32_t(type) + 1 };
        // A full tile, a partial one, and columns that fill no whole group of 64.
        for (const uint32_t rows : { 64u, 37u, 1u })
            for (const uint32_t blocks : { 1u, 2u, 3u }) {
                const uint32_t columns = quantBlock == 1 ? blocks * 30 : blocks * quantBlock;
                const auto tensor
                    = tests::HostTensor::random(TensorType(type), rows, columns, random);
                const PackedTile tile(tensor);
                std::vector<float> expected(columns);
                for (uint32_t row = 0; row < rows; ++row) {
                    tensor.weight().readRow(row, expected);
                    for (uint32_t column = 0; column < columns; ++column) {
                        const float got = tile.weight(row, column);
                        QVERIFY2(got == expected[column],
                            qPrintable(QString("%1 columns, row %2, column %3: %4 instead of %5")
                                           .arg(columns)
                                           .arg(row)
                                           .arg(column)
                                           .arg(double(got))
                                           .arg(double(expected[column]))));
                    }
                }
            }
    }

    void whatIsNotInTheFileIsZero_data() { tests::addWeightTypeRows(); }
    void whatIsNotInTheFileIsZero()
    {
        QFETCH(int, type);
        const uint32_t quantBlock = tensorTypeInfo(TensorType(type)).valuesPerQuantBlock;
        const uint32_t columns = quantBlock == 1 ? 70 : quantBlock * 3;
        std::mt19937 random { uint32_t(type) + 50 };
        const auto tensor = tests::HostTensor::random(TensorType(type), 5, columns, random);
        const PackedTile tile(tensor);
        for (uint32_t row = 0; row < kTileRows; ++row)
            for (uint32_t column = row < 5 ? columns : 0; column < tile.paddedColumns(); ++column)
                QVERIFY2(tile.weight(row, column) == 0.0f,
                    qPrintable(QString("row %1, column %2").arg(row).arg(column)));
    }
};

QTEST_APPLESS_MAIN(TestWeightLayout)
#include "tst_weight_layout.moc"
