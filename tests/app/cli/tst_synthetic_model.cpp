#include "app/cli/random_weights.h"
#include "app/cli/synthetic_model.h"
#include "engine/reference/dequantize.h"
#include "engine/reference/reference_model.h"
#include "engine/session/engine.h"
#include "tests/support/reference_data.h"

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

using namespace engine;

namespace {
bool neverCancelled() { return false; }

/// The same types in the same places, small enough for the CPU reference.
app::SyntheticShape tiny(app::SyntheticShape shape)
{
    shape.layerCount = 3;
    shape.embeddingLength = 256;
    shape.feedForwardLength = 512;
    shape.headCount = 4;
    shape.kvHeadCount = 2;
    shape.headDim = 64;
    shape.vocabularySize = 300;
    shape.contextLength = 256;
    return shape;
}

void addShapeRows()
{
    QTest::addColumn<QString>("name");
    for (const app::SyntheticShape& shape : app::syntheticShapes())
        QTest::newRow(shape.name) << QString(shape.name);
}

const app::SyntheticShape& shapeOf(const QString& name)
{
    return *app::findSyntheticShape(name.toStdString());
}
}

class TestSyntheticModel : public QObject {
    Q_OBJECT
private slots:
    void tensorsAreThoseOfTheRealFile_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("fileName");
        QTest::newRow("smollm2") << "smollm2" << tests::kSmolLM2;
        QTest::newRow("gemma") << "gemma" << tests::kGemma3;
    }
    void tensorsAreThoseOfTheRealFile()
    {
        QFETCH(QString, name);
        QFETCH(QString, fileName);
        const auto path = tests::realModel(fileName.toStdString());
        if (!path)
            QSKIP(tests::kNoModel);
        const auto file = GgufFile::open(*path);
        QVERIFY(file.has_value());
        const auto tensors = app::syntheticTensors(shapeOf(name));
        QCOMPARE(tensors.size(), file->tensors().size());
        for (const TensorPlan& tensor : tensors) {
            const TensorInfo* real = file->findTensor(tensor.name);
            QVERIFY2(real, tensor.name.c_str());
            QVERIFY2(real->type == tensor.type, tensor.name.c_str());
            QVERIFY2(real->dimensions == tensor.dimensions, tensor.name.c_str());
        }
    }
    void theLargeOneHasTheSizeOfAnEightBillionModel()
    {
        uint64_t bytes = 0;
        for (const TensorPlan& tensor : app::syntheticTensors(shapeOf("8b-q4_k")))
            bytes += *tensorBytes(tensor.type, tensor.dimensions);
        QVERIFY(bytes > 4'600'000'000 && bytes < 4'800'000'000);
    }

    void weightsHaveTheSpreadThatWasAskedFor_data()
    {
        QTest::addColumn<int>("type");
        for (const TensorTypeInfo& info : tensorTypeTable())
            if (info.runnable)
                QTest::newRow(info.name) << int(info.type);
    }
    void weightsHaveTheSpreadThatWasAskedFor()
    {
        QFETCH(int, type);
        const TensorTypeInfo& info = tensorTypeInfo(TensorType(type));
        constexpr size_t kCount = 256 * 200;
        constexpr double kWished = 0.1;
        std::vector<std::byte> bytes(kCount / info.valuesPerQuantBlock * info.bytesPerQuantBlock);
        app::RandomWeights(1).fill(TensorType(type), float(kWished), bytes);
        std::vector<float> values(kCount);
        QVERIFY(dequantize(TensorType(type), bytes, values).has_value());
        double sum = 0;
        double squares = 0;
        for (const float value : values) {
            QVERIFY(std::isfinite(value));
            sum += double(value);
            squares += double(value) * double(value);
        }
        const double mean = sum / kCount;
        const double deviation = std::sqrt(squares / kCount - mean * mean);
        QVERIFY2(std::abs(mean) < 0.15 * kWished, qPrintable(QString::number(mean)));
        QVERIFY2(deviation > 0.8 * kWished && deviation < 1.4 * kWished,
            qPrintable(QString::number(deviation)));
    }

    void aDecodeStepAgreesWithTheReference_data() { addShapeRows(); }
    void aDecodeStepAgreesWithTheReference()
    {
        QFETCH(QString, name);
        const auto path = std::filesystem::path(m_folder.filePath(name + ".gguf").toStdString());
        QVERIFY(app::writeSyntheticModel(tiny(shapeOf(name)), path, neverCancelled).has_value());
        auto opened = Engine::open({ .path = path.string() }, {});
        QVERIFY2(opened.has_value(), opened ? "" : opened.error().message.c_str());
        const TokenIds ids { 33, 1, 299, 7 };
        QVERIFY((*opened)->timeline().sync(std::span(ids).first(3), {}).has_value());
        QVERIFY((*opened)->timeline().append(ids.back()).has_value());
        const std::span<const float> logits = (*opened)->timeline().logits();

        const auto file = GgufFile::open(path);
        const auto reference = ReferenceModel::create(*file);
        QVERIFY2(reference.has_value(), reference ? "" : reference.error().message.c_str());
        const auto expected = reference->forward(ids, { .firstScoredPosition = 3 });
        QVERIFY(expected.has_value());
        float largest = 0;
        float difference = 0;
        for (size_t i = 0; i < expected->columns; ++i) {
            QVERIFY(std::isfinite(logits[i]));
            largest = std::max(largest, std::abs(expected->values[i]));
            difference = std::max(difference, std::abs(expected->values[i] - logits[i]));
        }
        qInfo("largest logit %.3g, difference %.2g of it", double(largest),
            double(difference / largest));
        QVERIFY(largest > 0.1f && largest < 1000);
        // As for the fixtures: keys and values are halves on the device.
        QVERIFY(difference <= 1e-2f * largest);
    }
    void itsTextIsReadAndWritten()
    {
        const auto path = std::filesystem::path(m_folder.filePath("text.gguf").toStdString());
        QVERIFY(
            app::writeSyntheticModel(tiny(shapeOf("smollm2")), path, neverCancelled).has_value());
        const auto file = GgufFile::open(path);
        const auto tokenizer = Tokenizer::create(*file);
        QVERIFY2(tokenizer.has_value(), tokenizer ? "" : tokenizer.error().message.c_str());
        QCOMPARE((*tokenizer)->vocabulary().size(), 300);
        const std::string text = "the time\n\xC3\xBC";
        QCOMPARE((*tokenizer)->decode((*tokenizer)->encodeText(text)), text);
        QVERIFY((*tokenizer)->vocabulary().isEndToken(0));
    }

    void theFileIsRemovedWithItsOwner()
    {
        qputenv("XDG_CACHE_HOME", m_folder.filePath("cache").toUtf8());
        std::filesystem::path path;
        {
            const auto file
                = app::SyntheticModelFile::create(tiny(shapeOf("gemma")), neverCancelled);
            QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
            path = (*file)->path();
            QVERIFY(path.string().starts_with(m_folder.path().toStdString()));
            QVERIFY(std::filesystem::exists(path));
        }
        QVERIFY(!std::filesystem::exists(path));
        const auto stopped
            = app::SyntheticModelFile::create(tiny(shapeOf("gemma")), [] { return true; });
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        QVERIFY(std::filesystem::is_empty(path.parent_path()));
    }

private:
    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestSyntheticModel)
#include "tst_synthetic_model.moc"
