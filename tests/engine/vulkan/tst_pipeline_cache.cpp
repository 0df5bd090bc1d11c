#include "engine/vulkan/pipeline_cache.h"

#include "engine/vulkan/compute_pipeline.h"
#include "shaders/test_increment.h"
#include "tests/support/vulkan_fixture.h"

#include <QTemporaryDir>
#include <QtTest>
#include <fstream>

using namespace engine;

class TestPipelineCache : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { QVERIFY2(m_vulkan.open(), qPrintable(m_vulkan.problem())); }
    void cleanupTestCase() { QCOMPARE(m_vulkan.close(), QString()); }
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        m_path = std::filesystem::path(m_folder->path().toStdString()) / "below" / "cache.bin";
    }

    void aSavedCacheIsUsedAtTheNextStart()
    {
        writeCache();
        QVERIFY(open().startedFromFile());
    }
    void theCacheLiesInTheCacheFolderUnderTheDriversIdentity()
    {
        qputenv("XDG_CACHE_HOME", "/somewhere");
        const std::string path = vk::PipelineCache::defaultPath(m_vulkan.device()).string();
        QCOMPARE(path,
            "/somewhere/tokenglass/pipelines-" + m_vulkan.device().capabilities().driverUuid
                + ".bin");
        qunsetenv("XDG_CACHE_HOME");
    }
    void aCacheDamagedAtAnyByteStartsEmptyAndIsDeleted()
    {
        writeCache();
        const std::string good = contents();
        // Every byte of both headers, then a sample of the blob.
        for (size_t i = 0; i < good.size(); i += i < 64 ? 1 : 101) {
            std::string bad = good;
            bad[i] = char(bad[i] ^ 0x40);
            write(bad);
            QVERIFY2(!open().startedFromFile(), qPrintable(QString("byte %1").arg(i)));
            QVERIFY(!std::filesystem::exists(m_path));
        }
        write(good);
        QVERIFY(open().startedFromFile());
    }
    void aCacheCutAnywhereStartsEmpty()
    {
        writeCache();
        const std::string good = contents();
        for (size_t length = 0; length < good.size(); length += length < 64 ? 1 : 101) {
            write(good.substr(0, length));
            QVERIFY(!open().startedFromFile());
        }
    }
    void anUnwritableFolderIsAnErrorThatNamesTheFile()
    {
        m_path = "/proc/tokenglass/cache.bin";
        const auto saved = open().save();
        QVERIFY(!saved);
        QCOMPARE(saved.error().code, ErrorCode::Io);
        QVERIFY(saved.error().message.find("/proc/tokenglass/cache.bin") != std::string::npos);
    }
    void nothingIsLeftBesideASavedCache()
    {
        writeCache();
        writeCache();
        const auto folder = std::filesystem::directory_iterator(m_path.parent_path());
        QCOMPARE(std::distance(begin(folder), end(folder)), 1);
    }

private:
    vk::PipelineCache open()
    {
        auto cache = vk::PipelineCache::create(m_vulkan.device(), m_path);
        if (!cache)
            qFatal("%s", cache.error().message.c_str());
        return std::move(*cache);
    }
    void writeCache()
    {
        const vk::PipelineCache cache = open();
        QVERIFY(vk::ComputePipeline::create(m_vulkan.device(),
            { .name = "test_increment",
                .spirv = shaders::test_increment(),
                .bindings = { vk::BindingType::StorageBuffer },
                .cache = &cache })
                    .has_value());
        const auto saved = cache.save();
        QVERIFY2(saved.has_value(), saved ? "" : saved.error().message.c_str());
    }
    std::string contents() const
    {
        std::ifstream stream(m_path, std::ios::binary);
        return { std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>() };
    }
    void write(const std::string& bytes) const
    {
        std::ofstream stream(m_path, std::ios::binary | std::ios::trunc);
        stream.write(bytes.data(), std::streamsize(bytes.size()));
    }

    tests::VulkanFixture m_vulkan;
    std::unique_ptr<QTemporaryDir> m_folder;
    std::filesystem::path m_path;
};

QTEST_APPLESS_MAIN(TestPipelineCache)
#include "tst_pipeline_cache.moc"
