#include "engine/reference/dequantize.h"

#include "engine/base/half.h"

#include <QtTest>
#include <cstring>
#include <random>

using namespace engine;

namespace {
/// A quantBlock of one byte everywhere, with the halves at these offsets set to a scale.
std::vector<std::byte> quantBlock(
    TensorType type, uint8_t fill, const std::vector<std::pair<size_t, float>>& halves)
{
    std::vector<std::byte> bytes(tensorTypeInfo(type).bytesPerQuantBlock, std::byte(fill));
    for (const auto& [offset, value] : halves) {
        const uint16_t half = floatToHalf(value);
        std::memcpy(bytes.data() + offset, &half, sizeof half);
    }
    return bytes;
}

std::vector<float> valuesOf(TensorType type, const std::vector<std::byte>& bytes)
{
    const TensorTypeInfo& info = tensorTypeInfo(type);
    std::vector<float> values(bytes.size() / info.bytesPerQuantBlock * info.valuesPerQuantBlock);
    if (!dequantize(type, bytes, values))
        return {};
    return values;
}
}

class TestDequantize : public QObject {
    Q_OBJECT
private slots:
    void everyRunnableTypeHasAFunction()
    {
        for (const TensorTypeInfo& info : tensorTypeTable()) {
            const std::vector<std::byte> bytes(info.bytesPerQuantBlock);
            std::vector<float> values(info.valuesPerQuantBlock);
            QCOMPARE(bool(dequantize(info.type, bytes, values)), info.runnable);
        }
    }
    void sizesThatDoNotBelongTogetherAreRefused()
    {
        std::vector<float> values(32);
        QVERIFY(!dequantize(TensorType::Q4_0, std::vector<std::byte>(17), values));
        QVERIFY(!dequantize(TensorType::Q4_0, std::vector<std::byte>(36), values));
    }
    void nibblesFillTheHalvesOfTheBlock()
    {
        const auto q4_0
            = valuesOf(TensorType::Q4_0, quantBlock(TensorType::Q4_0, 0x9A, { { 0, 2.0f } }));
        QCOMPARE(q4_0[0], 4.0f); // (10 - 8) * 2
        QCOMPARE(q4_0[31], 2.0f); // (9 - 8) * 2
        const auto q4_1 = valuesOf(
            TensorType::Q4_1, quantBlock(TensorType::Q4_1, 0x9A, { { 0, 2.0f }, { 2, 0.5f } }));
        QCOMPARE(q4_1[15], 20.5f);
        QCOMPARE(q4_1[16], 18.5f);
    }
    void fifthBitsBelongToTheirValue()
    {
        auto bytes = quantBlock(TensorType::Q5_0, 0x00, { { 0, 1.0f } });
        bytes[2] = std::byte(0x01); // value 0
        bytes[5] = std::byte(0x80); // value 31
        const auto values = valuesOf(TensorType::Q5_0, bytes);
        for (int i = 0; i < 32; ++i)
            QCOMPARE(values[size_t(i)], i == 0 || i == 31 ? 0.0f : -16.0f);
    }
    void groupsOfQ4KUnpackTheirSixBits()
    {
        // Group 5: scale 0b10'0011 = 35 and minimum 0b01'0111 = 23.
        auto bytes = quantBlock(TensorType::Q4_K, 0x00, { { 0, 1.0f }, { 2, 1.0f } });
        bytes[4 + 9] = std::byte(0x73); // low four bits of both
        bytes[4 + 1] = std::byte(0x80); // high two bits of the scale
        bytes[4 + 5] = std::byte(0x40); // high two bits of the minimum
        bytes[16 + 64 + 7] = std::byte(0xF0); // value 7 of group 5 is 15
        const auto values = valuesOf(TensorType::Q4_K, bytes);
        QCOMPARE(values[5 * 32 + 7], 35.0f * 15 - 23);
        QCOMPARE(values[5 * 32 + 8], -23.0f);
        QCOMPARE(values[4 * 32 + 7], 0.0f);
    }
    void fifthBitsOfQ5KBelongToTheirGroup()
    {
        auto bytes = quantBlock(TensorType::Q5_K, 0x00, { { 0, 0.5f }, { 2, 0.0f } });
        bytes[4 + 3] = std::byte(2); // scale of group 3
        bytes[16 + 11] = std::byte(1 << 3);
        bytes[48 + 32 + 11] = std::byte(0x70);
        const auto values = valuesOf(TensorType::Q5_K, bytes);
        QCOMPARE(values[3 * 32 + 11], 0.5f * 2 * (16 + 7));
        QCOMPARE(values[3 * 32 + 12], 0.0f);
    }
    void quartersOfQ6KTakeTheirBits()
    {
        auto bytes = quantBlock(TensorType::Q6_K, 0x00, { { 208, 1.0f } });
        bytes[192 + 8 + 2 * 3 + 1] = std::byte(0xFE); // second half, quarter 3, upper 16 values: -2
        bytes[64 + 32 + 20] = std::byte(0x50); // low bits 5 in the high nibble
        bytes[128 + 32 + 20] = std::byte(2 << 6);
        const auto values = valuesOf(TensorType::Q6_K, bytes);
        QCOMPARE(values[128 + 96 + 20], -2.0f * ((2 << 4 | 5) - 32));
        QCOMPARE(values[128 + 96 + 21], -2.0f * -32);
        QCOMPARE(values[0], 0.0f);
    }
    void anyBytesAreReadWithoutFault()
    {
        std::mt19937 random(7);
        for (const TensorTypeInfo& info : tensorTypeTable()) {
            if (!info.runnable)
                continue;
            std::vector<std::byte> bytes(size_t(info.bytesPerQuantBlock) * 64);
            for (std::byte& byte : bytes)
                byte = std::byte(random());
            QCOMPARE(valuesOf(info.type, bytes).size(), size_t(info.valuesPerQuantBlock) * 64);
        }
    }
};

QTEST_APPLESS_MAIN(TestDequantize)
#include "tst_dequantize.moc"
