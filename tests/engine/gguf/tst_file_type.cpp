#include "engine/gguf/file_type.h"

#include "tests/support/gguf_writer.h"
#include "tests/support/reference_data.h"

#include <QTemporaryDir>
#include <QtTest>
#include <functional>
#include <set>

using namespace engine;

namespace {
std::string nameOf(const std::function<void(tests::GgufWriter&)>& fill)
{
    tests::GgufWriter writer;
    writer.string("general.architecture", "llama");
    fill(writer);
    QTemporaryDir folder;
    const std::filesystem::path path = folder.filePath("a.gguf").toStdString();
    writer.save(path);
    const auto file = GgufFile::open(path);
    return file ? quantizationName(*file) : file.error().message;
}

/// 32 values of Q8_0 take 34 bytes, so that of these two tensors the second has more.
void addTensors(tests::GgufWriter& writer)
{
    writer.f32Tensor("norm", { 32 });
    writer.tensor({ "matrix", { 32, 8 }, uint32_t(TensorType::Q8_0), std::string(34 * 8, '\0') });
}
}

class TestFileType : public QObject {
    Q_OBJECT
private slots:
    void everyRowHasItsOwnNumberAndName()
    {
        std::set<uint32_t> numbers;
        std::set<std::string> names;
        for (const FileTypeInfo& info : fileTypeTable()) {
            QVERIFY2(numbers.insert(info.number).second, info.name);
            QVERIFY2(names.insert(info.name).second, info.name);
        }
    }

    void theFilesOwnNameWinsOverItsTensors()
    {
        const std::string name = nameOf([](tests::GgufWriter& writer) {
            writer.u32("general.file_type", 15);
            addTensors(writer);
        });
        QCOMPARE(name, std::string("Q4_K_M"));
    }

    void withoutAKnownNumberTheTypeOfMostBytesIsNamed()
    {
        const std::string absent = nameOf(addTensors);
        QCOMPARE(absent, std::string("Q8_0"));
        const std::string unknown = nameOf([](tests::GgufWriter& writer) {
            writer.u32("general.file_type", 9999);
            addTensors(writer);
        });
        QCOMPARE(unknown, std::string("Q8_0"));
        const std::string ofAnotherKind = nameOf([](tests::GgufWriter& writer) {
            writer.string("general.file_type", "Q4_K_M");
            addTensors(writer);
        });
        QCOMPARE(ofAnotherKind, std::string("Q8_0"));
    }

    void aFileWithoutTensorsHasNone()
    {
        const std::string name = nameOf([](tests::GgufWriter&) {});
        QCOMPARE(name, std::string());
    }

    void realModelsHaveTheNamesPeopleKnowThemBy()
    {
        for (const auto& [model, name] :
            { std::pair { tests::kSmolLM2, "Q4_1" }, { tests::kGemma3, "Q4_K_M" } }) {
            const auto path = tests::realModel(model);
            if (!path)
                QSKIP(tests::kNoModel);
            const auto file = GgufFile::open(*path);
            QVERIFY(file.has_value());
            QCOMPARE(quantizationName(*file), std::string(name));
        }
    }
};

QTEST_APPLESS_MAIN(TestFileType)
#include "tst_file_type.moc"
