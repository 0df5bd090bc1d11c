#include "engine/gguf/gguf_file.h"

#include "tests/support/gguf_writer.h"
#include "tests/support/reference_data.h"

#include <QTemporaryDir>
#include <QtTest>
#include <cstring>
#include <fstream>
#include <unistd.h>

using namespace engine;
using tests::GgufWriter;

namespace {
GgufWriter tinyModel()
{
    GgufWriter writer;
    writer.string("general.architecture", "llama");
    writer.u32("llama.block_count", 1);
    writer.f32("llama.rope.freq_base", 10000.0f);
    writer.boolean("tokenizer.ggml.add_bos_token", true);
    writer.strings("tokenizer.ggml.tokens", { "a", "b", "<end>" });
    writer.array<int32_t>("tokenizer.ggml.token_type", GgufWriter::I32, { 1, 1, 3 });
    writer.f32Tensor("token_embd.weight", { 4, 3 }, 0.5f);
    writer.f32Tensor("output_norm.weight", { 4 }, 2.0f);
    return writer;
}

int64_t residentBytes()
{
    std::ifstream stream("/proc/self/statm");
    int64_t total = 0;
    int64_t resident = 0;
    stream >> total >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}
}

class TestGgufFile : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    std::filesystem::path filePath() const
    {
        return (m_folder.path() + "/model.gguf").toStdString();
    }

    Result<GgufFile> openBytes(std::string_view bytes) const
    {
        tests::writeFile(filePath(), bytes);
        return GgufFile::open(filePath());
    }

    /// Empty when the file is refused with an error that names the file and holds this text.
    std::string whyNotRefused(std::string_view bytes, const std::string& text) const
    {
        const auto file = openBytes(bytes);
        if (file)
            return "the file was accepted";
        const std::string& message = file.error().message;
        if (message.find("model.gguf") == std::string::npos
            || message.find(text) == std::string::npos)
            return message;
        return "";
    }

private slots:
    void metadataAndTensorsComeOutAsWritten()
    {
        for (const uint32_t version : { 2u, 3u }) {
            GgufWriter writer = tinyModel();
            writer.version = version;
            const auto file = openBytes(writer.bytes());
            QVERIFY2(file, file ? "" : file.error().message.c_str());
            QCOMPARE(file->version(), version);
            QCOMPARE(
                file->metadata().getString("general.architecture").value(), std::string("llama"));
            QCOMPARE(file->metadata().getStrings("tokenizer.ggml.tokens").value()[2],
                std::string("<end>"));
            QCOMPARE(file->metadata().getInt32s("tokenizer.ggml.token_type").value()[2], 3);
            QCOMPARE(file->tensors().size(), size_t(2));
            QCOMPARE(file->findTensor("absent"), nullptr);
            const TensorInfo* norm = file->findTensor("output_norm.weight");
            QVERIFY(norm);
            QCOMPARE(norm->bytes, uint64_t(16));
            float values[4] = {};
            QVERIFY(file->read(norm->fileOffset, std::as_writable_bytes(std::span(values))));
            QCOMPARE(values[3], 2.0f);
            QCOMPARE(file->findTensor("token_embd.weight")->rows(), uint64_t(3));
            QCOMPARE(file->strayBytes(), uint64_t(0));
        }
    }
    void aFileCutAtAnyByteIsRefused()
    {
        const std::string whole = tinyModel().bytes();
        QVERIFY(openBytes(whole));
        for (size_t size = 0; size < whole.size(); ++size) {
            const std::string why = whyNotRefused(whole.substr(0, size), "");
            QVERIFY2(why.empty(), (std::to_string(size) + " bytes: " + why).c_str());
        }
    }
    void aFlippedByteNeverCrashes()
    {
        const std::string whole = tinyModel().bytes();
        for (size_t i = 0; i < whole.size(); ++i)
            for (const char flip : { '\x01', '\x80', '\xFF' }) {
                std::string damaged = whole;
                damaged[i] = char(damaged[i] ^ flip);
                const auto file = openBytes(damaged);
                if (!file)
                    QVERIFY(!file.error().message.empty());
            }
    }
    void whatIsNotGgufIsSaidSo()
    {
        QCOMPARE(whyNotRefused("PK\3\4 something else, long enough", "not a GGUF model file"),
            std::string());
        QVERIFY(!GgufFile::open(m_folder.path().toStdString()));
        const auto absent = GgufFile::open(filePath().string() + ".absent");
        QVERIFY(!absent);
        QCOMPARE(absent.error().code, ErrorCode::Io);
    }
    void otherVersionsAreRefused()
    {
        GgufWriter writer = tinyModel();
        writer.version = 1;
        QCOMPARE(whyNotRefused(writer.bytes(), "version 1 is not supported"), std::string());
        writer.version = 3u << 24;
        QCOMPARE(whyNotRefused(writer.bytes(), "big-endian"), std::string());
    }
    void doubledKeysAndTensorsAreRefused()
    {
        GgufWriter keys = tinyModel();
        keys.u32("llama.block_count", 2);
        QCOMPARE(whyNotRefused(keys.bytes(), "\"llama.block_count\""), std::string());
        GgufWriter tensors = tinyModel();
        tensors.f32Tensor("output_norm.weight", { 4 });
        QCOMPARE(
            whyNotRefused(tensors.bytes(), "\"output_norm.weight\" appears twice"), std::string());
    }
    void badValuesAreRefused()
    {
        const std::string one64 = GgufWriter::bytesOf(uint64_t(1));
        const auto with = [](const std::string& key, uint32_t type, const std::string& bytes) {
            GgufWriter writer = tinyModel();
            writer.addKey(key, type, bytes);
            return writer.bytes();
        };
        QCOMPARE(
            whyNotRefused(with("k", GgufWriter::Bool, "\x02"), "neither 0 nor 1"), std::string());
        QCOMPARE(whyNotRefused(with("k", 13, "abcd"), "value type 13"), std::string());
        const std::string nested = GgufWriter::bytesOf(uint32_t(GgufWriter::Array)) + one64;
        QCOMPARE(
            whyNotRefused(with("k", GgufWriter::Array, nested), "array of arrays"), std::string());
        const std::string huge = GgufWriter::bytesOf(uint32_t(GgufWriter::U64))
            + GgufWriter::bytesOf(uint64_t(1) << 61);
        QCOMPARE(whyNotRefused(with("k", GgufWriter::Array, huge), "key \"k\""), std::string());
        QCOMPARE(whyNotRefused(with("", GgufWriter::U8, "\x01"), "key is empty"), std::string());
        const std::string longText = GgufWriter::bytesOf(uint64_t(1) << 50);
        QCOMPARE(
            whyNotRefused(with("k", GgufWriter::String, longText), "key \"k\""), std::string());
    }
    void overlappingAndMisalignedTensorsAreRefused()
    {
        GgufWriter overlap = tinyModel();
        overlap.tensor({ .name = "second",
            .dimensions = { 4 },
            .bytes = std::string(16, '\0'),
            .offsetWritten = 32 });
        QCOMPARE(whyNotRefused(overlap.bytes(), "overlap"), std::string());
        GgufWriter crooked = tinyModel();
        crooked.tensor({ .name = "crooked",
            .dimensions = { 4 },
            .bytes = std::string(64, '\0'),
            .offsetWritten = 100 });
        QCOMPARE(whyNotRefused(crooked.bytes(), "multiple of the alignment 32"), std::string());
        GgufWriter wraps = tinyModel();
        wraps.tensor({ .name = "wraps",
            .dimensions = { 4 },
            .bytes = std::string(16, '\0'),
            .offsetWritten = ~0ull - 31 });
        QCOMPARE(whyNotRefused(wraps.bytes(), "\"wraps\""), std::string());
    }
    void alignmentOfTheFileIsKept()
    {
        GgufWriter writer = tinyModel();
        writer.alignment = 256;
        writer.u32("general.alignment", 256);
        const auto file = openBytes(writer.bytes());
        QVERIFY2(file, file ? "" : file.error().message.c_str());
        QCOMPARE(file->findTensor("output_norm.weight")->fileOffset % 256, uint64_t(0));
    }
    void bytesAfterTheLastTensorAreReported()
    {
        const auto file = openBytes(tinyModel().bytes() + std::string(1000, 'x')); // G-32
        QVERIFY(file);
        QVERIFY(file->strayBytes() > 1000 - 32 && file->strayBytes() <= 1000);
    }
    void aFileCutWhileOpenGivesAnErrorOnRead()
    {
        const auto file = openBytes(tinyModel().bytes());
        QVERIFY(file);
        QCOMPARE(::truncate(filePath().c_str(), 100), 0);
        std::byte bytes[16];
        const auto read = file->read(file->findTensor("output_norm.weight")->fileOffset, bytes);
        QVERIFY(!read);
        QCOMPARE(read.error().code, ErrorCode::Io);
    }
    void g29DamagedHeadersAreRefusedByName_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("named");
        const auto row = [](const char* name, const GgufWriter& writer, const char* named) {
            QTest::newRow(name) << QByteArray::fromStdString(writer.bytes()) << QString(named);
        };
        GgufWriter a = tinyModel();
        a.tensorCountWritten = 1ull << 40;
        row("a: tensor count 2^40", a, "tensor count");
        GgufWriter b = tinyModel();
        b.keyCountWritten = 1ull << 63;
        row("b: metadata count 2^63", b, "metadata key count");
        std::string c = tinyModel().bytes();
        c.replace(24, 8, GgufWriter::bytesOf(uint64_t(1) << 50));
        QTest::newRow("c: first key's length 2^50")
            << QByteArray::fromStdString(c) << QString("metadata key 1");
        GgufWriter d = tinyModel();
        d.f32Tensor("nine", { 1, 1, 1, 1, 1, 1, 1, 1, 1 });
        row("d: 9 dimensions", d, "\"nine\"");
        GgufWriter zero = tinyModel();
        zero.tensor({ .name = "zero", .dimensions = { 4, 0 } });
        row("a dimension of 0", zero, "\"zero\"");
        GgufWriter e = tinyModel();
        e.tensor({ .name = "strange",
            .dimensions = { 4 },
            .type = 255,
            .bytes = std::string(16, '\0') });
        row("e: tensor type 255", e, "\"strange\"");
        for (const uint32_t alignment : { 0u, 3u, 1u << 17 }) {
            GgufWriter g = tinyModel();
            g.u32("general.alignment", alignment);
            row(("g: alignment " + std::to_string(alignment)).c_str(), g, "general.alignment");
        }
        GgufWriter h = tinyModel();
        h.tensor({ .name = "far",
            .dimensions = { 4 },
            .bytes = std::string(16, '\0'),
            .offsetWritten = 1ull << 40 });
        row("h: offset past the end", h, "\"far\"");
    }
    void g29DamagedHeadersAreRefusedByName()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, named);
        const int64_t before = residentBytes();
        const std::string why = whyNotRefused(bytes.toStdString(), named.toStdString());
        QVERIFY2(why.empty(), why.c_str());
        QVERIFY(residentBytes() - before < 100 << 20);
        QVERIFY(openBytes(tinyModel().bytes())); // the next good file opens
    }
    void g29ARealModelCutShortIsRefused()
    {
        const auto model = tests::realModel(tests::kSmolLM2);
        if (!model)
            QSKIP(tests::kNoModel);
        const uint64_t whole = std::filesystem::file_size(*model);
        std::string bytes(whole, '\0');
        std::ifstream(*model, std::ios::binary).read(bytes.data(), std::streamsize(whole));
        tests::writeFile(filePath(), bytes);
        QVERIFY(GgufFile::open(filePath()));
        for (const uint64_t size :
            { whole - 1, whole / 2, uint64_t(1000), uint64_t(24), uint64_t(4), uint64_t(1) }) {
            std::filesystem::resize_file(filePath(), size);
            QElapsedTimer timer;
            timer.start();
            const auto file = GgufFile::open(filePath());
            QVERIFY2(!file, std::to_string(size).c_str());
            QVERIFY(file.error().message.find("model.gguf") != std::string::npos);
            QVERIFY(timer.elapsed() < 2000);
        }
    }
    void g33SplitFilesAreRefusedBeforeAnyTensor()
    {
        GgufWriter writer = tinyModel();
        writer.number("split.count", GgufWriter::U16, uint16_t(3));
        writer.number("split.no", GgufWriter::U16, uint16_t(1));
        writer.tensorCountWritten = 3; // a tensor entry that is not there: never reached
        QCOMPARE(whyNotRefused(writer.bytes(), "part 2 of 3"), std::string());
        const auto joined = openBytes(writer.bytes() + writer.bytes());
        QVERIFY(!joined);
        QCOMPARE(joined.error().code, ErrorCode::Unsupported);
        GgufWriter single = tinyModel();
        single.number("split.count", GgufWriter::U16, uint16_t(1));
        QVERIFY(openBytes(single.bytes()));
    }
    void everyReferenceFileOpens()
    {
        const auto reference = tests::referenceFolder();
        if (!reference)
            QSKIP(tests::kNoReference);
        int opened = 0;
        for (const char* folder : { "models", "vocab" })
            for (const auto& entry : std::filesystem::directory_iterator(*reference / folder)) {
                if (entry.path().extension() != ".gguf")
                    continue;
                QElapsedTimer timer;
                timer.start();
                const auto file = GgufFile::open(entry.path());
                QVERIFY2(file, file ? "" : file.error().message.c_str());
                QCOMPARE(file->strayBytes(), uint64_t(0));
                if (timer.elapsed() > 20)
                    qInfo() << entry.path().filename().c_str() << timer.elapsed() << "ms";
                ++opened;
            }
        QVERIFY(opened >= 40);
    }
};

QTEST_APPLESS_MAIN(TestGgufFile)
#include "tst_gguf_file.moc"
