#include "engine/gguf/gguf_file.h"
#include "engine/gguf/gguf_writer.h"

#include <QTemporaryDir>
#include <QtTest>
#include <numeric>

using namespace engine;

/// What the writer writes, the reader reads.
class TestGgufWriter : public QObject {
    Q_OBJECT
private slots:
    void everyKeyComesBack()
    {
        GgufWriter writer;
        writer.setString("general.architecture", "llama");
        writer.setUint32("a.number", 4'000'000'000u);
        writer.setFloat("a.float", 0.25f);
        writer.setBool("a.flag", true);
        writer.setStrings("some.texts", { "one", "", "three\n" });
        writer.setInt32s("some.numbers", { 1, -2 });
        QVERIFY(writer.save(path(), [](const TensorPlan&, std::span<std::byte>) { return true; })
                    .has_value());
        const auto file = GgufFile::open(path());
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        const Metadata& metadata = file->metadata();
        QCOMPARE(*metadata.getString("general.architecture"), std::string("llama"));
        QCOMPARE(*metadata.getUint32("a.number"), 4'000'000'000u);
        QCOMPARE(*metadata.getFloat("a.float"), 0.25f);
        QCOMPARE(*metadata.getBoolOr("a.flag", false), true);
        const auto texts = metadata.getStrings("some.texts");
        QVERIFY(texts.has_value());
        QCOMPARE(texts->size(), size_t(3));
        QCOMPARE(std::string((*texts)[2]), std::string("three\n"));
        const auto numbers = metadata.getInt32s("some.numbers");
        QVERIFY(numbers.has_value());
        QCOMPARE((*numbers)[1], -2);
    }
    void tensorsComeBackFromPieces()
    {
        GgufWriter writer;
        // 18 bytes a row: the second tensor starts after padding. The last is longer than a piece.
        writer.addTensor({ "small", TensorType::Q4_0, { 32, 3 } });
        writer.addTensor({ "vector", TensorType::F32, { 5 } });
        writer.addTensor({ "large", TensorType::Q6_K, { 256, 25'000 } });
        std::vector<std::byte> written;
        size_t pieceCount = 0;
        uint8_t next = 0;
        const auto saved = writer.save(path(), [&](const TensorPlan&, std::span<std::byte> piece) {
            for (std::byte& byte : piece)
                byte = std::byte(next = uint8_t(next * 5 + 3));
            written.insert(written.end(), piece.begin(), piece.end());
            ++pieceCount;
            return true;
        });
        QVERIFY(saved.has_value());
        QCOMPARE(pieceCount, size_t(4)); // two of the large one
        const auto file = GgufFile::open(path());
        QVERIFY2(file.has_value(), file ? "" : file.error().message.c_str());
        QCOMPARE(file->tensors().size(), size_t(3));
        std::vector<std::byte> read;
        for (const TensorInfo& tensor : file->tensors()) {
            std::vector<std::byte> bytes(tensor.bytes);
            QVERIFY(file->read(tensor.fileOffset, bytes).has_value());
            read.insert(read.end(), bytes.begin(), bytes.end());
        }
        QCOMPARE(file->tensors()[0].dimensions, (std::vector<uint64_t> { 32, 3 }));
        QVERIFY(read == written);
    }
    void whatIsStoppedOrImpossibleLeavesNoFile()
    {
        GgufWriter writer;
        writer.addTensor({ "small", TensorType::Q4_0, { 32, 3 } });
        const auto stopped
            = writer.save(path(), [](const TensorPlan&, std::span<std::byte>) { return false; });
        QCOMPARE(stopped.error().code, ErrorCode::Cancelled);
        QVERIFY(!QFile::exists(m_folder.filePath("written.gguf")));
        const auto nowhere = writer.save(path() / "below" / "a file",
            [](const TensorPlan&, std::span<std::byte>) { return true; });
        QCOMPARE(nowhere.error().code, ErrorCode::Io);
        QVERIFY(nowhere.error().message.find("written.gguf") != std::string::npos);
        writer.addTensor({ "odd", TensorType::Q4_0, { 31 } });
        QVERIFY(!writer.save(path(), [](const TensorPlan&, std::span<std::byte>) { return true; })
                     .has_value());
        QVERIFY(!QFile::exists(m_folder.filePath("written.gguf")));
    }

private:
    std::filesystem::path path() const { return m_folder.filePath("written.gguf").toStdString(); }

    QTemporaryDir m_folder;
};

QTEST_APPLESS_MAIN(TestGgufWriter)
#include "tst_gguf_writer.moc"
