#include "engine/model/model_tensors.h"

#include "tests/support/reference_data.h"
#include "tests/support/tiny_llama.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>
#include <random>

using namespace engine;
using tests::GgufWriter;

class TestModelTensors : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<ModelTensors> tensorsIn(const std::filesystem::path& path) const
    {
        TRY_ASSIGN(const GgufFile file, GgufFile::open(path));
        TRY_ASSIGN(const ModelConfig config, ModelConfig::create(file));
        return ModelTensors::create(file, config);
    }

    Result<ModelTensors> tensorsOf(const GgufWriter& writer) const
    {
        const std::filesystem::path path = (m_folder.path() + "/model.gguf").toStdString();
        writer.save(path);
        return tensorsIn(path);
    }

    std::string whyNotRefused(const GgufWriter& writer, const std::string& text) const
    {
        const auto tensors = tensorsOf(writer);
        if (tensors)
            return "accepted";
        return tensors.error().message.find(text) != std::string::npos ? ""
                                                                       : tensors.error().message;
    }

private slots:
    void aWholeModelIsFound()
    {
        GgufWriter writer = tests::tinyLlamaKeys();
        tests::addTinyLlamaTensors(writer);
        const auto tensors = tensorsOf(writer);
        QVERIFY2(tensors, tensors ? "" : tensors.error().message.c_str());
        QCOMPARE(tensors->output, tensors->tokenEmbedding);
        QCOMPARE(tensors->layers.size(), size_t(1));
        QCOMPARE(tensors->layers[0].queryBias, nullptr);
    }
    void aMissingTensorIsNamed()
    {
        GgufWriter writer = tests::tinyLlamaKeys({ "llama.block_count" });
        writer.u32("llama.block_count", 2);
        tests::addTinyLlamaTensors(writer); // of one layer
        QCOMPARE(whyNotRefused(writer, "\"blk.1.attn_norm.weight\" is missing"), std::string());
    }
    void aWrongShapeIsNamedWithBothShapes()
    {
        GgufWriter writer = tests::tinyLlamaKeys({ "llama.feed_forward_length" });
        writer.u32("llama.feed_forward_length", 32);
        tests::addTinyLlamaTensors(writer);
        QCOMPARE(whyNotRefused(writer,
                     "\"blk.0.ffn_gate.weight\" has the shape [32, 64]; [32, 32] is expected"),
            std::string());
    }
    void aTensorThatNobodyReadsIsRefused()
    {
        GgufWriter writer = tests::tinyLlamaKeys();
        tests::addTinyLlamaTensors(writer);
        writer.f32Tensor("blk.0.attn_sinks.weight", { 4 });
        QCOMPARE(whyNotRefused(writer, "\"blk.0.attn_sinks.weight\""), std::string());
    }
    void g30ATypeThatCannotRunIsNamedWithItsTensor()
    {
        GgufWriter writer = tests::tinyLlamaKeys();
        tests::addTinyLlamaTensors(writer);
        writer.tensor({ .name = "output.weight",
            .dimensions = { 32, 8 },
            .type = uint32_t(TensorType::IQ4_NL),
            .bytes = std::string(8 * 18, '\0') });
        QCOMPARE(whyNotRefused(writer, "\"output.weight\" is of type IQ4_NL"), std::string());
    }
    void fixturesAreAcceptedOrRefusedByTheirType()
    {
        const auto reference = tests::referenceFolder();
        if (!reference)
            QSKIP(tests::kNoReference);
        for (const char* name :
            { "llama", "llama-linear", "llama-spm", "llama31", "qwen2", "qwen3", "gemma3" }) {
            const auto tensors
                = tensorsIn(*reference / "models" / (std::string("arch-") + name + ".gguf"));
            QVERIFY2(tensors, tensors ? "" : tensors.error().message.c_str());
        }
        for (const char* name :
            { "f32", "f16", "bf16", "q4_0", "q4_1", "q5_0", "q4_k", "q5_k", "q6_k" }) {
            const auto tensors
                = tensorsIn(*reference / "models" / (std::string("type-") + name + ".gguf"));
            QVERIFY2(tensors, tensors ? "" : tensors.error().message.c_str());
        }
        for (const char* name : { "iq4_nl", "iq4_xs", "q2_k", "q3_k", "q5_1" }) {
            const auto tensors
                = tensorsIn(*reference / "models" / (std::string("type-") + name + ".gguf"));
            QVERIFY2(!tensors, name);
            const std::string upper = QString(name).toUpper().toStdString();
            QVERIFY2(tensors.error().message.find(upper) != std::string::npos,
                tensors.error().message.c_str());
        }
    }
    void damagedHeadersNeverCrash()
    {
        const auto model = tests::tinyModel("type-q4_0");
        if (!model)
            QSKIP(tests::kNoReference);
        std::string whole(std::filesystem::file_size(*model), '\0');
        std::ifstream(*model, std::ios::binary).read(whole.data(), std::streamsize(whole.size()));
        constexpr size_t kHeaderBytes = 7'723;
        const std::filesystem::path path = (m_folder.path() + "/model.gguf").toStdString();
        std::mt19937 random(29);
        int refused = 0;
        for (int round = 0; round < 1000; ++round) {
            std::string damaged = whole;
            for (int i = 0; i < 1 + round % 4; ++i)
                damaged[random() % kHeaderBytes] = char(random() % 3 == 0 ? 0xFF : random());
            tests::writeFile(path, damaged);
            const auto tensors = tensorsIn(path);
            if (tensors)
                continue; // the change hit a name, a score or a token's text
            ++refused;
            QVERIFY(tensors.error().message.find("model.gguf") != std::string::npos);
        }
        QVERIFY(refused > 100);
    }
    void theRealModelsAreWhole()
    {
        for (const char* name : { tests::kSmolLM2, tests::kGemma3 }) {
            const auto model = tests::realModel(name);
            if (!model)
                QSKIP(tests::kNoModel);
            const auto tensors = tensorsIn(*model);
            QVERIFY2(tensors, tensors ? "" : tensors.error().message.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestModelTensors)
#include "tst_model_tensors.moc"
