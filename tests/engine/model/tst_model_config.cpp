#include "engine/model/model_config.h"
#include "engine/model/rope_frequencies.h"

#include "tests/support/reference_data.h"
#include "tests/support/tiny_llama.h"

#include <QTemporaryDir>
#include <QtTest>
#include <cmath>

using namespace engine;
using tests::GgufWriter;

class TestModelConfig : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    Result<ModelConfig> configOf(GgufWriter writer) const
    {
        tests::addTinyLlamaTensors(writer);
        const std::filesystem::path path = (m_folder.path() + "/model.gguf").toStdString();
        writer.save(path);
        TRY_ASSIGN(const GgufFile file, GgufFile::open(path));
        return ModelConfig::create(file);
    }

    /// Empty when it is refused with a message that names the file and holds this text.
    std::string whyNotRefused(const GgufWriter& writer, const std::string& text) const
    {
        const auto config = configOf(writer);
        if (config)
            return "accepted";
        const std::string& message = config.error().message;
        const bool named = message.find("model.gguf") != std::string::npos;
        return named && message.find(text) != std::string::npos ? "" : message;
    }

    static Result<ModelConfig> configOfFixture(const std::string& name)
    {
        TRY_ASSIGN(
            const GgufFile file, GgufFile::open(*tests::referenceFolder() / "models" / name));
        return ModelConfig::create(file);
    }

private slots:
    void hyperparametersComeOutAsWritten()
    {
        const auto config = configOf(tests::tinyLlamaKeys());
        QVERIFY2(config, config ? "" : config.error().message.c_str());
        QCOMPARE(config->headDim, 8u);
        QCOMPARE(config->kvLength(), 16u);
        QCOMPARE(config->vocabularySize, 8u);
        QCOMPARE(config->globalRope.base, 10'000.0f);
        QCOMPARE(config->globalRope.positionScale, 1.0f);
        QCOMPARE(config->attentionScale, 1.0f / std::sqrt(8.0f));
        QCOMPARE(config->embeddingScale, 1.0f);
        QVERIFY(config->tiedOutput);
        QVERIFY(!config->isLocalLayer(0));
    }
    void eachDivisorAndBoundIsChecked_data()
    {
        QTest::addColumn<QString>("key");
        QTest::addColumn<uint>("value");
        // G-29 (j) and (k) are the first two.
        QTest::newRow("head_count 0") << "llama.attention.head_count" << 0u;
        QTest::newRow("block_count 4,000,000,000") << "llama.block_count" << 4'000'000'000u;
        QTest::newRow("block_count 0") << "llama.block_count" << 0u;
        QTest::newRow("block_count 1025") << "llama.block_count" << 1025u;
        QTest::newRow("embedding_length 0") << "llama.embedding_length" << 0u;
        QTest::newRow("context_length 0") << "llama.context_length" << 0u;
        QTest::newRow("feed_forward_length huge") << "llama.feed_forward_length" << ~0u;
        QTest::newRow("head_count_kv 0") << "llama.attention.head_count_kv" << 0u;
        QTest::newRow("head_count_kv 3 of 4") << "llama.attention.head_count_kv" << 3u;
        QTest::newRow("key_length 0") << "llama.attention.key_length" << 0u;
        QTest::newRow("key_length odd") << "llama.attention.key_length" << 7u;
        QTest::newRow("value_length other") << "llama.attention.value_length" << 16u;
        QTest::newRow("rotated part") << "llama.rope.dimension_count" << 4u;
        QTest::newRow("vocab_size other") << "llama.vocab_size" << 9u;
        QTest::newRow("window") << "llama.attention.sliding_window" << 64u;
    }
    void eachDivisorAndBoundIsChecked()
    {
        QFETCH(QString, key);
        QFETCH(uint, value);
        GgufWriter writer = tests::tinyLlamaKeys({ key.toStdString() });
        writer.u32(key.toStdString(), value);
        QCOMPARE(whyNotRefused(writer, "\"" + key.toStdString() + "\""), std::string());
    }
    void numbersThatAreNoneAreRefused()
    {
        for (const float value : { 0.0f, -1.0f, std::nanf(""), INFINITY })
            for (const char* key : { "llama.rope.freq_base",
                     "llama.attention.layer_norm_rms_epsilon", "llama.rope.scaling.factor" }) {
                GgufWriter writer = tests::tinyLlamaKeys({ key });
                writer.f32(key, value);
                QCOMPARE(whyNotRefused(writer, key), std::string());
            }
    }
    void aMissingKeyIsNamed()
    {
        for (const char* key : { "general.architecture", "llama.block_count",
                 "llama.attention.layer_norm_rms_epsilon" })
            QCOMPARE(whyNotRefused(tests::tinyLlamaKeys({ key }), key), std::string());
    }
    void keysThatChangeTheArithmeticAreRefused()
    {
        GgufWriter experts = tests::tinyLlamaKeys();
        experts.u32("llama.expert_count", 4);
        QCOMPARE(whyNotRefused(experts, "\"llama.expert_count\" = 4"), std::string());
        GgufWriter unknown = tests::tinyLlamaKeys();
        unknown.f32("llama.attention.temperature_scale", 0.1f);
        QCOMPARE(whyNotRefused(unknown, "llama.attention.temperature_scale"), std::string());
        GgufWriter perLayer = tests::tinyLlamaKeys({ "llama.attention.head_count_kv" });
        perLayer.array<uint32_t>("llama.attention.head_count_kv", GgufWriter::U32, { 2 });
        QCOMPARE(whyNotRefused(perLayer, "llama.attention.head_count_kv"), std::string());
        for (const char* type : { "yarn", "longrope", "llama3" }) {
            GgufWriter scaling = tests::tinyLlamaKeys();
            scaling.string("llama.rope.scaling.type", type);
            QCOMPARE(whyNotRefused(scaling, std::string("\"llama.rope.scaling.type\" = ") + type),
                std::string());
        }
        GgufWriter adapter = tests::tinyLlamaKeys();
        adapter.string("general.type", "adapter");
        QCOMPARE(whyNotRefused(adapter, "general.type"), std::string());
    }
    void keysAtTheirNeutralValueAreAccepted()
    {
        GgufWriter writer = tests::tinyLlamaKeys();
        writer.u32("llama.expert_count", 0);
        writer.f32("llama.rope.scaling.attn_factor", 1.0f);
        writer.string("llama.rope.scaling.type", "none");
        writer.f32("llama.rope.scaling.factor", 4.0f);
        writer.u32("llama.attention.sliding_window", 128); // as long as the context
        const auto config = configOf(writer);
        QVERIFY2(config, config ? "" : config.error().message.c_str());
        QCOMPARE(config->globalRope.positionScale, 1.0f);
    }
    void aVocabularyOfAnotherLengthIsRefused()
    {
        GgufWriter writer = tests::tinyLlamaKeys();
        writer.strings("tokenizer.ggml.tokens", { "a", "b" });
        QCOMPARE(whyNotRefused(writer, "tokenizer.ggml.tokens"), std::string());
    }
    void g30AnUnknownArchitectureIsNamed()
    {
        GgufWriter writer = tests::tinyLlamaKeys({ "general.architecture" });
        writer.string("general.architecture", "zebra9");
        QCOMPARE(whyNotRefused(writer, "zebra9"), std::string());
    }
    void fixturesOfOtherArithmeticAreRefusedByName_data()
    {
        QTest::addColumn<QString>("named");
        QTest::newRow("arch-mixtral.gguf") << "llama.expert_count";
        QTest::newRow("arch-qwen2-yarn.gguf") << "yarn";
        QTest::newRow("arch-gemma2.gguf") << "gemma2";
        QTest::newRow("arch-gpt-oss.gguf") << "gpt-oss";
        QTest::newRow("arch-granite.gguf") << "granite";
        QTest::newRow("arch-olmo2.gguf") << "olmo2";
        QTest::newRow("arch-phi3.gguf") << "phi3";
        QTest::newRow("arch-qwen3moe.gguf") << "qwen3moe";
        QTest::newRow("arch-smollm3.gguf") << "smollm3";
    }
    void fixturesOfOtherArithmeticAreRefusedByName()
    {
        if (!tests::referenceFolder())
            QSKIP(tests::kNoReference);
        QFETCH(QString, named);
        const auto config = configOfFixture(QTest::currentDataTag());
        QVERIFY(!config);
        QCOMPARE(config.error().code, ErrorCode::Unsupported);
        QVERIFY2(config.error().message.find(named.toStdString()) != std::string::npos,
            config.error().message.c_str());
    }
    void gemma3HasFiveLocalLayersForEachGlobalOne()
    {
        if (!tests::referenceFolder())
            QSKIP(tests::kNoReference);
        const auto config = configOfFixture("arch-gemma3.gguf");
        QVERIFY2(config, config ? "" : config.error().message.c_str());
        for (uint32_t layer = 0; layer < config->layerCount; ++layer) {
            QCOMPARE(config->windowOf(layer), layer == 5 ? 0u : 8u);
            QCOMPARE(config->ropeOf(layer).base, layer == 5 ? 1e6f : 1e4f);
        }
        QCOMPARE(config->embeddingScale, 16.0f);
        QCOMPARE(config->attentionScale, 1.0f / std::sqrt(128.0f));
    }
    void ropeScalingReachesTheFrequencies()
    {
        if (!tests::referenceFolder())
            QSKIP(tests::kNoReference);
        const auto linear = configOfFixture("arch-llama-linear.gguf");
        QVERIFY(linear);
        QCOMPARE(ropeFrequencies(linear->globalRope, linear->headDim, {})[0], 0.25);
        const auto file
            = GgufFile::open(*tests::referenceFolder() / "models" / "arch-llama31.gguf");
        const auto llama31 = ModelConfig::create(*file);
        QVERIFY(llama31 && llama31->globalRope.frequencyFactors);
        const auto factors = readRopeFactors(*file, *llama31);
        QVERIFY(factors);
        QCOMPARE(factors->size(), size_t(32));
        const auto frequencies = ropeFrequencies(llama31->globalRope, llama31->headDim, *factors);
        QCOMPARE(frequencies[31], std::pow(500'000.0, -62.0 / 64) / double((*factors)[31]));
    }
    void theRealModelsAreRead()
    {
        const auto smol = tests::realModel(tests::kSmolLM2);
        const auto gemma = tests::realModel(tests::kGemma3);
        if (!smol || !gemma)
            QSKIP(tests::kNoModel);
        const auto smolFile = GgufFile::open(*smol);
        const auto smolConfig = ModelConfig::create(*smolFile);
        QVERIFY(smolConfig);
        QCOMPARE(smolConfig->headDim, 64u);
        QCOMPARE(smolConfig->layerCount, 30u);
        const auto gemmaFile = GgufFile::open(*gemma);
        const auto gemmaConfig = ModelConfig::create(*gemmaFile);
        QVERIFY(gemmaConfig);
        QCOMPARE(gemmaConfig->headDim, 256u);
        QCOMPARE(gemmaConfig->windowOf(0), 512u);
        QCOMPARE(gemmaConfig->windowOf(17), 0u);
    }
};

QTEST_APPLESS_MAIN(TestModelConfig)
#include "tst_model_config.moc"
