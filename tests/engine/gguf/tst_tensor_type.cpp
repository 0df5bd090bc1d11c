#include "engine/gguf/tensor_type.h"

#include <QtTest>
#include <set>

using namespace engine;

class TestTensorType : public QObject {
    Q_OBJECT
private slots:
    void everyRowIsFoundByItsNumberAndOnlyOnce()
    {
        std::set<uint32_t> numbers;
        std::set<std::string> names;
        for (const TensorTypeInfo& info : tensorTypeTable()) {
            QVERIFY(numbers.insert(uint32_t(info.type)).second);
            QVERIFY(names.insert(info.name).second);
            QCOMPARE(findTensorType(uint32_t(info.type)), &info);
            QVERIFY(info.valuesPerQuantBlock >= 1 && info.bytesPerQuantBlock >= 1);
        }
        QCOMPARE(findTensorType(4), nullptr); // withdrawn from the format
        QCOMPARE(findTensorType(255), nullptr);
    }
    void theRunnableTypesAreTheOnesPromised()
    {
        std::set<std::string> runnable;
        for (const TensorTypeInfo& info : tensorTypeTable())
            if (info.runnable)
                runnable.insert(info.name);
        const std::set<std::string> promised { "F32", "F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q8_0",
            "Q4_K", "Q5_K", "Q6_K" };
        QVERIFY(runnable == promised);
    }
    void bytesFollowTheQuantBlock()
    {
        const uint64_t dimensions[] = { 512, 3, 2 };
        QCOMPARE(tensorBytes(TensorType::F32, dimensions).value(), uint64_t(512 * 6 * 4));
        QCOMPARE(tensorBytes(TensorType::Q4_K, dimensions).value(), uint64_t(2 * 144 * 6));
        QCOMPARE(tensorBytes(TensorType::Q8_0, dimensions).value(), uint64_t(16 * 34 * 6));
    }
    void aRowThatIsNoWholeNumberOfQuantBlocksIsRefused()
    {
        const uint64_t dimensions[] = { 33, 4 };
        const auto bytes = tensorBytes(TensorType::Q4_0, dimensions);
        QVERIFY(!bytes);
        QVERIFY(bytes.error().message.find("Q4_0") != std::string::npos);
    }
    void dimensionsThatPass64BitsAreRefused()
    {
        const uint64_t dimensions[] = { 1ull << 31, 1ull << 31, 1ull << 31, 1 };
        QVERIFY(!tensorBytes(TensorType::F32, dimensions));
    }
};

QTEST_APPLESS_MAIN(TestTensorType)
#include "tst_tensor_type.moc"
